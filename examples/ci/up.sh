#!/usr/bin/env bash
# up.sh STACK MOST: updates the stack, but writes nothing if more than MOST creations may be charged.
set -euo pipefail
stack=$1
most=$2
outputs=$(mktemp)
trap 'rm -f "$outputs"' EXIT

# Once more: the service may have changed since someone approved.
GITHUB_OUTPUT=$outputs "$(dirname "$0")/preview.sh" "$stack"
charges=$(sed -n 's/^charges=//p' "$outputs")
if [ "$charges" -gt "$most" ]; then
  echo "$charges creations may be charged; $most were approved. Nothing was written." >&2
  exit 1
fi

# --refresh reads what is in state before anything is written: the token of another environment gets no further.
pulumi up --yes --skip-preview --refresh --non-interactive --stack "$stack"
