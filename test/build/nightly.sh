#!/usr/bin/env bash
# nightly.sh FOLDER [FIRST_SEED]: runs the chaos suite, faulty requests of a server, faulty processes, and scenarios of
# the simulation with one seed after the other, until a failure, which ends the script with status 1, or a signal.
# FOLDER has the programs linkspan_scenario, linkspan_process and linkspan-mock. The chaos suite of the build has the
# seed 1, and its simulation those below 10,000: the script begins behind these.
set -euo pipefail

folder=$1 first=${2:-2} scenarios=${LINKSPAN_NIGHTLY_SCENARIOS:-200} # of the simulation, per seed of the chaos suite
# The program of the cases, and their names.
chaos_cases=(scenario:chaos_suite_test "scenario:faulty_requests_test/requests_with_seeded_*"
    "scenario:faulty_http_requests_test/requests_with_seeded_*" process:fault_process_seeds_test)
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
    for cases in "${chaos_cases[@]}"; do
        run LINKSPAN_CHAOS_FIRST_SEED=$seed LINKSPAN_CHAOS_SEEDS=1 LINKSPAN_BIN_DIR="$folder" \
            "$folder/linkspan_${cases%%:*}" "--run_test=${cases#*:}"
    done
    for ((i = 10000 + seed * scenarios; i != 10000 + (seed + 1) * scenarios; ++i)); do
        run LINKSPAN_SEED=$i "$folder/linkspan_scenario" \
            "--run_test=simulation_test/every_scenario_satisfies_invariants/_$((i % 8))"
    done
    echo "nightly: passed with seed $seed"
done
