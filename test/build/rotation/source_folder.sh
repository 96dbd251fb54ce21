#!/usr/bin/env bash
# The source folder inside another project: its targets linkspan, http and tls, header-only and with separately compiled
# bodies, by clang without optimization; and a static library with the bodies that another project installs and uses.
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

with=(-G Ninja -D CMAKE_CXX_COMPILER=clang++-16 "${launcher[@]}")
exported=test/build/consume/exported_library
cmake -S $exported -B "$folder/exported" -D LINKSPAN_ROOT="$PWD" -D CMAKE_INSTALL_PREFIX="$folder/root" "${with[@]}" \
    >/dev/null
cmake --build "$folder/exported" -j2 -- --quiet
cmake --install "$folder/exported" >/dev/null
cmake -S $exported -B "$folder/used" -D USES_INSTALLED=ON -D CMAKE_PREFIX_PATH="$folder/root" "${with[@]}" >/dev/null
cmake --build "$folder/used" -j2 -- --quiet
ctest --test-dir "$folder/used" --output-on-failure --no-tests=error
echo "source_folder: all its targets were built and run"
