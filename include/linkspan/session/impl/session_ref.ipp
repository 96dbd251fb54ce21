#ifndef LINKSPAN_SESSION_IMPL_SESSION_REF_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_REF_IPP

#include <linkspan/session/session.hpp>
#include <linkspan/session/session_core.hpp>
#include <linkspan/session/session_ref.hpp>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

LINKSPAN_DECL session_pointer const& session_access::core(session const& of) noexcept { return of.core_; }

} // namespace detail

LINKSPAN_DECL session_ref::session_ref(session const& of) noexcept : core_(detail::session_access::core(of)) {}

LINKSPAN_DECL session_state session_ref::state() const noexcept { return core_->state(); }

LINKSPAN_DECL server_description const& session_ref::server() const noexcept { return core_->server(); }

} // namespace linkspan

#endif
