#ifndef LINKSPAN_SESSION_CALL_CONTEXT_HPP
#define LINKSPAN_SESSION_CALL_CONTEXT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/call_options.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value_from.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Context that a caller passes to the server in addition to the arguments of a call. The context is sent in
// `params._meta`.

namespace linkspan::inline LINKSPAN_ABI {

/// Context of a call: the end user on whose behalf the call is made, and the request in the caller's own system that
/// causes the call.
struct call_deps {
    boost::json::object user_context;      ///< any members that describe the end user; default: empty
    std::optional<std::string> request_id; ///< id of the caller's own request; default: none
};

BOOST_DESCRIBE_STRUCT(call_deps, (), (user_context, request_id))

/// Adds a member to `call_options::meta`. An existing member with the same key is not changed, so that values set by
/// the caller take precedence.
///
/// \param options Options whose `meta` is empty or a JSON object.
/// \param key Name of the member.
/// \param value JSON text of the value. The text is not validated.
LINKSPAN_DECL void pass_meta(call_options& options, std::string_view key, std::string_view value);

/// Passes a context to the server as one member of `_meta`.
///
/// If `Deps` is `call_deps` with a `request_id`, and `call_options::correlation` is empty, the `request_id` also
/// becomes the correlation id that observers report.
///
///     call_options options;
///     pass_deps(options, call_deps{.user_context = {{"tenant", "acme"}}, .request_id = "r-17"}, "example.org/deps");
///
/// \tparam Deps `call_deps`, or any type that `boost::json::value_from` converts, for example a described struct.
/// \param options Options of the call, whose `meta` is empty or a JSON object.
/// \param deps The context.
/// \param key Name of the member. The specification recommends keys with a prefix, for example "example.org/deps". An
/// existing member with this key is not changed.
template<class Deps>
void pass_deps(call_options& options, Deps const& deps, std::string_view key = "deps")
{
    std::string text;
    append_json(text, boost::json::value_from(deps));
    pass_meta(options, key, text);
    if constexpr (std::same_as<Deps, call_deps>)
        if (deps.request_id && options.correlation.empty())
            options.correlation = *deps.request_id;
}

/// Distributed trace to which a call belongs.
///
/// \par Specification
/// W3C Trace Context; W3C Baggage; MCP 2026-07-28, basic, "_meta".
struct trace_context {
    std::string traceparent; ///< required, for example "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    std::string tracestate;  ///< vendor data; empty: not sent
    std::string baggage;     ///< application data; empty: not sent
};

/// Passes a trace to the server, as the members `traceparent`, `tracestate` and `baggage` of `_meta`.
///
/// Existing members with these keys are not changed. `tracestate` and `baggage` are not validated.
///
/// \param options Options of the call, whose `meta` is empty or a JSON object.
/// \param trace The trace.
/// \par Errors
/// `malformed_context`: `traceparent` is not valid; nothing is added.
LINKSPAN_DECL error_code pass_trace(call_options& options, trace_context const& trace);

/// Maximum number of connectors through which a request may be forwarded.
inline constexpr std::size_t max_hops = 8;

/// Copies the list of connectors that have forwarded a request to the options of a further call, and appends `own_id`
/// to the list.
///
/// Used by a server that forwards a received request through a connector of its own. The list is the member
/// `linkspan/hops` of `_meta`. An existing member `linkspan/hops` of the options is not changed.
///
/// \param options Options of the forwarded call.
/// \param meta The `_meta` object of the received request, as JSON text; empty: none.
/// \param own_id Identifies the forwarding connector among all connectors of the deployment.
/// \par Errors
/// `routing_loop`: the request was already forwarded by `own_id`, or by `max_hops` connectors; the options are
/// unchanged, and the request must not be forwarded.
LINKSPAN_DECL error_code pass_hops(call_options& options, std::string_view meta, std::string_view own_id);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/call_context.ipp>
#endif

#endif
