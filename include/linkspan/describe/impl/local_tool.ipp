#ifndef LINKSPAN_DESCRIBE_IMPL_LOCAL_TOOL_IPP
#define LINKSPAN_DESCRIBE_IMPL_LOCAL_TOOL_IPP

#include <linkspan/describe/detail/text_members.hpp>
#include <linkspan/describe/local_tool.hpp>

#include <exception>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string local_tool::run(std::string_view arguments) const
try {
    return run_(arguments);
} catch (std::exception const& failure) {
    return detail::text_members(failure.what()) + R"(,"isError":true)";
} catch (...) {
    return detail::text_members("the tool failed: its function threw an unknown exception") + R"(,"isError":true)";
}

LINKSPAN_DECL std::string local_tool::call(std::string_view arguments) const
try {
    return run_(arguments);
} catch (tool_failure const& failure) {
    return detail::text_members(failure.what()) + R"(,"isError":true)";
}

} // namespace linkspan

#endif
