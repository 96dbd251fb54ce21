#include <linkspan/bindgen/emit/write_header.hpp>
#include <linkspan/bindgen/mapping/map_tools.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "support/one_tool.hpp"

using namespace linkspan::bindgen;

namespace {

std::string header_of(std::vector<linkspan::tool> tools)
{
    return write_header(map_tools(std::move(tools)).tools, {"weather", "0123", "Weather 2"});
}

// What stands between the first lines and the pins, of one tool.
std::string body_of(linkspan::tool const& tool)
{
    auto const header = header_of({tool});
    std::string_view const begin = "namespace weather {\n\n";
    auto const from = header.find(begin) + begin.size();
    return header.substr(from, header.find("// What these types were made from") - from);
}

// The lines of a text that hold `part`.
std::vector<std::string> lines_with(std::string const& text, std::string_view part)
{
    std::vector<std::string> out;
    for (std::size_t at = 0; at < text.size();) {
        auto const end = std::min(text.find('\n', at), text.size());
        if (auto const line = text.substr(at, end - at); line.find(part) != line.npos)
            out.push_back(line);
        at = end + 1;
    }
    return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(write_header_test)

BOOST_AUTO_TEST_CASE(a_tool_is_a_struct_with_a_constructor)
{
    auto tool = one_tool::tool("get-forecast", R"({"type":"object","required":["city"],"additionalProperties":false,
        "properties":{"city":{"type":"string","description":"City name","minLength":1},
        "days":{"type":"integer","description":"Days ahead","minimum":1,"maximum":14},
        "unit":{"enum":["celsius","fahrenheit","min"]}}})",
                               R"({"type":"object","required":["high"],"properties":{"high":{"type":"number"}}})");
    tool.description = "The weather of the next days.\n\nNot that of yesterday.";
    tool.annotations.read_only = true;
    tool.has_hints = true;
    BOOST_TEST(body_of(tool) == R"x(enum class get_forecast_unit {
    celsius,
    fahrenheit,
    min_,
};
constexpr auto linkspan_names(get_forecast_unit)
{
    return std::to_array<linkspan::enum_name<get_forecast_unit>>({
        {get_forecast_unit::celsius, "celsius"},
        {get_forecast_unit::fahrenheit, "fahrenheit"},
        {get_forecast_unit::min_, "min"},
    });
}

struct get_forecast_result {
    double high{};

    get_forecast_result() = default;
    explicit get_forecast_result(double high_) : high(high_) {}
};
LINKSPAN_STRUCT(get_forecast_result,
    (high))

// The weather of the next days.
//
// Not that of yesterday.
struct get_forecast {
    static constexpr std::string_view tool = "get-forecast";
    static constexpr std::string_view fingerprint = ")x" +
                                    linkspan::schema_fingerprint(tool) + R"x(";
    static constexpr linkspan::tool_annotations hints{
        .read_only = true, .destructive = true, .idempotent = false, .open_world = true};
    using result_type = get_forecast_result;
    static constexpr std::string_view input_schema =
        R"json({"additionalProperties":false,"properties":{"city":{"description":"City name","minLength":1,"type":"string"},"days":{"description":"Days ahead","maximum":14,"minimum":1,"type":"integer"},"unit":{"enum":["celsius","fahrenheit","min"]}},"required":["city"],"type":"object"})json";
    static constexpr std::string_view output_schema =
        R"json({"properties":{"high":{"type":"number"}},"required":["high"],"type":"object"})json";

    // City name
    std::string city;
    // Days ahead
    std::optional<std::int64_t> days;
    std::optional<get_forecast_unit> unit;

    get_forecast() = default;
    explicit get_forecast(std::string city_) : city(std::move(city_)) {}
};
LINKSPAN_STRUCT((get_forecast, linkspan::note::closed),
    (city, "City name", linkspan::note::min_length{1}),
    (days, "Days ahead", linkspan::note::min{1}, linkspan::note::max{14}),
    (unit))

)x");
}

