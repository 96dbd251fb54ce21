#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_RESPONDS_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_RESPONDS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/script/detail/script_format.hpp>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns whether an action sends a response, or ends the request without one.
inline bool responds(script_format::action const& one)
{
    return one.text || one.structured || one.content || one.tool_error || one.rpc_error || one.result ||
           one.input_required || one.default_response || one.http || one.hang || one.close || one.exit || one.emit;
}

} // namespace linkspan::test::detail

#endif
