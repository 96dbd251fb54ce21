// linkspan-bench-json: reads and writes MCP messages as described structs. The same run measures the event parser of
// Boost.JSON with a hand-written handler ("the floor"), its value parser, and simdjson if installed. Prints one JSON
// object. Pin the process to a CPU (taskset -c 1), and compare ratios and allocations.
//
//   --seconds N     duration of each measurement; default 0.5

#include <linkspan/describe/check.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/protocol/compose.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#if defined(LINKSPAN_BENCH_SIMDJSON)
#include <simdjson.h>
#endif

#include <cstddef>
#include <string>
#include <string_view>

#include "messages.hpp"
#include "report.hpp"
#include "sax_floor.hpp"

namespace {

namespace json = boost::json;
using namespace bench;

#if defined(LINKSPAN_BENCH_SIMDJSON)
void read_structured(simdjson::ondemand::value from, reading& out)
{
    out.city = std::string_view(from["city"]);
    out.conditions = std::string_view(from["conditions"]);
    out.temperature = from["temperature"];
    out.humidity = from["humidity"];
    out.pressure = from["pressure"];
}

void read_structured(simdjson::ondemand::value, nothing&) {}

void read_structured(simdjson::ondemand::value from, table& out)
{
    out.rows.clear();
    for (auto element : from["rows"]) {
        auto& made = out.rows.emplace_back();
        made.id = element["id"];
        made.name = std::string_view(element["name"]);
        made.value = element["value"];
        made.ok = element["ok"];
    }
}

template<class Structured>
void read_with_simdjson(simdjson::ondemand::parser& parser, simdjson::padded_string const& text,
                        message<Structured>& out)
{
    auto document = parser.iterate(text);
    out.jsonrpc = std::string_view(document["jsonrpc"]);
    out.id = document["id"];
    auto result = document["result"];
    out.result.content.clear();
    for (auto block : result["content"])
        out.result.content.emplace_back().text = std::string_view(block["text"]);
    read_structured(result["structuredContent"], out.result.structuredContent);
    out.result.isError = result["isError"];
}
#endif

template<class Structured>
void bench_message(std::string const& what, std::string const& text)
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
    auto const sax = report(what, "event parser of Boost.JSON into the same struct", text.size(), [&] {
        if (!floor.read(by_floor, text))
            stop("the floor cannot read a message");
        keep(by_floor);
    });
    if (linkspan::encode(out) != linkspan::encode(by_floor))
        stop("the floor reads another value");
    report(what, "json::parse", text.size(), [&] { keep(json::parse(text)); });
#if defined(LINKSPAN_BENCH_SIMDJSON)
    simdjson::ondemand::parser parser;
    simdjson::padded_string const padded(text);
    message<Structured> by_simdjson;
    report(what, "simdjson into the same struct", text.size(), [&] {
        read_with_simdjson(parser, padded, by_simdjson);
        keep(by_simdjson);
    });
    if (linkspan::encode(out) != linkspan::encode(by_simdjson))
        stop("simdjson reads another value");
#endif
    report_number(what + ", time of linkspan relative to the floor", ours.ns / sax.ns);
    report_number(what + ", allocations in addition to those of the floor", ours.allocations - sax.allocations);
    auto const value = json::parse(text);
    std::string written;
    report(what + ", written", "linkspan", text.size(), [&] {
        written.clear();
        linkspan::encode(written, out);
        keep(written);
    });
    report(what + ", written", "json::serialize", text.size(), [&] { keep(json::serialize(value)); });
}

void bench_request()
{
    linkspan::composer composer;
    composer.set_protocol_version(linkspan::protocol_version::v2025_11_25, {});
    weather_arguments const args{"Oslo", 3, scale::celsius};
    auto const text = linkspan::encode(args);
    linkspan::text_buffer message;
    std::string params;
    auto const compose = [&] {
        linkspan::request_parts parts;
        parts.id = 4711;
        parts.method = "tools/call";
        parts.params = params;
        composer.request(message, parts);
        keep(message.view());
    };
    auto const raw = report("a request", "with arguments as text", 0, [&] {
        (params = R"("name":"tell_weather","arguments":)") += text;
        compose();
    });
    auto const typed = report("a request", "with typed arguments, checked", 0, [&] {
        linkspan::mismatches problems;
        if (!linkspan::check(args, problems))
            stop("the arguments are not valid");
        params = R"("name":"tell_weather","arguments":)";
        linkspan::encode(params, args);
        compose();
    });
    report_number("a request, additional ns for typed arguments", typed.ns - raw.ns);
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
    read_options(argc, argv);
    bench_message<reading>("small", small_message());
    bench_message<nothing>("text", text_message());
    bench_message<table>("objects", object_message());
    bench_request();
    bench_text();
#if !defined(LINKSPAN_BENCH_SIMDJSON)
    report_text("skipped", "simdjson is not installed");
#endif
    end_report();
}
