#ifndef LINKSPAN_TEST_SUPPORT_ONE_TOOL_HPP
#define LINKSPAN_TEST_SUPPORT_ONE_TOOL_HPP

#include <linkspan/bindgen/mapping/map_tools.hpp>

#include <boost/test/unit_test.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// A tool `t` with one schema, and the bindings made from it.

namespace one_tool {

namespace bindgen = linkspan::bindgen;

inline linkspan::tool tool(std::string name, std::string_view input, std::string_view output = {})
{
    linkspan::tool out;
    out.name = std::move(name);
    out.input_schema = input;
    out.output_schema = output;
    return out;
}

inline bindgen::tool_mapping_result map(std::string_view input, std::string_view output = {})
{
    auto out = bindgen::map_tools({tool("t", input, output)});
    BOOST_TEST_REQUIRE(out.tools.size() == 1U);
    return out;
}

// Maps arguments with one member `x`.
inline bindgen::tool_mapping_result map_member(std::string_view schema, bool is_required = true)
{
    return map(R"({"type":"object","properties":{"x":)" + std::string(schema) + "}" +
               (is_required ? R"(,"required":["x"]})" : "}"));
}

inline std::string joined(std::vector<std::string> const& texts)
{
    std::string out;
    for (auto const& text : texts)
        (out += out.empty() ? "" : "; ") += text;
    return out;
}

inline bindgen::member_binding const& only_member(bindgen::tool_mapping_result const& mapped)
{
    BOOST_TEST_REQUIRE(mapped.tools.front().arguments.members.size() == 1U);
    return mapped.tools.front().arguments.members.front();
}

// Returns a type on one line: "struct t_x {std::string a; std::int64_t b}", "enum t_x {a, b}", "using t_x = double".
inline std::string shown(bindgen::struct_binding const& made)
{
    std::string out = "struct " + made.name + " {";
    for (auto const& member : made.members) {
        out += out.back() == '{' ? "" : "; ";
        out += member.type + ' ' + member.name;
    }
    return out + '}';
}

inline std::string shown(bindgen::enum_binding const& made)
{
    std::string out = "enum " + made.name + " {";
    for (auto const& value : made.values) {
        out += out.back() == '{' ? "" : ", ";
        out += value.name + (value.name == value.wire ? "" : "=" + value.wire);
    }
    return out + '}';
}

inline std::string shown(bindgen::alias_binding const& made) { return "using " + made.name + " = " + made.type; }

inline std::string types_of(bindgen::tool_mapping_result const& mapped)
{
    std::vector<std::string> out;
    for (auto const& type : mapped.tools.front().types)
        out.push_back(std::visit([](auto const& made) { return shown(made); }, type));
    return joined(out);
}

inline std::string problems_of(bindgen::tool_mapping_result const& mapped)
{
    std::vector<std::string> out;
    for (auto const& problem : mapped.problems)
        out.push_back(problem.pointer + ": " + problem.message);
    return joined(out);
}

} // namespace one_tool

#endif
