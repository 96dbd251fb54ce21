# Sourced by the scripts that CI runs: counts the CPU seconds of their steps. With LINKSPAN_STEPS in the environment, the
# name of a file, the steps of several scripts go into one table.

steps_file=${LINKSPAN_STEPS:-$(mktemp)}
[[ -n ${LINKSPAN_STEPS:-} ]] || trap 'rm -f "$steps_file"' EXIT

# step NAME COMMAND...: runs the command, and notes the CPU seconds of its processes and the seconds that it took.
step() {
    local name=$1 status=0 TIMEFORMAT='%U %S %R' counted
    shift
    counted=$(mktemp)
    { time "$@" 2>&3 3>&- || status=$?; } 3>&2 2>"$counted" || status=$?
    printf '%s\t%s\t%s\n' "$name" "$(tail -n 1 "$counted")" "$status" >>"$steps_file"
    rm -f "$counted"
    return $status
}

# note_tests PRESET: notes that the tests of the preset have passed in a step of another name.
note_tests() { printf '%s: test (in that step)\t0 0 0\t0\n' "$1" >>"$steps_file"; }

# has_tests PRESET: whether note_tests was called for the preset.
has_tests() { grep -q "^$1: test (in that step)" "$steps_file"; }

# Prints the table, and the names of the tests that failed, which may be far above in the log.
print_steps() {
    awk -F'\t' '
        BEGIN { printf "%-28s %12s %10s\n", "step", "CPU seconds", "seconds" }
        { split($2, t, " "); cpu += t[1] + t[2]; real += t[3]; printf "%-28s %12.0f %10.0f%s\n", $1, t[1] + t[2], t[3],
                                             $3 ? "  failed with status " $3 : "" }
        END { printf "%-28s %12.0f %10.0f\n", "all", cpu, real }' "$steps_file"
    local list
    for list in build/*/Testing/Temporary/LastTestsFailed.log; do
        [[ ! -s $list ]] || sed "s|^[0-9]*:|failed in ${list%%/Testing*}: |" "$list"
    done
}
