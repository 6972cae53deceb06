#!/usr/bin/env bash
# keep-alive.sh ENVIRONMENT: uses the refresh token, which expires after 90 days without use, and keeps the newest one.
set -euo pipefail
environment=$1
token=${RESELLER_REFRESH_TOKEN:?}
unset RESELLER_REFRESH_TOKEN

save() { gh secret set RESELLER_REFRESH_TOKEN --env "$environment"; }

# A server may take a new refresh token for the old one. Where saving fails, that shows before the old one is used.
printf '%s' "$token" | save
printf '%s' "$token" | npx pulumi-reseller token import
npx pulumi-reseller token refresh
npx pulumi-reseller token export | save
