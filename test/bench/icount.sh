#!/usr/bin/env bash
# icount.sh [FOLDER]: counts the instructions, allocations and system calls per call of the programs in FOLDER
# (default: build/release/bin), and compares them with icount.baseline. The layers whose name ends with `server` are
# servers, whose counts contain the system calls of their clients; the other layers are clients. Fails if a call has
# more than 1 % more instructions, more allocations, or 10 % more system calls; and if it has 2 % fewer instructions
# or fewer allocations, so that the baseline is lowered with each improvement. Warns of more than 0.3 % more
# instructions. Also fails if a call of 900 in flight has more than 1.1 times the instructions of a call of 64 in
# flight, with equally many calls in turn, or 1.15 times with 9 calls in turn, and if a call of a tool that 1,000
# servers offer has more than 1,500 instructions more than a call of one server. The counts hold for g++ 12 with -O2,
# independently of the load of the machine; those of another compiler are printed only.
#   --update   replaces the baselines by the counts
set -euo pipefail
shopt -s inherit_errexit
update=
[[ ${1:-} != --update ]] || { update=1 && shift; }
programs=$(realpath "${1:-$(dirname "${BASH_SOURCE[0]}")/../../build/release/bin}")
cd "$(dirname "${BASH_SOURCE[0]}")"
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT

# With the scheduling policy SCHED_IDLE on the processor of the client, the server runs only while the client waits:
# otherwise the number of system calls depends on the load of the machine. linkspan-icount starts its server so too.
mkfifo "$folder/stdin"
taskset -c 0 chrt --idle 0 "$programs/bench-echo-http" <"$folder/stdin" >"$folder/url" &
server=$!
exec {stdin}>"$folder/stdin" # the server ends with this script
for ((wait = 0; wait < 100; ++wait)); do
    [[ ! -s $folder/url ]] || break
    sleep 0.1
done
port=$(sed 's|.*:\([0-9]*\)/.*|\1|' "$folder/url")

# program LAYER: prints the path of the program for a layer.
program() {
    if [[ $1 == *server ]]; then echo "$programs/linkspan-icount-server"; else echo "$programs/linkspan-icount"; fi
}

# instructions LAYER WINDOW CALLS BYTES: prints the instructions and the allocations per call: the least of three runs
# for large messages, which the kernel delivers in parts of different sizes. Some sizes cost another copy of a message.
instructions() {
    local runs=1
    (($4 < 1048576)) || runs=3
    for ((run = 1; run <= runs; ++run)); do
        timeout 120 taskset -c 0 valgrind --tool=callgrind --collect-atstart=no --callgrind-out-file=/dev/null \
            "$(program "$1")" "$@" "$port" >"$folder/allocations" 2>"$folder/valgrind" ||
            { cat "$folder/valgrind" >&2 && return 1; }
        awk -v calls="$3" -v allocations="$(cat "$folder/allocations")" \
            '/Collected/ { printf "%.0f %s\n", $NF / calls, allocations }' "$folder/valgrind"
    done | sort -n | head -n 1
}

# system_calls LAYER WINDOW CALLS BYTES: prints the system calls per call, without those of the start.
system_calls() {
    local calls=$3 counted=()
    for ((times = 1; times <= 2; ++times)); do
        timeout 120 taskset -c 0 strace -c -o "$folder/strace" \
            "$(program "$1")" "$1" "$2" $((calls * times)) "$4" "$port" >/dev/null
        # The column of errors is empty if there was none.
        counted+=("$(awk '$NF == "total" { print $4 }' "$folder/strace")")
    done
    awk -v a="${counted[0]}" -v b="${counted[1]}" -v calls="$calls" 'BEGIN { printf "%.3f\n", (b - a) / calls }'
}

status=0
printf '%-28s %12s %12s %12s %12s %12s\n' case instructions baseline allocations baseline "system calls"
while read -r layer window calls bytes old_instructions old_allocations old_system_calls; do
    [[ $layer != \#* ]] || continue
    counted=$(instructions "$layer" "$window" "$calls" "$bytes")
    read -r now allocations <<<"$counted"
    [[ ${now:-0} -gt 0 && $allocations ]] || { echo "icount.sh: no count of '$layer $window $calls'" >&2 && exit 1; }
    system_calls=-
    if [[ $old_system_calls != - ]]; then
        system_calls=$(system_calls "$layer" "$window" "$calls" "$bytes")
        [[ $system_calls != 0.000 ]] || { echo "icount.sh: strace has counted no system calls" >&2 && exit 1; }
    fi
    # The allocations of large messages depend on the sizes of the parts in which the kernel delivers them.
    [[ $old_allocations != - ]] || allocations=-
    echo "$layer $window $calls $bytes $now $allocations $system_calls" >>"$folder/new"
    awk -v name="$layer $window $calls $bytes" -v now="$now" -v old="$old_instructions" -v allocations="$allocations" \
        -v old_allocations="$old_allocations" -v system_calls="$system_calls" -v old_system_calls="$old_system_calls" '
        BEGIN {
            ratio = now / old
            verdict = "ok"
            if (ratio > 1.01 || (allocations != "-" && allocations > old_allocations + 0.01))
                verdict = "above the baseline"
            else if (system_calls != "-" && system_calls > old_system_calls * 1.1)
                verdict = "more system calls"
            else if (ratio > 1.003)
                verdict = "ok, but more instructions"
            else if (ratio < 0.98 || (allocations != "-" && allocations < old_allocations - 0.01))
                verdict = "below: lower the baseline"
            printf "%-28s %12d %12d %12s %12s %6s %6s  %s\n", name, now, old, allocations, old_allocations,
                   system_calls, old_system_calls, verdict
            exit verdict !~ /^ok/ }' || status=1
done <icount.baseline
awk '{ count[$1 " " $2 " " $3] = $5 }
    END {
        ratio = count["connector 900 56250"] / count["connector 64 4000"]
        printf "a call of 900 in flight needs %.2f times the instructions of a call of 64 in flight, 1.1 allowed\n", ratio
        short = count["connector 900 8000"] / count["connector 64 4000"]
        printf "with 9 calls in turn each, it needs %.2f times the instructions, 1.15 allowed\n", short
        more = count["replicas_1000 1 20000"] - count["replicas_1 1 20000"]
        printf "a call of a tool of 1,000 servers needs %d instructions more than one of one server, 1,500 allowed\n", more
        exit ratio > 1.1 || short > 1.15 || more > 1500 }' "$folder/new" || status=1
if [[ $update ]]; then
    { grep '^#' icount.baseline && cat "$folder/new"; } >"$folder/baseline"
    cp "$folder/baseline" icount.baseline
    exit
fi
if ! readelf --string-dump=.comment "$programs/linkspan-icount" | grep 'GCC: .* 12\.' >/dev/null; then
    echo "icount.sh: the programs were not compiled by g++ 12: the counts are not compared"
    exit
fi
exit $status
