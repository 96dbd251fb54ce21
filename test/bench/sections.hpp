#ifndef LINKSPAN_TEST_BENCH_SECTIONS_HPP
#define LINKSPAN_TEST_BENCH_SECTIONS_HPP

// Measurements of a client over any transport; each section is compared with a floor that has the same interface.

#include <boost/json/object.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "layers.hpp"
#include "measure.hpp"

namespace bench {

namespace json = boost::json;

struct options {
    target to;
    std::uint16_t sse_port = 0;
    std::string layer = "connector", only = "all";
    std::size_t lat = 20'000, thr = 30'000, big = 100, conn = 30, payload = 100;
    std::vector<std::size_t> windows{1, 16, 64, 256};

    bool includes(std::string_view section) const
    {
        return only.find(section) != only.npos || (only == "all" && section != "fault");
    }
};

inline constexpr std::size_t big_payload = std::size_t{1} << 20;

// Maximum number of calls in flight of the floor, whose blocking writes would not return if the messages in flight did
// not fit into the pipes. A larger window would not make the floor faster.
inline constexpr std::size_t max_floor_window = 128;

// A line of JSON that is written incrementally.
class report {
public:
    report(std::string const& client, char const* mode)
    {
        std::printf("{\"client\":\"%s\",\"mode\":\"%s\"", client.c_str(), mode);
    }
    ~report() { std::puts("}"); }

    void number(std::string const& key, double value, int digits = 2)
    {
        std::printf(",\"%s\":%.*f", key.c_str(), digits, value);
        std::fflush(stdout);
    }
    void text(std::string const& key, std::string const& value)
    {
        std::printf(",\"%s\":\"%s\"", key.c_str(), value.c_str());
    }
};

inline json::object arguments(std::size_t size, char fill)
{
    json::object args;
    args["text"] = std::string(size, fill);
    return args;
}

template<class Layer>
void measure_connections(options const& with, report& out)
{
    std::vector<double> open, list, close;
    for (std::size_t i = 0; i != with.conn; ++i) {
        auto const start = clock::now();
        client<Layer> measured(with.to);
        open.push_back(microseconds_since(start));
        if (measured.list() == 0)
            throw std::runtime_error("the server lists no tools");
        list.push_back(microseconds_since(start));
        auto const end = clock::now();
        measured.close();
        close.push_back(microseconds_since(end));
    }
    out.number("connect_us", percentile(open, .5), 0);
    out.number("connect_list_us", percentile(list, .5), 0);
    out.number("connect_list_p99_us", percentile(list, .99), 0);
    out.number("close_us", percentile(close, .5), 0);
}

template<class Client, class Floor>
void measure_latency(options const& with, Client& client, Floor& floor, report& out)
{
    auto const args = arguments(with.payload, 'x');
    std::string const text(with.payload, 'x');
    std::vector<double> times;
    times.reserve(with.lat);
    client.sequence(args, std::min<std::size_t>(with.lat / 10 + 10, 1000), times);
    times.clear();
    meter const meter;
    client.sequence(args, with.lat, times);
    auto const cost = meter.per_call(with.lat);
    auto const p50 = percentile(times, .5);
    out.number("lat_n", static_cast<double>(with.lat), 0);
    out.number("lat_p50_us", p50);
    out.number("lat_p99_us", percentile(times, .99));
    out.number("lat_cpu_us", cost.cpu_us);
    out.number("lat_allocs", cost.allocations);

    auto const measure_floor = [&] {
        std::vector<double> floors;
        floors.reserve(with.lat);
        for (std::size_t i = 0; i != with.lat; ++i) {
            auto const start = clock::now();
            floor.call(text);
            floors.push_back(microseconds_since(start));
        }
        return percentile(floors, .5);
    };
    auto const floor_p50 = measure_floor();
    out.number("floor_lat_p50_us", floor_p50);
    out.number("lat_p50_to_floor", p50 / floor_p50);
    if constexpr (requires { floor.omit_meta(true); }) {
        floor.omit_meta(true);
        out.number("lat_p50_to_short_floor", p50 / measure_floor());
        floor.omit_meta(false);
    }
}

template<class Client, class Floor>
void measure_throughput(options const& with, Client& client, Floor& floor, report& out)
{
    auto const args = arguments(with.payload, 'x');
    std::string const text(with.payload, 'x');
    for (auto const window : with.windows) {
        auto const name = "thr" + std::to_string(window);
        client.pipeline(window, std::max<std::size_t>(window * 4, 200), args, with.payload);
        meter const meter;
        auto const start = clock::now();
        client.pipeline(window, with.thr, args, with.payload);
        auto const rate = static_cast<double>(with.thr) / microseconds_since(start) * 1e6;
        auto const cost = meter.per_call(with.thr);
        out.number(name + "_per_s", rate, 0);
        out.number(name + "_cpu_us", cost.cpu_us);
        out.number(name + "_allocs", cost.allocations);
        auto const floor_start = clock::now();
        auto const floor_window = std::min(window, max_floor_window);
        floor.pipeline(floor_window, with.thr, text);
        auto const floor_rate = static_cast<double>(with.thr) / microseconds_since(floor_start) * 1e6;
        out.number("floor_" + name + "_per_s", floor_rate, 0);
        out.number(name + "_to_floor", rate / floor_rate);
        if constexpr (requires { floor.omit_meta(true); }) {
            floor.omit_meta(true);
            auto const short_start = clock::now();
            floor.pipeline(floor_window, with.thr, text);
            auto const short_rate = static_cast<double>(with.thr) / microseconds_since(short_start) * 1e6;
            floor.omit_meta(false);
            out.number(name + "_to_short_floor", rate / short_rate);
        }
    }
}

template<class Client, class Floor>
void measure_large(options const& with, Client& client, Floor& floor, report& out)
{
    auto const args = arguments(big_payload, 'y');
    std::string const text(big_payload, 'y');
    std::vector<double> times, floors;
    client.sequence(args, 3, times);
    times.clear();
    meter const meter;
    client.sequence(args, with.big, times);
    auto const cost = meter.per_call(with.big);
    for (std::size_t i = 0; i != with.big; ++i) {
        auto const start = clock::now();
        if (floor.call(text) != big_payload)
            throw std::runtime_error("the floor received a wrong echo");
        floors.push_back(microseconds_since(start));
    }
    auto const p50 = percentile(times, .5), floor_p50 = percentile(floors, .5);
    out.number("big_n", static_cast<double>(with.big), 0);
    out.number("big_p50_us", p50, 0);
    out.number("big_p99_us", percentile(times, .99), 0);
    out.number("big_cpu_us", cost.cpu_us, 0);
    out.number("rss_big_kib", static_cast<double>(status("VmHWM:")), 0);
    out.number("floor_big_p50_us", floor_p50, 0);
    out.number("big_p50_to_floor", p50 / floor_p50);
}

} // namespace bench

#endif
