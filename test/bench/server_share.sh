#!/usr/bin/env bash
# server_share.sh [FOLDER]: compares `bench-server` of FOLDER (default: build/release/bin) with the minimal echo server of
# the benchmark kit in the directory "shared" beside this project, or in $LINKSPAN_SHARED: calls per second over stdio
# with 64 calls in flight, client and server pinned to one processor, and their ratio. Prints the medians of five runs.
# The figures depend on the load of the machine; CI does not run the script.
set -euo pipefail
folder=$(realpath "${1:-$(dirname "${BASH_SOURCE[0]}")/../../build/release/bin}")
kit=$(realpath "${LINKSPAN_SHARED:-$(dirname "${BASH_SOURCE[0]}")/../../../shared}")/bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -o "$work/echo" "$kit/echo_stdio.c"
g++ -O2 -std=c++20 -DWITH_JSON=0 -DWITH_META=1 -o "$work/client" "$kit/floor_raw.cpp" -pthread

calls_per_second() {
    taskset -c 1 timeout 100 "$work/client" --server "$1" --only thr --thr 200000 --windows 64 |
        sed 's/.*"thr64_per_s":\([0-9]*\).*/\1/'
}
for ((run = 0; run < 5; ++run)); do
    calls_per_second "$work/echo" >>"$work/echo.txt"
    calls_per_second "$folder/bench-server" >>"$work/server.txt"
done
median() { sort -n "$1" | sed -n 3p; }
awk -v echo="$(median "$work/echo.txt")" -v server="$(median "$work/server.txt")" \
    'BEGIN { printf "echo server: %d calls/s; bench-server: %d calls/s; ratio %.2f\n", echo, server, server / echo }'
