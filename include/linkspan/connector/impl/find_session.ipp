#ifndef LINKSPAN_CONNECTOR_IMPL_FIND_SESSION_IPP
#define LINKSPAN_CONNECTOR_IMPL_FIND_SESSION_IPP

#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/connector_access.hpp>
#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/connector/find_session.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::optional<session_ref> find_session(connector_base const& of, std::string_view server)
{
    auto const& core = detail::connector_access::core(of);
    auto const found = core->find(server);
    if (!found)
        return std::nullopt;
    return detail::session_access::make(found->session, {found->shared_key, core->operations().secrets()});
}

} // namespace linkspan

#endif
