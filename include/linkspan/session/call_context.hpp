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

// What a caller hands on to the server beside the arguments: it travels in `params._meta`.

namespace linkspan {

/// Who calls, and for which of their requests.
struct call_deps {
    boost::json::object user_context;
    std::optional<std::string> request_id;
};

BOOST_DESCRIBE_STRUCT(call_deps, (), (user_context, request_id))

/// Adds a member to `_meta`. `value` is JSON text. A key that is there already is left as it is, so that what a caller
/// says goes before what is said for it.
LINKSPAN_DECL void pass_meta(call_options& options, std::string_view key, std::string_view value);

/// Hands dependencies to the server, as `_meta.deps` or under a key of your own: the specification asks for keys with a
/// prefix, as "example.org/deps", which servers have to expect.
///
/// `Deps` is `call_deps`, or any type that `boost::json::value_from` takes, as a described struct. The `request_id` of
/// the former is also what observers know the call by, unless `call_options::correlation` says otherwise.
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

/// The trace that a call belongs to.
///
/// Specification: W3C Trace Context, and W3C Baggage; 2026-07-28, basic, "_meta".
struct trace_context {
    std::string traceparent; ///< as "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    std::string tracestate;  ///< may be empty
    std::string baggage;     ///< may be empty
};

/// Hands on a trace. Errors: `malformed_context` when `traceparent` is none; then nothing is added.
LINKSPAN_DECL error_code pass_trace(call_options& options, trace_context const& trace);

/// Connectors that a call may come through.
inline constexpr std::size_t max_hops = 8;

/// For whoever forwards requests of others: hands on the connectors that a request came through, and adds `own_id`.
/// `meta` is the `_meta` of that request, as JSON text, and may be empty.
///
/// Errors: `routing_loop` when the request came through `own_id` before, or through `max_hops`; then do not forward it.
LINKSPAN_DECL error_code pass_hops(call_options& options, std::string_view meta, std::string_view own_id);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/call_context.ipp>
#endif

#endif
