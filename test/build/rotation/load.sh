#!/usr/bin/env bash
# Measures endurance, speed and memory with many clients and many servers in the programs of the preset `release`, and
# compares each figure with its bound. A server: no memory remains allocated after a million requests, 1,000 sessions
# and 10,000 streams; 1,000 listeners receive the notification of a change within 20 ms; and the calls per second and
# the time of a call are compared with those of minimal echo servers (test/bench/server_share.sh). Connectors with
# 100,000 tools, of 10 to 1,000 servers: the longest handler of a publication needs at most 5 ms of processor time, an
# idle server at most 12 KiB and an outstanding call at most 2 KiB. 1,000 tests with 150 virtual seconds take at most
# 0.2 s. The median of a call over standard streams is at most 1 ms, and JSON of 1 MB with many objects is read, and
# written, at 0.05 GB/s or more: 0.2 ms per 10 KB. Exits with 77 and a message if the echo servers are not available and
# nothing else fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source test/support/prerequisites.sh
install_missing "${build_packages[@]}"

cmake --preset release --log-level=WARNING >/dev/null
cmake --build --preset release --target bench-catalog bench-sessions bench-server bench-http-load \
    bench-test-kit linkspan-bench linkspan-bench-json bench-echo linkspan-mock -- --quiet
status=0
build/release/bin/bench-sessions 1000000 1000 10000 20 || status=$?
build/release/bin/bench-catalog 1000 100 1 5 || status=$? # each tool on one server
build/release/bin/bench-catalog 1000 100 1000 5 || status=$? # each tool on all servers
build/release/bin/bench-catalog 20 5000 1 5 || status=$? # large lists
build/release/bin/bench-catalog 10 10000 1 5 || status=$?
build/release/bin/bench-test-kit 1000 200000 0.2 || status=$?
median=$(build/release/bin/linkspan-bench --only lat --lat 5000 | sed 's/.*"lat_p50_us":\([0-9.]*\).*/\1/') || status=$?
echo "median of a call over standard streams: $median us (bound: 1000)"
awk -v us="$median" 'BEGIN { exit !(us > 0 && us <= 1000) }' || status=1
build/release/bin/linkspan-bench-json --seconds 0.05 | grep '"objects, \(written, \)\?linkspan"' |
    sed 's/^ *"\([^"]*\)": .*"GB\/s": \([0-9.]*\).*/\1: \2 GB\/s (bound: 0.05)/' | tee >(cat >&2) |
    awk -F': ' '$2 + 0 < 0.05 { bad = 1 } END { exit bad || NR != 2 }' || status=1
share=0
bash test/bench/server_share.sh || share=$?
((status != 0)) || status=$share
exit $status
