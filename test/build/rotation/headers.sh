#!/usr/bin/env bash
# headers.sh [public|detail]: compiles each header of this kind alone, by clang, and links the units:
# test/CMakeLists.txt explains what this detects. Default: public.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source test/support/prerequisites.sh
group=${1:-public}
install_missing "${build_packages[@]}" clang-16

cmake --preset clang --log-level=WARNING >/dev/null
cmake --build --preset clang --target "linkspan_${group}_headers" -- --quiet
ctest --test-dir build/clang --tests-regex "^headers\\.$group$" --output-on-failure --no-tests=error
