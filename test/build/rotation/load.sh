#!/usr/bin/env bash
# Measures the endurance and the speed of a server in the programs of the preset `release`, and compares each figure
# with its bound: no memory remains allocated after a million requests, 1,000 sessions and 10,000 streams; 1,000
# listeners receive the notification of a change within 20 ms; and the calls per second and the time of a call are
# compared with those of minimal echo servers (test/bench/server_share.sh). Exits with 77 and a message if the echo
# servers are not available.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source test/support/prerequisites.sh
install_missing "${build_packages[@]}"

cmake --preset release --log-level=WARNING >/dev/null
cmake --build --preset release --target bench-sessions bench-server bench-http-load -- --quiet
status=0
build/release/bin/bench-sessions 1000000 1000 10000 20 || status=$?
share=0
bash test/bench/server_share.sh || share=$?
((status != 0)) || status=$share
exit $status
