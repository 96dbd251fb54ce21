#!/usr/bin/env bash
# server_share.sh [FOLDER]: compares `bench-server` and `linkspan-mock` of FOLDER (default: build/release/bin) with the
# minimal echo servers of the benchmark kit in the directory "shared" beside this project, or in $LINKSPAN_SHARED: calls
# per second over stdio with 64 calls in flight, and for `bench-server` also over HTTP, and the median time of a call over
# HTTP, one call at a time. Client and server are pinned to one processor. Fails if a ratio misses its target. Exits with
# 77 and a message without the kit.
# Each run measures the echo server and then the others for a short time, so that all have the same load of the machine;
# the median of the ratios of 11 runs decides.
set -euo pipefail
folder=$(realpath "${1:-$(dirname "${BASH_SOURCE[0]}")/../../build/release/bin}")
shared=${LINKSPAN_SHARED:-$(dirname "${BASH_SOURCE[0]}")/../../../shared}
if [[ ! -d $shared/bench ]]; then
    echo "skipped: server_share: no benchmark kit in $shared/bench"
    exit 77
fi
kit=$(realpath "$shared")/bench
runs=11
cpu=$(taskset -cp $$ | grep -o '[0-9]*$') # the last processor that this process may use
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
cc -O2 -o "$work/echo" "$kit/echo_stdio.c"
cc -O2 -o "$work/echo_http" "$kit/echo_http.c"
g++ -O2 -std=c++20 -DWITH_JSON=0 -DWITH_META=1 -o "$work/client" "$kit/floor_raw.cpp" -pthread

calls_per_second() {
    taskset -c "$cpu" timeout 100 "$work/client" --server "$1" --only thr --thr 100000 --windows 64 |
        sed 's/.*"thr64_per_s":\([0-9]*\).*/\1/'
}

# http_load NAME COMMAND...: starts an HTTP server, which prints its port or its URL, and writes its two figures.
http_load() {
    local name=$1 port
    shift
    rm -f "$work/$name.out" # with the port of the last run
    taskset -c "$cpu" timeout 100 "$@" >"$work/$name.out" &
    local server=$!
    until port=$(grep -soE '[0-9]+(/mcp)?$' "$work/$name.out"); do
        kill -0 "$server" 2>/dev/null || { echo "server_share: '$*' ended before it printed a port" >&2 && exit 1; }
        sleep 0.05
    done
    taskset -c "$cpu" timeout 100 "$folder/bench-http-load" "${port%/mcp}" 10000 >"$work/$name.figures"
    kill "$server"
    wait "$server" 2>/dev/null || true
    cut -d' ' -f1 "$work/$name.figures" >>"$work/$name.times"
    cut -d' ' -f2 "$work/$name.figures" >>"$work/$name.rates"
}
echo '{"mock":1,"tools":[{"name":"echo","reply":{"text":"${params.arguments.text}"}}]}' >"$work/echo.json"
printf '#!/bin/sh\nexec "%s/linkspan-mock" --script "%s/echo.json"\n' "$folder" "$work" >"$work/mock"
chmod +x "$work/mock"
for ((run = 0; run < runs; ++run)); do
    calls_per_second "$work/mock" >>"$work/stdio_mock"
    calls_per_second "$work/echo" >>"$work/stdio_echo"
    calls_per_second "$folder/bench-server" >>"$work/stdio_server"
    http_load echo "$work/echo_http" 0
    http_load server "$folder/bench-server" --http
done

median() { sort -g "$1" | sed -n "$(((runs + 1) / 2))p"; }

# compare TITLE UNIT ECHO_FILE SERVER_FILE min|max TARGET [SERVER]
status=0
compare() {
    paste "$3" "$4" | awk '{ print $2 / $1 }' >"$work/ratios"
    awk -v title="$1" -v unit="$2" -v echo="$(median "$3")" -v server="$(median "$4")" \
        -v ratio="$(median "$work/ratios")" -v which="$5" -v target="$6" -v name="${7:-bench-server}" 'BEGIN {
            surplus = which == "min" ? ratio / target - 1 : 1 - ratio / target
            verdict = surplus >= 0 ? "met" : "MISSED"
            printf "%s: echo server %.6g %s; %s %.6g %s; ratio %.3f, %s %s: %s\n", title, echo, unit,
                   name, server, unit, ratio, which, target, verdict
            exit surplus < 0 }' || status=1
}
compare "stdio, 64 in flight" "calls/s" "$work/stdio_echo" "$work/stdio_server" min 0.5
compare "HTTP, 64 in flight" "calls/s" "$work/echo.rates" "$work/server.rates" min 0.6
compare "HTTP, one at a time" "us" "$work/echo.times" "$work/server.times" max 1.3
compare "linkspan-mock, 64 in flight" "calls/s" "$work/stdio_echo" "$work/stdio_mock" min 0.4 linkspan-mock
exit $status
