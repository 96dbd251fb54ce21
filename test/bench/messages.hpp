#ifndef LINKSPAN_TEST_BENCH_MESSAGES_HPP
#define LINKSPAN_TEST_BENCH_MESSAGES_HPP

// The messages of linkspan-bench-json: a response to tools/call that is small, has one long text, or has many small
// objects.

#include <linkspan/describe/enum.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/describe/types.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bench {

struct reading {
    std::string city, conditions;
    double temperature = 0, humidity = 0;
    std::int64_t pressure = 0;
};
LINKSPAN_STRUCT(reading, (city), (conditions), (temperature), (humidity), (pressure))

enum class scale { celsius, fahrenheit };
BOOST_DESCRIBE_ENUM(scale, celsius, fahrenheit)

/// Typical arguments: a few flat members.
struct weather_arguments {
    std::string city;
    std::optional<std::int64_t> days;
    std::optional<scale> units;
};
LINKSPAN_STRUCT(weather_arguments, (city, min_length{1}), (days, min{1}, max{14}), (units))

struct text_block {
    linkspan::literal<"text"> type;
    std::string text;
};
LINKSPAN_STRUCT(text_block, (type), (text))

struct row {
    std::int64_t id = 0;
    std::string name;
    double value = 0;
    bool ok = false;
};
LINKSPAN_STRUCT(row, (id), (name), (value), (ok))

struct table {
    std::vector<row> rows;
};
LINKSPAN_STRUCT(table, (rows))

template<class Structured>
struct tool_output {
    std::vector<text_block> content;
    Structured structuredContent; // NOLINT: as MCP names it
    bool isError = false;

    BOOST_DESCRIBE_CLASS(tool_output, (), (content, structuredContent, isError), (), ())
};

template<class Structured>
struct message {
    std::string jsonrpc;
    std::int64_t id = 0;
    tool_output<Structured> result;

    BOOST_DESCRIBE_CLASS(message, (), (jsonrpc, id, result), (), ())
};

struct nothing {};
LINKSPAN_STRUCT(nothing)

/// Returns 275 bytes.
inline std::string small_message()
{
    return R"({"jsonrpc":"2.0","id":4711,"result":{"content":[{"type":"text","text":)"
           R"("Oslo: 21.5 degrees, mostly sunny, light wind from the south-west."}],)"
           R"("structuredContent":{"city":"Oslo","conditions":"mostly sunny","temperature":21.5,"humidity":0.63,)"
           R"("pressure":1013},"isError":false}})";
}

/// Returns one text of 1 MiB with a line end every 80 characters.
inline std::string text_message()
{
    std::string out = R"({"jsonrpc":"2.0","id":4711,"result":{"content":[{"type":"text","text":")";
    while (out.size() < std::size_t{1} << 20)
        out.append(78, 'x') += "\\n";
    return out += R"("}],"structuredContent":{},"isError":false}})";
}

/// Returns 1 MiB of small objects.
inline std::string object_message()
{
    std::string out = R"({"jsonrpc":"2.0","id":4711,"result":{"content":[],"structuredContent":{"rows":[)";
    for (int i = 0; out.size() < std::size_t{1} << 20; ++i)
        out += (i == 0 ? R"({"id":)" : R"(,{"id":)") + std::to_string(i) + R"(,"name":"row )" + std::to_string(i) +
               R"(","value":)" + std::to_string(i % 1000) + R"(.25,"ok":true})";
    return out += R"(]},"isError":false}})";
}

} // namespace bench

#endif
