#!/usr/bin/env bash
# preview.sh STACK: what an update of the stack would do, as Markdown. Sends no write.
# Where GITHUB_OUTPUT is set, the number of creations that may be charged goes there as charges=N.
set -euo pipefail
stack=$1
here=$(dirname "$0")
plan=$(mktemp)
trap 'rm -f "$plan"' EXIT

# A failing preview has its errors in the plan too.
code=0
RESELLER_CHARGE_POLICY=never pulumi preview --refresh --json --non-interactive --stack "$stack" >"$plan" || code=$?
node "$here/plan.mjs" --markdown "$stack" <"$plan"
[ "$code" -eq 0 ] || exit "$code"
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  echo "charges=$(node "$here/plan.mjs" --charges <"$plan")" >>"$GITHUB_OUTPUT"
fi