BOOST_AUTO_TEST_CASE(the_frame_names_the_lock_and_pins_the_tools)
{
    auto const a = one_tool::tool("a", R"({"type":"object"})");
    auto const header = header_of({a});
    BOOST_TEST(header.starts_with("// Made by linkspan-bindgen 0.1.1; do not edit.\n"
                                  "// SHA-256 of the lock file: 0123\n"
                                  "// Server: Weather 2\n\n#ifndef LINKSPAN_BINDINGS_"));
    BOOST_TEST(header.ends_with("inline constexpr std::array<linkspan::tool_pin, 1> pins{{\n"
                                "    {a::tool, a::fingerprint},\n"
                                "}};\n\n} // namespace weather\n\n#endif\n"));
    BOOST_TEST(lines_with(header, "#include").size() == 1U);
    BOOST_TEST(lines_with(header, "#include")[0] == "#include <linkspan/describe/bindings.hpp>");
    BOOST_TEST(header_of({}).find("std::array<linkspan::tool_pin, 0> pins{};") != std::string::npos);
    // Another header of the same server may stand beside it.
    auto const guard = [](std::string const& text) { return lines_with(text, "#ifndef").at(0); };
    BOOST_TEST(guard(header) == guard(header_of({a})));
    BOOST_TEST(guard(header) != guard(header_of({})));
}

BOOST_AUTO_TEST_CASE(without_annotations_and_required_members_there_is_less)
{
    auto const body = body_of(one_tool::tool("a", R"({"type":"object","properties":{"b":{"type":"boolean"}}})"));
    BOOST_TEST(body.find("hints") == std::string::npos);
    BOOST_TEST(body.find("output_schema") == std::string::npos);
    BOOST_TEST(body.find("using result_type = linkspan::call_result;\n") != std::string::npos);
    BOOST_TEST(body.find("    a() = default;\n};\nLINKSPAN_STRUCT(a,\n    (b))\n") != std::string::npos);
    BOOST_TEST(body_of(one_tool::tool("a", R"({"type":"object"})")).find("LINKSPAN_STRUCT(a)\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(parameters_shadow_nothing)
{
    auto const body = body_of(one_tool::tool("t", R"({"type":"object","required":["a","a_","a_arg","min"],
        "properties":{"a":{"type":"integer"},"a_":{"type":"integer"},"a_arg":{"type":"integer"},"min":{"type":"integer"}}})"));
    BOOST_TEST(lines_with(body, "    t(std::int64_t").at(0) ==
                   "    t(std::int64_t a_arg_, std::int64_t a_arg_arg, std::int64_t a_arg_arg_, std::int64_t min_arg)",
               body);
}

BOOST_AUTO_TEST_CASE(parameters_are_no_macros)
{
    auto const body = body_of(one_tool::tool("t", R"({"type":"object","required":["SSL","BOOST"],
        "properties":{"SSL":{"type":"integer"},"BOOST":{"type":"integer"}}})"));
    BOOST_TEST(lines_with(body, "    t(std::int64_t").at(0) ==
               "    t(std::int64_t SSL_arg_, std::int64_t nBOOST_arg) : SSL_(SSL_arg_), BOOST_(nBOOST_arg) {}");
}

// A literal would end there: the tool "read" would be called, with a member "a".
BOOST_AUTO_TEST_CASE(names_and_texts_go_on_behind_a_zero_byte)
{
    auto const body = body_of(one_tool::tool(std::string("read\0x", 6), R"({"type":"object","properties":{
        "a\u0000b":{"type":"string","pattern":"\u0000c","format":"d\u0000","default":"\u0000e","examples":["f\u0000g"]},
        "h":{"enum":["i","i\u0000j"]},"k":{"const":"l\u0000m"},"n":{"type":"array","default":["\u0000"]}}})"));
    BOOST_TEST(lines_with(body, " tool = ").at(0) ==
               R"(    static constexpr std::string_view tool = std::string_view("read\000x", 6);)");
    BOOST_TEST(lines_with(body, "(a_b, ").at(0) ==
               R"x(    (a_b, linkspan::note::named{std::string_view("a\000b", 3)}, )x"
               R"x(linkspan::note::pattern{std::string_view("\000c", 2)}, )x"
               R"x(linkspan::note::format{std::string_view("d\000", 2)}, )x"
               R"x(linkspan::note::default_value{std::string_view("\000e", 2)}, )x"
               R"x(linkspan::note::example{std::string_view("f\000g", 3)}),)x");
    BOOST_TEST(lines_with(body, "::i_j").at(0) == R"x(        {read_x_h::i_j, std::string_view("i\000j", 3)},)x");
    BOOST_TEST(lines_with(body, " k;").at(0) == R"(    std::optional<linkspan::literal<"l\000m">> k;)");
    BOOST_TEST(lines_with(body, "(n").at(0) ==
               R"x(    (n, linkspan::note::default_value{linkspan::raw_json("[\"\\u0000\"]")})))x");
}

