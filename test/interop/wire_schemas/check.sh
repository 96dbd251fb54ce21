#!/usr/bin/env bash
# check.sh LOG [wrong]: runs check.mjs over the messages in LOG, with the schemas in LINKSPAN_SHARED (or ../shared
# beside the source directory) and the validator and node of test/interop/npm/install.sh.
here=$(dirname "${BASH_SOURCE[0]}")
npm=${LINKSPAN_NPM_DIR:-$here/../../../build/npm}
shared=${LINKSPAN_SHARED:-$here/../../../../shared}
if ! node=$(cat "$npm/node-path" 2>/dev/null || command -v node); then
    echo "skipped: no node: run test/interop/npm/install.sh"
    [[ -z ${LINKSPAN_SKIP_NOTHING:-} ]] && exit 77
    exit 1
fi
exec "$node" "$here/check.mjs" "$1" "$shared" "$npm" "${@:2}"
