#ifndef LINKSPAN_SESSION_IMPL_HOSTED_TASKS_IPP
#define LINKSPAN_SESSION_IMPL_HOSTED_TASKS_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/wire_members.hpp>
#include <linkspan/session/detail/hosted_tasks.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL bool hosted_tasks::exist_in(protocol_version version) noexcept
{
    return has_member(version, wire_member::task_support);
}

LINKSPAN_DECL bool hosted_tasks::is_requested_by(envelope const& request) noexcept
{
    return (request.method == "sampling/createMessage" || request.method == "elicitation/create") &&
           json_scan::member(request.params, "task").starts_with('{');
}

LINKSPAN_DECL std::optional<client_tasks_capability> hosted_tasks::capability(bool has_sampling,
                                                                              bool has_elicitation) noexcept
{
    if (!has_sampling && !has_elicitation)
        return std::nullopt;
    return client_tasks_capability{true, true, has_sampling, has_elicitation};
}

} // namespace linkspan::detail

#endif
