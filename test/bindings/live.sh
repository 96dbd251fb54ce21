#!/usr/bin/env bash
# live.sh BINDGEN LIBRARIES COMPILER FLAG...: tests all steps from a running server to a typed call. Generates a header
# from the tools of the real filesystem server, compiles live.cpp with it, and runs the program. The test is skipped if
# a prerequisite is missing.
set -euo pipefail
bindgen=$1
IFS=, read -ra libraries <<<"$2"
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
npm=${LINKSPAN_NPM_DIR:-}
server=$npm/node_modules/.bin/mcp-server-filesystem
if [[ ! -e $server || ! -e $npm/node-path ]]; then
    echo "skipped: $server is not installed: run test/interop/npm/install.sh"
    [[ ${LINKSPAN_SKIP_NOTHING:-} ]] && exit 1
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/folder"
printf 'first\nsecond\n' >"$work/folder/a.txt"
cat >"$work/servers.json" <<END
{"mcpServers": {"files": {"command": "$(cat "$npm/node-path")", "args": ["$server", "$work/folder"]}}}
END
options=(--config "$work/servers.json" --server files --lock "$work/files.lock.json")
"$bindgen" "${options[@]}" --out "$work/files_tools.hpp" --namespace files
"$bindgen" "${options[@]}" --out "$work/files_tools.hpp" --namespace files --check
"$@" -I"$here/../../include" -I"$here" -I"$here/.." -I"$work" "$here/live.cpp" "${libraries[@]}" -lboost_json -lboost_url -lssl -lcrypto \
    -o "$work/live"
"$work/live" "$work/folder"
