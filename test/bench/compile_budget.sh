#!/usr/bin/env bash
# compile_budget.sh [COMPILER]: measures the CPU seconds to compile a unit with a connector for each transport,
# header-only and with LINKSPAN_SEPARATE_COMPILATION, without optimization, and prints the budget of each.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
compiler=${1:-g++}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# unit HEADER TYPE: prints a typical unit of an application.
unit() {
    cat <<UNIT
#include <linkspan/connector.hpp>
#include <linkspan/transport/$1.hpp>
#include <boost/asio/awaitable.hpp>
using hub_type = linkspan::connector<linkspan::transports<linkspan::$2>>;
boost::asio::awaitable<std::string> call(hub_type& hub, typename linkspan::$2::config_type config)
{
    hub.add<linkspan::$2>("server", std::move(config));
    co_await hub.async_open();
    boost::json::object const args{{"a", 1}};
    auto const result = co_await hub.async_call("add", args);
    co_return result.text();
}
UNIT
}

# seconds FLAG...: prints the CPU seconds to compile the unit on stdin.
seconds() {
    cat >"$folder/unit.cpp"
    local TIMEFORMAT='%U %S'
    { time "$compiler" -std=c++20 -O0 -Iinclude "$@" -c "$folder/unit.cpp" -o "$folder/unit.o" 2>/dev/null; } 2>&1 |
        awk '{printf "%.1f", $1 + $2}'
}

printf '%-10s %12s %8s %12s %8s\n' transport header-only budget separate budget
while read -r header type budget; do
    printf '%-10s %12s %8s %12s %8s\n' "$type" "$(unit "$header" "$type" | seconds)" "$budget" \
        "$(unit "$header" "$type" | seconds -DLINKSPAN_SEPARATE_COMPILATION)" 2.5
done <<'ROWS'
inproc inproc 2.5
stdio stdio 5
http http 9
tls https 17
ROWS
