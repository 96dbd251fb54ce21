#!/usr/bin/env bash
# compile_budget.sh [COMPILER]: measures the CPU seconds to compile a unit with a connector, for each transport, without
# optimization, and prints their ratios to a unit with Asio and Boost.JSON alone, which is compiled in the same minute.
# Fails if a ratio is above its budget. The budgets hold for g++ 12.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
compiler=${1:-g++}
runs=3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

floor() {
    cat <<'UNIT'
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/json.hpp>
#include <string>
namespace asio = boost::asio;
asio::awaitable<std::string> call(asio::posix::stream_descriptor& in, asio::posix::stream_descriptor& out)
{
    boost::json::object const args{{"a", 1}};
    auto const text = boost::json::serialize(args);
    co_await asio::async_write(out, asio::buffer(text), asio::use_awaitable);
    std::string line;
    co_await asio::async_read_until(in, asio::dynamic_buffer(line), '\n', asio::use_awaitable);
    co_return std::string(boost::json::parse(line).as_object().at("text").as_string());
}
UNIT
}

# connector_unit HEADER TYPE: prints a typical unit of an application.
connector_unit() {
    cat <<UNIT
#include <linkspan/connector.hpp>
#include <linkspan/$1.hpp>
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

# seconds UNIT FLAG...: prints the CPU seconds to compile a unit of the folder once.
seconds() {
    local unit=$1 TIMEFORMAT='%U %S'
    shift
    # Errors of the compiler go to the terminal, the times to the pipe.
    { time "$compiler" -std=c++20 -O0 -Iinclude "$@" -c "$folder/$unit.cpp" -o "$folder/unit.o" 2>&3; } 3>&2 2>&1 |
        awk '{ print $1 + $2 }'
}

floor >"$folder/floor.cpp"
printf '#include <linkspan/session.hpp>\n' >"$folder/session.cpp"
printf '#include <linkspan/src.hpp>\n' >"$folder/bodies.cpp"
printf '#include <linkspan/src_http.hpp>\n' >"$folder/bodies_http.cpp"
connector_unit transport/inproc inproc >"$folder/inproc.cpp"
connector_unit transport/stdio stdio >"$folder/stdio.cpp"
connector_unit http/client/auto_http auto_http >"$folder/http.cpp"

# measure NAME BUDGET FLAG...: compiles the floor and the unit in turn, and compares their least seconds.
status=0
measure() {
    local unit=$1 budget=$2 best_floor=9999 best=9999 now
    shift 2
    for ((run = 0; run < runs; ++run)); do
        now=$(seconds floor)
        best_floor=$(awk -v a="$best_floor" -v b="$now" 'BEGIN { print a < b ? a : b }')
        now=$(seconds "$unit" "$@")
        best=$(awk -v a="$best" -v b="$now" 'BEGIN { print a < b ? a : b }')
    done
    awk -v unit="$unit" -v mode="$([[ $# -gt 0 ]] && echo compiled || echo header-only)" -v floor="$best_floor" \
        -v seconds="$best" -v budget="$budget" 'BEGIN {
            ratio = seconds / floor
            is_above = ratio > budget
            printf "%-12s %-12s %8.2f %8.2f %8.2f %8.2f  %s\n", unit, mode, floor, seconds, ratio, budget,
                   is_above ? "above the budget" : "ok"
            exit is_above }' || status=1
}

printf '%-12s %-12s %8s %8s %8s %8s\n' unit mode "floor s" "unit s" ratio budget
compiled=-DLINKSPAN_SEPARATE_COMPILATION
measure inproc 1.25 $compiled
measure stdio 1.25 $compiled
measure http 1.3 $compiled
measure session 1.15 $compiled
measure inproc 8
measure stdio 9
measure http 9
measure bodies 9 $compiled
measure bodies_http 4 $compiled
exit $status
