#ifndef LINKSPAN_TEST_SUPPORT_SCRIPT_PROBLEMS_HPP
#define LINKSPAN_TEST_SUPPORT_SCRIPT_PROBLEMS_HPP

#include <linkspan/test/script/mock_script.hpp>

#include <string>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns the lines of the exception for a script; empty: the script has no problem.
inline std::string script_problems(std::string const& json)
{
    try {
        mock_script::parse(json, "x");
    } catch (script_error const& failure) {
        return failure.what();
    }
    return {};
}

// Returns a script with a tool `t` and the given members.
inline std::string script_with(std::string const& members)
{
    return R"({"mock":1,"tools":[{"name":"t"}],)" + members + "}";
}

} // namespace linkspan::test

#endif
