#ifndef LINKSPAN_TEST_SUPPORT_ANY_TOOL_HPP
#define LINKSPAN_TEST_SUPPORT_ANY_TOOL_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/tool.hpp>

#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns the definition of a tool whose input is any object.
inline tool any_tool(std::string name)
{
    tool out;
    out.name = std::move(name);
    out.input_schema = R"({"type":"object"})";
    return out;
}

} // namespace linkspan::test

#endif
