#!/usr/bin/env bash
# nightly.sh runs each seed with the arguments of the tests, until a program fails. The programs of this test fail with
# one seed.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect FIRST VARIABLE=VALUE TEXT: the script begins with the seed FIRST, fails with the variable, and has run TEXT.
expect() {
    cat >"$folder/linkspan_scenario" <<END
#!/bin/sh
echo "\${LINKSPAN_CHAOS_FIRST_SEED:-} \${LINKSPAN_CHAOS_SEEDS:-} \${LINKSPAN_SEED:-} \$*" >>"$folder/runs"
[ "\${${2%=*}:-}" != "${2#*=}" ] || { echo "an invariant does not hold"; exit 201; }
END
    chmod +x "$folder/linkspan_scenario"
    cp "$folder/linkspan_scenario" "$folder/linkspan_process"
    : >"$folder/runs"
    local status=0
    LINKSPAN_NIGHTLY_SCENARIOS=2 timeout 60 bash "$here/nightly.sh" "$folder" "$1" >"$folder/out" 2>&1 ||
        status=$?
    ((status == 1)) && grep -q "an invariant does not hold" "$folder/out" && grep -q "failed with .*$2" "$folder/out" &&
        diff <(printf '%s\n' "${@:3}") "$folder/runs" || { cat "$folder/out" >&2; exit 1; }
}

simulation=--run_test=simulation_test/every_scenario_satisfies_invariants
chaos=("7 1  --run_test=chaos_suite_test" "7 1  --run_test=faulty_requests_test/requests_with_seeded_*"
    "7 1  --run_test=faulty_http_requests_test/requests_with_seeded_*" "7 1  --run_test=fault_process_seeds_test")
expect 7 LINKSPAN_CHAOS_FIRST_SEED=8 "${chaos[@]}" "  10014 $simulation/_6" "  10015 $simulation/_7" "${chaos[0]/7/8}"
expect 7 LINKSPAN_SEED=10014 "${chaos[@]}" "  10014 $simulation/_6"
