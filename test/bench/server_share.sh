#!/usr/bin/env bash
# server_share.sh [FOLDER]: compares `bench-server` of FOLDER (default: build/release/bin) with the minimal echo servers of
# the benchmark kit in the directory "shared" beside this project, or in $LINKSPAN_SHARED: calls per second over stdio
# and over HTTP with 64 calls in flight, and the median time of a call over HTTP, one call at a time. Client and server
# are pinned to one processor. Prints the medians of five runs, and their ratios.
# The figures depend on the load of the machine; CI does not run the script.
set -euo pipefail
folder=$(realpath "${1:-$(dirname "${BASH_SOURCE[0]}")/../../build/release/bin}")
kit=$(realpath "${LINKSPAN_SHARED:-$(dirname "${BASH_SOURCE[0]}")/../../../shared}")/bench
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
cc -O2 -o "$work/echo" "$kit/echo_stdio.c"
cc -O2 -o "$work/echo_http" "$kit/echo_http.c"
g++ -O2 -std=c++20 -DWITH_JSON=0 -DWITH_META=1 -o "$work/client" "$kit/floor_raw.cpp" -pthread

calls_per_second() {
    taskset -c 1 timeout 100 "$work/client" --server "$1" --only thr --thr 200000 --windows 64 |
        sed 's/.*"thr64_per_s":\([0-9]*\).*/\1/'
}

# http_load NAME COMMAND...: starts an HTTP server, which prints its port or its URL, and writes its two figures.
http_load() {
    local name=$1 port
    shift
    taskset -c 1 timeout 100 "$@" >"$work/$name.out" &
    until port=$(grep -oE '[0-9]+(/mcp)?$' "$work/$name.out"); do sleep 0.05; done
    taskset -c 1 timeout 100 "$folder/bench-http-load" "${port%/mcp}" >"$work/$name.figures"
    kill %%
    cut -d' ' -f1 "$work/$name.figures" >>"$work/$name.times"
    cut -d' ' -f2 "$work/$name.figures" >>"$work/$name.rates"
}
for ((run = 0; run < 5; ++run)); do
    calls_per_second "$work/echo" >>"$work/stdio_echo"
    calls_per_second "$folder/bench-server" >>"$work/stdio_server"
    http_load echo "$work/echo_http" 0
    http_load server "$folder/bench-server" --http
done

# compare TITLE UNIT ECHO_FILE SERVER_FILE
compare() {
    awk -v title="$1" -v unit="$2" -v echo="$(sort -g "$3" | sed -n 3p)" -v server="$(sort -g "$4" | sed -n 3p)" \
        'BEGIN { printf "%s: echo server %.6g %s; bench-server %.6g %s; ratio %.2f\n", title, echo, unit, server, unit,
                        server / echo }'
}
compare "stdio, 64 in flight" "calls/s" "$work/stdio_echo" "$work/stdio_server"
compare "HTTP, 64 in flight" "calls/s" "$work/echo.rates" "$work/server.rates"
compare "HTTP, one at a time" "us" "$work/echo.times" "$work/server.times"
