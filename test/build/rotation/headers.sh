#!/usr/bin/env bash
# headers.sh [PART...]: compiles each header of these parts alone, by clang, and links the units: test/CMakeLists.txt
# explains what this detects. Default: all parts, which take four times as long as one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source test/support/prerequisites.sh
parts=("$@")
((${#parts[@]})) || parts=(public_1 public_2 detail_1 detail_2)
install_missing "${build_packages[@]}" clang-16

cmake --preset clang --log-level=WARNING >/dev/null
cmake --build --preset clang --target "${parts[@]/#/linkspan_headers_}" -- --quiet
pattern=$(IFS='|' && echo "^headers\\.(${parts[*]})\$")
ctest --test-dir build/clang --tests-regex "$pattern" --output-on-failure --no-tests=error
