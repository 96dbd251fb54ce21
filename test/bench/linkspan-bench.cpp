// linkspan-bench: measures the library with a fast server, compared with a floor of raw system calls in the same run.
// Prints one JSON object. Pin the process to a CPU (taskset -c 1), and compare CPU time per call, allocations per call
// and ratios to the floor; absolute times depend on the machine.
//
//   --server FILE        an MCP server over standard streams with a tool `echo`; default: bench-echo beside this
//   --sarg ARG           an argument of the server; may be repeated
//   --port N             port of an MCP server over HTTP on 127.0.0.1 with the path /mcp, instead of --server
//   --sse-port N         port of the same server responding with events, for comparison
//   --layer NAME         session, connector (default), or blocking
//   --only LIST          of conn, lat, thr, big, spawn, fault; default: all, which excludes fault
//   --lat N --thr N --big N --conn N    number of calls or connections per section
//   --windows 1,16,64    calls in flight in the section thr
//   --payload BYTES      size of the text of each small call

#include <linkspan/transport/stdio/child_stream.hpp>

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
#include "http.hpp"
#include "layers.hpp"
#include "measure.hpp"
#include "sections.hpp"

namespace {

namespace json = boost::json;
using bench::options;
using bench::report;

std::optional<options> read_options(int argc, char** argv)
{
    options read;
    read.to.server = std::filesystem::path(argv[0]).replace_filename("bench-echo");
    for (int i = 1; i + 1 < argc; i += 2) {
        std::string const key = argv[i], value = argv[i + 1];
        auto const number = [&] { return static_cast<std::size_t>(std::strtoull(value.c_str(), nullptr, 10)); };
        if (key == "--server")
            read.to.server = value;
        else if (key == "--sarg")
            read.to.args.push_back(value);
        else if (key == "--port")
            read.to.port = static_cast<std::uint16_t>(number());
        else if (key == "--sse-port")
            read.sse_port = static_cast<std::uint16_t>(number());
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

// Returns the duration of the call that starts a child process.
double spawn_microseconds(options const& with)
{
    std::vector<double> times;
    for (int i = 0; i != 50; ++i) {
        boost::asio::io_context context{1};
        linkspan::child_stream child(context.get_executor(), {.command = with.to.server, .args = with.to.args});
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

// Makes five calls and records each result, for servers with faults.
template<class Layer>
void measure_faults(options const& with, report& out)
{
    std::ostringstream seen;
    bench::client<Layer> client(with.to);
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
    report out(std::string("linkspan ") + Layer::name, "stdio");
    if (with.includes("fault"))
        return measure_faults<Layer>(with, out);
    if (with.includes("spawn"))
        measure_spawn(with, out);
    if (with.includes("conn"))
        bench::measure_connections<Layer>(with, out);
    bench::client<Layer> client(with.to);
    bench::raw_client floor(with.to.server, with.to.args);
    out.number("rss_connected_kib", static_cast<double>(bench::status("VmHWM:")), 0);
    out.number("threads", static_cast<double>(bench::status("Threads:")), 0);
    if (with.includes("lat"))
        bench::measure_latency(with, client, floor, out);
    if (with.includes("thr"))
        bench::measure_throughput(with, client, floor, out);
    out.number("rss_small_kib", static_cast<double>(bench::status("VmHWM:")), 0);
    if (with.includes("big"))
        bench::measure_large(with, client, floor, out);
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
        if (with->to.port != 0)
            bench::measure_http(*with);
        else if (with->layer == "session")
            measure<bench::session_layer<linkspan::stdio>>(*with);
        else if (with->layer == "blocking")
            measure<bench::blocking_layer>(*with);
        else
            measure<bench::connector_layer<linkspan::stdio>>(*with);
    } catch (std::exception const& failure) {
        std::cerr << "linkspan-bench: " << failure.what() << '\n';
        return 3;
    }
}
