// linkspan-bench-json: reads and writes messages of MCP as described structs, beside what else there is in the same run:
// Boost.JSON's parser of events with a handler written by hand (the floor), its parser of values, and simdjson where it
// is installed. Prints one JSON object; pin it (taskset -c 1), and judge ratios and allocations.
//
//   --seconds N     for each measurement; default 0.5

#include <linkspan/describe/check.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/json_writer.hpp>
#include <linkspan/protocol/compose.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#if defined(LINKSPAN_BENCH_SIMDJSON)
#include <simdjson.h>
#endif

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "measure.hpp"
#include "messages.hpp"
#include "sax_floor.hpp"

namespace {

namespace json = boost::json;
using namespace bench;

double seconds = 0.5;
bool first = true;

// Keeps the optimiser from leaving out what makes `value`.
template<class T>
void keep(T const& value)
{
    asm volatile("" : : "g"(&value) : "memory");
}

struct cost {
    double ns, allocations;
};

// The best of five, each a fifth of the time: what disturbs a measurement only makes it longer.
cost measure(std::function<void()> const& run)
{
    run();
    cost best{1e18, 0};
    for (int part = 0; part != 5; ++part) {
        std::size_t times = 0;
        auto const allocated = allocations();
        auto const start = bench::clock::now();
        double spent = 0;
        do {
            for (int i = 0; i != 8; ++i)
                run();
            times += 8;
            spent = microseconds_since(start);
        } while (spent < seconds * 2e5);
        auto const n = static_cast<double>(times);
        if (spent * 1e3 / n < best.ns)
            best = {spent * 1e3 / n, static_cast<double>(allocations() - allocated) / n};
    }
    return best;
}

cost report(char const* what, char const* how, std::size_t bytes, std::function<void()> const& run)
{
    auto const found = measure(run);
    std::printf("%s\n  \"%s, %s\": {\"ns\": %.1f, \"allocations\": %.2f, \"GB/s\": %.3f}", first ? "{" : ",", what, how,
                found.ns, found.allocations, static_cast<double>(bytes) / found.ns);
    first = false;
    return found;
}

void report_ratio(char const* what, double ratio, char const* unit = "")
{
    std::printf(",\n  \"%s\": %.2f%s", what, ratio, unit);
}

[[noreturn]] void stop(char const* why)
{
    std::fprintf(stderr, "linkspan-bench-json: %s\n", why);
    std::exit(1);
}

#if defined(LINKSPAN_BENCH_SIMDJSON)
void read_with_simdjson(simdjson::ondemand::parser& parser, simdjson::padded_string const& text, message<reading>& out)
{
    auto document = parser.iterate(text);
    std::string_view view;
    out.jsonrpc = std::string_view(document["jsonrpc"]);
    out.id = document["id"];
    auto result = document["result"];
    out.result.content.clear();
    for (auto block : result["content"]) {
        view = block["text"];
        out.result.content.emplace_back().text = view;
    }
    auto content = result["structuredContent"];
    out.result.structuredContent.city = std::string_view(content["city"]);
    out.result.structuredContent.conditions = std::string_view(content["conditions"]);
    out.result.structuredContent.temperature = content["temperature"];
    out.result.structuredContent.humidity = content["humidity"];
    out.result.structuredContent.pressure = content["pressure"];
    out.result.isError = result["isError"];
}
#endif

template<class Structured>
void bench_message(char const* what, std::string const& text)
{
    message<Structured> out;
    linkspan::mismatches problems;
    auto const ours = report(what, "linkspan", text.size(), [&] {
        if (!linkspan::decode(out, text, problems))
            stop("a message cannot be decoded");
        keep(out);
    });
    sax_reader<Structured> floor;
    message<Structured> by_floor;
    auto const sax = report(what, "Boost's events into the same struct", text.size(), [&] {
        if (!floor.read(by_floor, text))
            stop("the floor does not read a message");
        keep(by_floor);
    });
    if (linkspan::encode(out) != linkspan::encode(by_floor))
        stop("the floor reads something else");
    report(what, "json::parse", text.size(), [&] { keep(json::parse(text)); });
#if defined(LINKSPAN_BENCH_SIMDJSON)
    if constexpr (std::same_as<Structured, reading>) {
        simdjson::ondemand::parser parser;
        simdjson::padded_string const padded(text);
        message<reading> read;
        report(what, "simdjson into the same struct", text.size(), [&] {
            read_with_simdjson(parser, padded, read);
            keep(read);
        });
    }
#endif
    report_ratio((std::string(what) + ", linkspan to the floor").c_str(), ours.ns / sax.ns);
    report_ratio((std::string(what) + ", allocations more than the floor's").c_str(),
                 ours.allocations - sax.allocations);
    auto const value = json::parse(text);
    std::string written;
    report((std::string(what) + ", written").c_str(), "linkspan", text.size(), [&] {
        written.clear();
        linkspan::encode(written, out);
        keep(written);
    });
    report((std::string(what) + ", written").c_str(), "json::serialize", text.size(),
           [&] { keep(json::serialize(value)); });
}

void bench_request()
{
    linkspan::composer composer;
    composer.speak(linkspan::revision::r2025_11_25, {});
    question const args{"Oslo", 3, scale::celsius};
    auto const text = linkspan::encode(args);
    std::string message, params;
    auto const compose = [&] {
        linkspan::request_parts parts;
        parts.id = 4711;
        parts.method = "tools/call";
        parts.params = params;
        composer.request(message, parts);
        keep(message);
    };
    auto const raw = report("a request", "with arguments as text", 0, [&] {
        (params = R"("name":"tell_weather","arguments":)") += text;
        compose();
    });
    auto const typed = report("a request", "with typed arguments, checked", 0, [&] {
        linkspan::mismatches problems;
        if (!linkspan::check(args, problems))
            stop("the arguments are wrong");
        params = R"("name":"tell_weather","arguments":)";
        linkspan::encode(params, args);
        compose();
    });
    report_ratio("a request, ns more for typed arguments", typed.ns - raw.ns);
}

void bench_text()
{
    std::string const text(std::size_t{1} << 20, 'x');
    std::string out;
    report("a string of 1 MiB, written", "linkspan", text.size(), [&] {
        out.clear();
        linkspan::append_quoted(out, text);
        keep(out);
    });
}

} // namespace

int main(int argc, char** argv)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (std::string_view(argv[i]) == "--seconds")
            seconds = std::strtod(argv[i + 1], nullptr);
    bench_message<reading>("small", small_message());
    bench_message<nothing>("text", text_message());
    bench_message<table>("objects", object_message());
    bench_request();
    bench_text();
#if !defined(LINKSPAN_BENCH_SIMDJSON)
    std::printf(",\n  \"skipped\": \"simdjson is not installed\"");
#endif
    std::printf("\n}\n");
}
