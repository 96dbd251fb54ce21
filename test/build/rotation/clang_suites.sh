#!/usr/bin/env bash
# The scenario suites in virtual time and the suites with real processes, compiled by clang.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source test/support/prerequisites.sh
install_missing "${build_packages[@]}" clang-16

cmake --preset clang --log-level=WARNING >/dev/null
cmake --build --preset clang --target linkspan_scenario linkspan_process mock_servers/all linkspan_cli linkspan_bindgen \
    -- --quiet
ctest --test-dir build/clang --label-regex '^(scenario|process)$' --output-on-failure --no-tests=error --progress -j2
