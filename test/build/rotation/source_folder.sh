#!/usr/bin/env bash
# The source folder inside another project: its targets linkspan, http and tls, header-only and with separately compiled
# bodies, by clang without optimization.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source test/support/prerequisites.sh
install_missing "${build_packages[@]}" clang-16

folder=$PWD/build/source_folder
rm -rf "$folder"
launcher=()
! has ccache || launcher=(-D CMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -S test/build/consume -B "$folder" -G Ninja -D LINKSPAN_ROOT="$PWD" -D CMAKE_CXX_COMPILER=clang++-16 \
    -D CONSUMER_COMPONENTS="http;tls" "${launcher[@]}" >/dev/null
cmake --build "$folder" -j2 -- --quiet
ctest --test-dir "$folder" --output-on-failure --no-tests=error
echo "source_folder: all its targets were built and run"
