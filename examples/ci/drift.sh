#!/usr/bin/env bash
# drift.sh STACK...: what was changed behind Pulumi's back, in the summary of the job. Writes nothing anywhere else.
# Ends with 0: no drift, 2: drift, 1: a stack could not be checked.
set -euo pipefail
stacks=()
for stack in "$@"; do stacks+=(--stack "$stack"); done
RESELLER_CHARGE_POLICY=never npx pulumi-reseller drift "${stacks[@]}" --markdown >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}"
