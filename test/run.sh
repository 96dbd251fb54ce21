#!/usr/bin/env bash
# run.sh [PRESET...]: builds and tests the presets (asan clang dev), after installing what is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source test/prerequisites.sh

presets=("$@")
(($#)) || presets=(asan clang dev)

packages=("${build_packages[@]}")
[[ " ${presets[*]} " != *" clang "* ]] || packages+=(clang-16 libclang-rt-16-dev)
install_missing "${packages[@]}"

status=0
bash test/real/install.sh || status=1
for preset in "${presets[@]}"; do
    echo "== $preset"
    cmake --preset "$preset" --log-level=WARNING >/dev/null &&
        cmake --build --preset "$preset" -- --quiet &&
        ctest --preset "$preset" --progress ||
        status=1
    # CTest does not print why a test skipped itself.
    grep -h '^skipped:' "build/$preset/Testing/Temporary/LastTest.log" || true
done
exit $status
