// linkspan-bench: measures the library against one fast server, beside a floor of raw system calls in the same run.
// Prints one JSON object. Pin it (taskset -c 1) and judge CPU per call, allocations per call and ratios to the floor;
// times on their own depend on the machine.
//
//   --server FILE        an MCP server over standard streams with a tool `echo`; default: bench-echo, beside this
//   --sarg ARG           an argument of it; may be repeated
//   --layer NAME         session, connector (default), or blocking
//   --only LIST          of conn, lat, thr, big, spawn, fault; default: all, which is all but fault
//   --lat N --thr N --big N --conn N    how many calls, or connections, in each section
//   --windows 1,16,64    calls in flight in the section thr
//   --payload BYTES      of text in each small call

#include <linkspan/transport/child_stream.hpp>

#include <boost/json/object.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "floor.hpp"
#include "layers.hpp"
#include "measure.hpp"

namespace {

namespace json = boost::json;

struct options {
    std::string server;
    std::vector<std::string> server_args;
    std::string layer = "connector", only = "all";
    std::size_t lat = 20'000, thr = 30'000, big = 100, conn = 30, payload = 100;
    std::vector<std::size_t> windows{1, 16, 64, 256};

    bool wants(std::string_view section) const
    {
        return only.find(section) != only.npos || (only == "all" && section != "fault");
    }
};

constexpr std::size_t big_payload = std::size_t{1} << 20;

std::optional<options> read_options(int argc, char** argv)
{
    options read;
    read.server = std::filesystem::path(argv[0]).replace_filename("bench-echo");
    for (int i = 1; i + 1 < argc; i += 2) {
        std::string const key = argv[i], value = argv[i + 1];
        auto const number = [&] { return static_cast<std::size_t>(std::strtoull(value.c_str(), nullptr, 10)); };
        if (key == "--server")
            read.server = value;
        else if (key == "--sarg")
            read.server_args.push_back(value);
        else if (key == "--layer" && (value == "session" || value == "connector" || value == "blocking"))
            read.layer = value;
        else if (key == "--only")
            read.only = value;
        else if (key == "--lat")
            read.lat = number();
        else if (key == "--thr")
            read.thr = number();
        else if (key == "--big")
            read.big = number();
        else if (key == "--conn")
            read.conn = number();
        else if (key == "--payload")
            read.payload = number();
        else if (key == "--windows") {
            read.windows.clear();
            std::istringstream in(value);
            for (std::string window; std::getline(in, window, ',');)
                read.windows.push_back(std::strtoul(window.c_str(), nullptr, 10));
        } else {
            return std::nullopt;
        }
    }
    return argc % 2 == 1 ? std::optional(read) : std::nullopt;
}

// One line of JSON, written as it becomes known.
class report {
public:
    report(char const* client) { std::printf("{\"client\":\"%s\",\"mode\":\"stdio\"", client); }
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

json::object arguments(std::size_t size, char fill)
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
        auto const start = bench::clock::now();
        bench::client<Layer> client(with.server, with.server_args);
        open.push_back(bench::microseconds_since(start));
        if (client.list() == 0)
            throw std::runtime_error("the server lists no tools");
        list.push_back(bench::microseconds_since(start));
        auto const end = bench::clock::now();
        client.close();
        close.push_back(bench::microseconds_since(end));
    }
    out.number("connect_us", bench::percentile(open, .5), 0);
    out.number("connect_list_us", bench::percentile(list, .5), 0);
    out.number("connect_list_p99_us", bench::percentile(list, .99), 0);
    out.number("close_us", bench::percentile(close, .5), 0);
}

template<class Client>
void measure_latency(options const& with, Client& client, bench::raw_client& floor, report& out)
{
    auto const args = arguments(with.payload, 'x');
    std::string const text(with.payload, 'x');
    std::vector<double> times;
    times.reserve(with.lat);
    client.sequence(args, std::min<std::size_t>(with.lat / 10 + 10, 1000), times);
    times.clear();
    bench::meter const meter;
    client.sequence(args, with.lat, times);
    auto const cost = meter.per_call(with.lat);
    auto const p50 = bench::percentile(times, .5);
    out.number("lat_n", static_cast<double>(with.lat), 0);
    out.number("lat_p50_us", p50);
    out.number("lat_p99_us", bench::percentile(times, .99));
    out.number("lat_cpu_us", cost.cpu_us);
    out.number("lat_allocs", cost.allocations);

    std::vector<double> floors;
    floors.reserve(with.lat);
    for (std::size_t i = 0; i != with.lat; ++i) {
        auto const start = bench::clock::now();
        floor.call(text);
        floors.push_back(bench::microseconds_since(start));
    }
    auto const floor_p50 = bench::percentile(floors, .5);
    out.number("floor_lat_p50_us", floor_p50);
    out.number("lat_p50_to_floor", p50 / floor_p50);
}

template<class Client>
void measure_throughput(options const& with, Client& client, bench::raw_client& floor, report& out)
{
    auto const args = arguments(with.payload, 'x');
    std::string const text(with.payload, 'x');
    for (auto const window : with.windows) {
        auto const name = "thr" + std::to_string(window);
        client.pipeline(window, std::max<std::size_t>(window * 4, 200), args, with.payload);
        bench::meter const meter;
        auto const start = bench::clock::now();
        client.pipeline(window, with.thr, args, with.payload);
        auto const rate = static_cast<double>(with.thr) / bench::microseconds_since(start) * 1e6;
        auto const cost = meter.per_call(with.thr);
        out.number(name + "_per_s", rate, 0);
        out.number(name + "_cpu_us", cost.cpu_us);
        out.number(name + "_allocs", cost.allocations);
        auto const floor_start = bench::clock::now();
        floor.pipeline(window, with.thr, text);
        auto const floor_rate = static_cast<double>(with.thr) / bench::microseconds_since(floor_start) * 1e6;
        out.number("floor_" + name + "_per_s", floor_rate, 0);
        out.number(name + "_to_floor", rate / floor_rate);
    }
}

