#!/usr/bin/env bash
# run.sh: builds and runs the standard tests with g++: unit, scenario, process, threads, interop, and the checks of the
# sources. Installs missing packages.
#   run.sh NAME...          builds and runs the tests with names such as `unit.json` or `scenario.http.http_auth`
#   run.sh --all            also runs compile_fail, the sanitizers, the coverage, a newer Boost, each header alone, the
#                           reference, the examples, the load and the costs of compiling, and the ways to consume it
#   run.sh --rest           runs the part of --all that CI runs in addition to the standard tests; the coverage, a newer
#                           Boost, the headers alone and the ways to consume the library are parts of
#                           test/build/rotation
# Except with NAME, the CPU seconds of the steps are printed at the end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source test/support/prerequisites.sh
source test/support/steps.sh
source test/support/test_names.sh

presets=(dev)
rotation=()
names=()
for word in "$@"; do
    case $word in
    --all)
        presets=(dev asan tsan clang)
        rotation=(bare_system coverage headers installed_package source_folder without_tls newer_boost
            fuzzed_server load compile_budget)
        ;;
    --rest) presets=(asan tsan clang) ;;
    -*) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
    *) names+=("$word") ;;
    esac
done

packages=("${test_packages[@]}")
((${#presets[@]} == 1)) || packages+=(clang-16 libclang-rt-16-dev llvm-16 valgrind strace)
install_missing "${packages[@]}"

# 1: a test that is skipped because a prerequisite is missing is an error.
must_run=$([[ ${LINKSPAN_SKIP_NOTHING:-} ]] && echo 1 || echo 0)

# Prints the targets that a suite of this folder needs. The programs that it starts are dependencies of its target.
suite_targets() {
    case ${1%%.*} in
    unit) echo linkspan_unit linkspan_exploration ;;
    scenario) echo linkspan_scenario ;;
    threads) echo linkspan_threads ;;
    process) echo linkspan_process linkspan_cli_files ;;
    interop) echo linkspan_interop ;;
    frameworks) echo linkspan_googletest linkspan_catch2 linkspan_rapidcheck ;;
    conformance) echo conformance-client conformance-server ;;
    official) echo conformance-server linkspan-mock ;;
    compile_fail | layering | include_order | bodies | body_size | members | abi_namespace | no_real_time) ;;
    quotes | checklist | protocol_rules | machines | version | test_names) ;;
    example) echo example/all mock_servers/all ;;
    *) echo all ;;
    esac
}

run_named() {
    local targets=() name
    for name in "${names[@]}"; do
        targets+=($(suite_targets "$name"))
    done
    cmake --preset dev --log-level=WARNING >/dev/null
    require_tests build/dev "${names[@]}" || exit
    if ((${#targets[@]})); then
        cmake --build --preset dev --target "${targets[@]}"
    fi
    ctest --test-dir build/dev --tests-regex "$(test_pattern "${names[@]}")" --fixture-exclude-any messages \
        --output-on-failure --no-tests=error --progress -j2
}

if ((${#names[@]})); then
    run_named
    exit
fi

status=0
# The packages of npm are downloaded while the first preset is built.
bash test/interop/npm/install.sh &
installation=$!
wait_for_npm() {
    [[ -z $installation ]] || wait "$installation" || ((must_run == 0)) || status=1
    installation=
}
for preset in "${presets[@]}"; do
    echo "== $preset"
    if has_tests "$preset"; then
        echo "the rotation has run these tests"
        continue
    fi
    # Counters of an earlier build are not compatible; see test/build/rotation/coverage.sh.
    [[ $preset != asan ]] || rm -rf build/asan/profiles
    step "$preset: configure" cmake --preset "$preset" --log-level=WARNING >/dev/null &&
        step "$preset: build" cmake --build --preset "$preset" && wait_for_npm &&
        step "$preset: test" ctest --preset "$preset" --progress ||
        status=1
    # CTest does not print the reason of a skipped test.
    grep -h '^skipped:' "build/$preset/Testing/Temporary/LastTest.log" || true
done
wait_for_npm
# Counts the instructions of a call in the programs of the preset `release`, which example/run.sh has built in part.
count_instructions() {
    cmake --preset release --log-level=WARNING >/dev/null &&
        cmake --build --preset release --target linkspan-icount -- --quiet && bash test/bench/icount.sh
}

# Runs the examples, optimized as users build them.
run_examples() {
    cmake --preset release --log-level=WARNING >/dev/null &&
        cmake --build --preset release --target mock_servers/all example/all -- --quiet &&
        ctest --test-dir build/release --tests-regex '^example\.' --output-on-failure --no-tests=error --progress -j2
}

if [[ " ${presets[*]} " == *" clang "* ]]; then
    # Public declarations without documentation are errors.
    step "reference" bash doc/reference.sh || status=1
    step "examples" run_examples || status=1
    step "instructions" count_instructions || status=1
    [[ -d build/dev ]] || cmake --preset dev --log-level=WARNING >/dev/null
    step "compile_fail" ctest --test-dir build/dev --label-regex '^compile_fail$' --output-on-failure --no-tests=error \
        --progress -j2 || status=1
fi
for name in "${rotation[@]}"; do
    step "$name" bash test/build/rotation/run.sh "$name" || status=1
done
print_steps
exit $status