BOOST_AUTO_TEST_CASE(recursive_structs_are_declared_before_and_described_behind)
{
    auto const body = body_of(one_tool::tool("t", R"({"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},
        "$defs":{"a":{"type":"object","properties":{"b":{"$ref":"#/$defs/b"}}},
        "b":{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}}}}})"));
    BOOST_TEST(body.starts_with("struct t_a;\n\nstruct t_b {\n"));
    BOOST_TEST(body.find("struct t {") < body.find("LINKSPAN_STRUCT(t_b,"));
    BOOST_TEST(body.find("LINKSPAN_STRUCT(t_b,") < body.find("LINKSPAN_STRUCT(t_a,"));
}

BOOST_AUTO_TEST_CASE(remarks_say_what_is_free_form_and_what_only_the_schema_checks)
{
    auto const body = body_of(one_tool::tool("t", R"({"type":"object","not":{"required":["z"]},"properties":{
        "a":{"enum":[1,"b"]},"b":{"type":"string","not":{"const":"x"}}}})"));
    BOOST_TEST(lines_with(body, "//").at(0) == "// also: not");
    BOOST_TEST(lines_with(body, "//").at(1) == "    // free-form: values are of several kinds");
    BOOST_TEST(lines_with(body, "//").at(2) == "    // also: not");
    auto const free = body_of(one_tool::tool("t", "{}"));
    BOOST_TEST(lines_with(free, "//").at(0) == "// free-form: arguments have no type");
    BOOST_TEST(lines_with(free, "rest").at(0) == "    linkspan::rest<boost::json::value> arguments;");
}

BOOST_AUTO_TEST_CASE(a_schema_that_is_longer_than_a_literal_may_be_is_joined)
{
    std::string const description(70'000, 'x');
    auto const body = body_of(one_tool::tool("t", R"({"type":"object","description":")" + description + "\"}"));
    BOOST_TEST(body.find("static constexpr auto input_schema_parts = linkspan::joined_literals(") != std::string::npos);
    BOOST_TEST(lines_with(body, ")json\",").size() == 4U);
    BOOST_TEST(body.find("std::string_view input_schema{input_schema_parts.data(), input_schema_parts.size()};") !=
               std::string::npos);
    std::string const too_long(200'000, 'x');
    auto const mapped = map_tools({one_tool::tool("t", R"({"type":"object","description":")" + too_long + "\"}")});
    BOOST_TEST(one_tool::problems_of(mapped) == "/inputSchema: too large to be embedded in the header");
}

// Every second one takes six characters.
BOOST_AUTO_TEST_CASE(question_marks_count_as_they_are_written)
{
    auto const tool = [](std::size_t size) {
        return one_tool::tool("t", R"({"type":"object","description":")" + std::string(size, '?') + "\"}");
    };
    auto const joined = body_of(tool(30'000));
    BOOST_TEST(joined.find("input_schema_parts = linkspan::joined_literals(") != std::string::npos);
    BOOST_TEST(map_tools({tool(30'000)}).problems.empty());
    auto const mapped = map_tools({tool(100'000)});
    BOOST_TEST(one_tool::problems_of(mapped) == "/inputSchema: too large to be embedded in the header");
    BOOST_TEST(mapped.tools.front().input_schema == "");
}

BOOST_AUTO_TEST_SUITE_END()