template<class Client>
void measure_large(options const& with, Client& client, bench::raw_client& floor, report& out)
{
    auto const args = arguments(big_payload, 'y');
    std::string const text(big_payload, 'y');
    std::vector<double> times, floors;
    client.sequence(args, 3, times);
    times.clear();
    bench::meter const meter;
    client.sequence(args, with.big, times);
    auto const cost = meter.per_call(with.big);
    for (std::size_t i = 0; i != with.big; ++i) {
        auto const start = bench::clock::now();
        if (floor.call(text) != big_payload)
            throw std::runtime_error("the floor got a wrong echo");
        floors.push_back(bench::microseconds_since(start));
    }
    auto const p50 = bench::percentile(times, .5), floor_p50 = bench::percentile(floors, .5);
    out.number("big_n", static_cast<double>(with.big), 0);
    out.number("big_p50_us", p50, 0);
    out.number("big_p99_us", bench::percentile(times, .99), 0);
    out.number("big_cpu_us", cost.cpu_us, 0);
    out.number("rss_big_kib", static_cast<double>(bench::status("VmHWM:")), 0);
    out.number("floor_big_p50_us", floor_p50, 0);
    out.number("big_p50_to_floor", p50 / floor_p50);
}

// Until the call that starts a child returns.
double spawn_microseconds(options const& with)
{
    std::vector<double> times;
    for (int i = 0; i != 50; ++i) {
        boost::asio::io_context context{1};
        linkspan::child_stream child(context.get_executor(), {.command = with.server, .args = with.server_args});
        linkspan::error_code ec;
        auto const start = bench::clock::now();
        child.open(ec);
        times.push_back(bench::microseconds_since(start));
        if (ec)
            throw boost::system::system_error(ec);
    }
    return bench::percentile(times, .5);
}

void measure_spawn(options const& with, report& out)
{
    auto const small = spawn_microseconds(with);
    std::vector<char> const touched(std::size_t{1} << 30, 'x');
    auto const large = spawn_microseconds(with);
    if (touched.back() != 'x')
        throw std::logic_error("the memory was not touched");
    out.number("spawn_small_us", small, 0);
    out.number("spawn_1gib_us", large, 0);
    out.number("spawn_1gib_to_small", large / small);
}

// Five calls, whatever comes of each: for servers that misbehave.
template<class Layer>
void measure_faults(options const& with, report& out)
{
    std::ostringstream seen;
    bench::client<Layer> client(with.server, with.server_args);
    for (int i = 0; i != 5; ++i) {
        auto const text = "call number " + std::to_string(i) + std::string(static_cast<std::size_t>(i), '.');
        json::object args;
        args["text"] = text;
        auto const start = bench::clock::now();
        try {
            seen << (client.call(args) == text.size() ? "ok" : "WRONG-ANSWER");
        } catch (std::exception const& failure) {
            seen << "err(" << std::string(failure.what()).substr(0, 60) << ')';
        }
        seen << ' ' << bench::microseconds_since(start) / 1000 << "ms; ";
    }
    auto const start = bench::clock::now();
    try {
        client.close();
    } catch (std::exception const& failure) {
        seen << "close err(" << failure.what() << ") ";
    }
    seen << "close " << bench::microseconds_since(start) / 1000 << "ms";
    out.text("fault", seen.str());
}

template<class Layer>
void measure(options const& with)
{
    report out((std::string("linkspan ") + Layer::name).c_str());
    if (with.wants("fault"))
        return measure_faults<Layer>(with, out);
    if (with.wants("spawn"))
        measure_spawn(with, out);
    if (with.wants("conn"))
        measure_connections<Layer>(with, out);
    bench::client<Layer> client(with.server, with.server_args);
    bench::raw_client floor(with.server, with.server_args);
    out.number("rss_connected_kib", static_cast<double>(bench::status("VmHWM:")), 0);
    out.number("threads", static_cast<double>(bench::status("Threads:")), 0);
    if (with.wants("lat"))
        measure_latency(with, client, floor, out);
    if (with.wants("thr"))
        measure_throughput(with, client, floor, out);
    out.number("rss_small_kib", static_cast<double>(bench::status("VmHWM:")), 0);
    if (with.wants("big"))
        measure_large(with, client, floor, out);
    client.close();
}

} // namespace

int main(int argc, char** argv)
{
    auto const with = read_options(argc, argv);
    if (!with) {
        std::cerr << "linkspan-bench: unknown option; see the head of linkspan-bench.cpp\n";
        return 2;
    }
    try {
        if (with->layer == "session")
            measure<bench::session_layer>(*with);
        else if (with->layer == "blocking")
            measure<bench::blocking_layer>(*with);
        else
            measure<bench::connector_layer>(*with);
    } catch (std::exception const& failure) {
        std::cerr << "linkspan-bench: " << failure.what() << '\n';
        return 3;
    }
}
