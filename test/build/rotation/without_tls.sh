#!/usr/bin/env bash
# Programs and process tests without OpenSSL: LINKSPAN_WITH_TLS=OFF.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source test/support/prerequisites.sh
install_missing "${test_packages[@]}"

cmake --preset dev -B build/without-tls -D LINKSPAN_WITH_TLS=OFF --log-level=WARNING >/dev/null
cmake --build build/without-tls -j2 --target linkspan_process mock_servers/all linkspan_cli linkspan_bindgen -- --quiet
if ldd build/without-tls/bin/linkspan | grep -q libssl; then
    echo "linkspan is linked with OpenSSL although LINKSPAN_WITH_TLS is off" >&2
    exit 1
fi
# Half of the suites send too few messages for the check of the complete log.
ctest --test-dir build/without-tls --label-regex '^process$' --fixture-exclude-cleanup messages --output-on-failure \
    --no-tests=error --progress -j2
