#ifndef LINKSPAN_TEST_SUPPORT_RESULT_WITH_HPP
#define LINKSPAN_TEST_SUPPORT_RESULT_WITH_HPP

#include <linkspan/model/call_result.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns a result of the server "a" with these members.
inline call_result result_with(std::string_view members)
{
    return call_result(linkspan::detail::shared_text("{" + std::string(members) + "}"), "a");
}

} // namespace linkspan::test

#endif
