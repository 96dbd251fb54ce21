#!/usr/bin/env bash
# tour.sh: runs the first command of the README and compares its output with example/tour.txt, in which durations and
# process IDs are N. Without the npm servers the output differs; the comparison is then skipped with a message.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
output=$(mktemp)
trap 'rm -f "$output"' EXIT

status=0
bash example/run.sh >"$output" || status=$?
cat "$output"
if ((status != 0)); then
    echo "example/run.sh: failed with status $status" >&2
    exit "$status"
fi
if [[ ! -d ${LINKSPAN_NPM_DIR:-build/npm}/node_modules/@modelcontextprotocol/server-everything ]]; then
    echo "skipped: the comparison of the tour: the servers from npm are not installed"
    [[ -z ${LINKSPAN_SKIP_NOTHING:-} ]]
    exit
fi
sed -n '/^calculator_a /,$p' "$output" | sed -E 's/ [0-9]+ ms/ N ms/; s/pid [0-9]+/pid N/' |
    diff -u example/tour.txt - || { echo "example/run.sh: other output than example/tour.txt" >&2; exit 1; }
echo "example/run.sh: output as in example/tour.txt"
