#!/usr/bin/env bash
# Builds the unit and process tests with the headers of Boost 1.88, by clang, and runs them. Exits with 77 and a message
# if these headers are not available.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source test/support/prerequisites.sh
install_missing "${build_packages[@]}" clang-16

bash test/build/newer_boost.sh build/boost-1.88
cmake --preset newer-boost --log-level=WARNING >/dev/null
cmake --build --preset newer-boost -- --quiet
ctest --preset newer-boost --progress
