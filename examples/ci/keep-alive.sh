#!/usr/bin/env bash
# keep-alive.sh ENVIRONMENT: uses the refresh token, which ends after 90 days without use, and keeps the newest one.
set -euo pipefail
save() { gh secret set RESELLER_SIGN_IN --env "$1"; }

# A server may give a new refresh token for the old one. Where saving fails, that shows before the old one is used.
printf '%s' "${RESELLER_SIGN_IN:?}" | save "$1"
"$(dirname "$0")/sign-in.sh"
npx pulumi-reseller token refresh
npx pulumi-reseller token export | save "$1"
