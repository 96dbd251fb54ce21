#!/usr/bin/env bash
# run.sh SCRIPT PROGRAM: runs SCRIPT.mjs of this folder against PROGRAM, with the packages and the node of
# test/interop/npm/install.sh.
here=$(dirname "${BASH_SOURCE[0]}")
npm=$(realpath -m "${LINKSPAN_NPM_DIR:-$here/../../../build/npm}")
if ! node=$(cat "$npm/node-path" 2>/dev/null || command -v node); then
    echo "skipped: no node: run test/interop/npm/install.sh"
    [[ -z ${LINKSPAN_SKIP_NOTHING:-} ]] && exit 77
    exit 1
fi
export PATH=${node%/*}:$PATH
exec "$node" "$here/$1.mjs" "$npm" "${@:2}"
