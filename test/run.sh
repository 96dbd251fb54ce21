#!/usr/bin/env bash
# run.sh [PRESET...]: builds and tests the presets, after installing what is missing. Without arguments: asan with all
# that runs the library, which also counts the lines that ran, tsan with what threads share, newer-boost with the unit
# tests, by clang too, and clang with what users do: every header, the examples, the ways to consume it. The preset dev
# has everything.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source test/support/prerequisites.sh

presets=("$@")
(($#)) || presets=(asan tsan newer-boost clang)

packages=("${build_packages[@]}")
[[ ! " ${presets[*]} " =~ \ (clang|newer-boost)\  ]] || packages+=(clang-16 libclang-rt-16-dev)
install_missing "${packages[@]}"

# Whether it is an error that something cannot be had, and so is skipped.
must_run=$([[ ${LINKSPAN_SKIP_NOTHING:-} ]] && echo 1 || echo 0)

status=0
bash test/interop/npm/install.sh || ((must_run == 0)) || status=1
for preset in "${presets[@]}"; do
    echo "== $preset"
    if [[ $preset == newer-boost ]]; then
        ended=0
        bash test/build/newer_boost.sh build/boost-1.88 || ended=$?
        ((ended == 0 || ended == 77)) || status=1
        ((ended != 77 || must_run == 0)) || status=1
        ((ended == 0)) || continue
    fi
    # Counts of an earlier run, or of code that has changed since, are no coverage of this one.
    [[ ! -d build/$preset ]] || find "build/$preset" -name '*.gcda' -delete
    cmake --preset "$preset" --log-level=WARNING >/dev/null &&
        cmake --build --preset "$preset" -- --quiet &&
        ctest --preset "$preset" --progress ||
        status=1
    # CTest does not print why a test skipped itself.
    grep -h '^skipped:' "build/$preset/Testing/Temporary/LastTest.log" || true
    [[ $preset != asan ]] || bash test/build/coverage.sh build/asan 85 || status=1
done
exit $status
