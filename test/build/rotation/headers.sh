#!/usr/bin/env bash
# Compiles each header alone, by clang, and links the units: test/CMakeLists.txt explains what this detects. Writes the
# reference of the public headers, without a warning of Doxygen.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source test/support/prerequisites.sh
install_missing "${build_packages[@]}" clang-16

bash doc/reference.sh
cmake --preset clang --log-level=WARNING >/dev/null
cmake --build --preset clang --target linkspan_headers -- --quiet
ctest --test-dir build/clang --tests-regex '^headers$' --output-on-failure --no-tests=error
