#!/usr/bin/env bash
# nightly.sh PROGRAM [FIRST_SEED]: runs the chaos suite, faulty requests of a server and scenarios of the simulation with
# one seed after the other, until a failure, which ends the script with status 1, or a signal. PROGRAM is
# linkspan_scenario. The tests of the build have the seeds up to 20, and those of the simulation below 10,000: the script
# begins behind these.
set -euo pipefail

program=$1 first=${2:-21} scenarios=${LINKSPAN_NIGHTLY_SCENARIOS:-200} # of the simulation, per seed of the chaos suite
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# run COMMAND: runs a command with variables. Its output is written if it fails.
run() {
    env "$@" >"$output" 2>&1 && return
    cat "$output"
    echo "nightly: failed with seed $seed: $*" >&2
    exit 1
}

for ((seed = first; ; ++seed)); do
    run LINKSPAN_CHAOS_FIRST_SEED=$seed LINKSPAN_CHAOS_SEEDS=1 "$program" \
        --run_test=chaos_suite_test,faulty_requests_test
    for ((i = 10000 + seed * scenarios; i != 10000 + (seed + 1) * scenarios; ++i)); do
        run LINKSPAN_SEED=$i "$program" "--run_test=simulation_test/every_scenario_satisfies_invariants/_$((i % 8))"
    done
    echo "nightly: passed with seed $seed"
done
