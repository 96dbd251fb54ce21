#!/usr/bin/env bash
# run.sh client|server PROGRAM: runs the scenarios of the official conformance suite that the program must pass. The
# drivers of the suite are in the directory "shared" beside this project, or in $LINKSPAN_SHARED; the suite itself is
# installed by test/interop/npm/install.sh. The test is skipped if a prerequisite is missing.
#
# The driver of clients starts the suite once per scenario. The suite is started once per protocol version for a server,
# because its start takes more time than a scenario.
set -euo pipefail
side=$1
program=$(realpath "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
shared=${LINKSPAN_SHARED:-$root/../shared}
npm=${LINKSPAN_NPM_DIR:-$root/build/npm}

skip() {
    echo "skipped: $1"
    [[ ${LINKSPAN_SKIP_NOTHING:-} ]] && exit 1
    exit 77
}

drivers=$shared/conformance
suite=$npm/node_modules/@modelcontextprotocol/conformance/dist/index.js
[[ -d $drivers ]] || skip "there is no $drivers: set LINKSPAN_SHARED"
[[ -f $suite ]] || skip "the conformance suite is not in $npm: run test/interop/npm/install.sh"
node=$(cat "$npm/node-path" 2>/dev/null || command -v node) || skip "there is no node"
(($("$node" -p 'parseInt(process.versions.node)') >= 20)) || skip "$node is older than 20"

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
export PATH=${node%/*}:$PATH CONF_DIR=$npm

case $side in
client)
    # Not implemented (doc/limits.md): OAuth.
    excluded='auth/'
    minimum=(5 8)
    required=()
    target=$program
    # One of the scenarios measures milliseconds.
    export JOBS=1
    ;;
server)
    # The suite skips the only check of this scenario for each server.
    excluded='tasks-status-notifications'
    minimum=(33 49)
    required=(json-schema-2020-12 server-sse-polling server-session-lifecycle http-header-validation
        http-custom-header-server-validation tasks-capability-negotiation tasks-dispatch-and-envelope
        tasks-lifecycle tasks-mrtr-composition tasks-mrtr-input tasks-request-headers tasks-request-state-removal
        tasks-required-task-error tasks-wire-fields)
    mkfifo "$results/stdin"
    "$program" --http 0 <"$results/stdin" >"$results/url" &
    exec {stdin}>"$results/stdin" # the server ends with this script
    for ((wait = 0; wait < 100; ++wait)); do
        [[ ! -s $results/url ]] || break
        sleep 0.1
    done
    target=$(head -n 1 "$results/url")
    ;;
esac

# Each function writes a line per scenario to FILE: the name, PASS or another verdict, and the numbers of successful
# checks, failures and warnings.
run_client() { # run_client VERSION FILE
    # The status of the driver ignores the scenarios that are not scored.
    REV=$1 ONLY="^(?!$excluded)" OUT=$results/$1 TSV=$2 bash "$drivers/run-client.sh" "$target" || true
}
run_server() { # run_server VERSION FILE
    "$node" --import "$drivers/node20-shim.mjs" "$suite" server --url "$target" --requirements "$1" \
        -o "$results/$1" || failed+=("$1: status $? of the suite")
    "$node" "$here/verdicts.mjs" "$results/$1" "$excluded" >"$2"
}

# run VERSION MINIMUM: each scenario of this side for this protocol version, except for the excluded ones, must pass
# without a warning. At least MINIMUM scenarios are required, so that a suite that lists nothing does not pass.
failed=()
run() {
    local version=$1 minimum=$2 scenario verdict ok bad warnings rest count=0
    echo "== $version, without $excluded"
    "run_$side" "$version" "$results/$version.tsv"
    while IFS=$'\t' read -r scenario verdict ok bad warnings rest; do
        count=$((count + 1))
        [[ $verdict == PASS ]] || failed+=("$version/$scenario: $verdict")
        [[ $warnings == 0 ]] || failed+=("$version/$scenario: $warnings warnings")
    done < <(grep -P '^\S+\t(PASS|FAIL|NONE|XFAIL)\t' "$results/$version.tsv")
    ((count >= minimum)) || failed+=("$version: $count scenarios, expected at least $minimum")
}

run 2025-11-25 "${minimum[0]}"
run 2026-07-28 "${minimum[1]}"
# Scenarios that the suite does not count in its score must have run in one of the versions.
for scenario in "${required[@]}"; do
    grep -qP "^\S*$scenario\tPASS\t" "$results"/*.tsv || failed+=("$scenario did not run")
done
((${#failed[@]} == 0)) || { printf 'not passed: %s\n' "${failed[@]}" >&2; exit 1; }
