#!/usr/bin/env bash
# run.sh CLIENT: runs the scenarios of the official conformance suite that CLIENT must pass, one at a time. The driver of
# the suite is in the folder "shared" beside this project, or in $LINKSPAN_SHARED; the suite itself is installed by
# test/real/install.sh. What is missing makes it a skipped test.
set -euo pipefail
client=$(realpath "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
shared=${LINKSPAN_SHARED:-$root/../shared}
npm=${LINKSPAN_NPM_DIR:-$root/build/npm}

skip() {
    echo "skipped: $1"
    [[ ${LINKSPAN_SKIP_NOTHING:-} ]] && exit 1
    exit 77
}

driver=$shared/conformance/run-client.sh
[[ -f $driver ]] || skip "there is no $driver: set LINKSPAN_SHARED"
[[ -d $npm/node_modules/@modelcontextprotocol/conformance ]] ||
    skip "the conformance suite is not in $npm: run test/real/install.sh"
node=$(cat "$npm/node-path" 2>/dev/null || command -v node) || skip "there is no node"
(($("$node" -p 'parseInt(process.versions.node)') >= 20)) || skip "$node is older than 20"

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
export PATH=${node%/*}:$PATH CONF_DIR=$npm

# run REVISION SCENARIO...: each of them must be a line "PASS".
run() {
    local revision=$1 scenario
    shift
    local names
    names=$(IFS='|' && echo "$*")
    echo "== $revision"
    # Its status leaves out the scenarios that are not scored.
    REV=$revision ONLY="^($names)\$" OUT=$results/$revision TSV=$results/$revision.tsv bash "$driver" "$client" || true
    for scenario in "$@"; do
        grep -q "^$scenario"$'\tPASS\t' "$results/$revision.tsv" || failed+=("$revision/$scenario")
    done
}

failed=()
run 2025-11-25 initialize tools_call elicitation-sep1034-client-defaults sse-retry
run 2026-07-28 tools_call request-metadata sep-2322-client-request-state http-standard-headers http-custom-headers \
    http-invalid-tool-headers json-schema-ref-no-deref json-schema-2020-12-preservation
((${#failed[@]} == 0)) || { echo "not passed: ${failed[*]}" >&2; exit 1; }
