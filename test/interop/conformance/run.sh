#!/usr/bin/env bash
# run.sh CLIENT: runs the scenarios of the official conformance suite that CLIENT must pass, one at a time. The driver
# of the suite is in the directory "shared" beside this project, or in $LINKSPAN_SHARED; the suite itself is installed
# by test/interop/npm/install.sh. The test is skipped if a prerequisite is missing.
set -euo pipefail
client=$(realpath "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
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
    skip "the conformance suite is not in $npm: run test/interop/npm/install.sh"
node=$(cat "$npm/node-path" 2>/dev/null || command -v node) || skip "there is no node"
(($("$node" -p 'parseInt(process.versions.node)') >= 20)) || skip "$node is older than 20"

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
export PATH=${node%/*}:$PATH CONF_DIR=$npm

# Not implemented (doc/limits.md): OAuth.
excluded='auth/'

# run VERSION MINIMUM: each client scenario of the suite for this protocol version, except for the excluded ones, must
# print a line "PASS". At least MINIMUM lines are required, so that a suite that lists nothing does not pass.
failed=()
run() {
    local version=$1 minimum=$2 scenario verdict rest count=0
    echo "== $version, without $excluded*"
    # The status of the driver ignores the scenarios that are not scored.
    REV=$version ONLY="^(?!$excluded)" OUT=$results/$version TSV=$results/$version.tsv bash "$driver" "$client" || true
    while IFS=$'\t' read -r scenario verdict rest; do
        count=$((count + 1))
        [[ $verdict == PASS ]] || failed+=("$version/$scenario: $verdict")
    done < <(grep -P '^\S+\t(PASS|FAIL|NONE|XFAIL)\t' "$results/$version.tsv")
    ((count >= minimum)) || failed+=("$version: $count scenarios, expected at least $minimum")
}

run 2025-11-25 5
run 2026-07-28 8
((${#failed[@]} == 0)) || { printf 'not passed: %s\n' "${failed[@]}" >&2; exit 1; }
