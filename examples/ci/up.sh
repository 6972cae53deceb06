#!/usr/bin/env bash
# up.sh STACK MOST: updates the stack, and stops before the first write if more than MOST creations may be charged.
set -euo pipefail
stack=$1
here=$(dirname "$0")
config=$(mktemp)
trap 'rm -f "$config"' EXIT
echo "{\"few-charged-creations-at-once\": {\"most\": $2}}" >"$config"

# --refresh reads what is in state before anything is written: the token of another environment gets no further.
pulumi up --yes --refresh --non-interactive --stack "$stack" \
  --policy-pack "${RESELLER_POLICY_PACK:-$here/../policy}" --policy-pack-config "$config"
