#!/usr/bin/env bash
# sign-in.sh: keeps the sign-in of the secret, which `pulumi-reseller token export` printed, for the rest of the job.
set -euo pipefail
printf '%s' "${RESELLER_SIGN_IN:?}" | npx pulumi-reseller token import
