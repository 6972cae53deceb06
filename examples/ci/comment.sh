#!/usr/bin/env bash
# comment.sh NUMBER FILE: makes the file the one comment of this account on the pull request.
set -euo pipefail
gh pr comment "$1" --body-file "$2" --edit-last --create-if-none
