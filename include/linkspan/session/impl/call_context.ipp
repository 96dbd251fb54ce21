#ifndef LINKSPAN_SESSION_IMPL_CALL_CONTEXT_IPP
#define LINKSPAN_SESSION_IMPL_CALL_CONTEXT_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/session/call_context.hpp>

#include <algorithm>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline constexpr std::string_view hops_key = "linkspan/hops";

// Returns true for "00-<32 hex>-<16 hex>-<2 hex>" in lower case, if neither id consists of zeros only. Versions later
// than 00 may append fields.
inline bool is_traceparent(std::string_view text) noexcept
{
    constexpr std::size_t size = 55;
    constexpr std::string_view digits = "0123456789abcdef";
    bool const has_rest = text.size() > size && text.substr(0, 2) != "00" && text[size] == '-';
    if (text.size() != size && !has_rest)
        return false;
    for (std::size_t i = 0; i != size; ++i) {
        bool const is_dash = i == 2 || i == 35 || i == 52;
        if (is_dash ? text[i] != '-' : digits.find(text[i]) == digits.npos)
            return false;
    }
    auto const is_zero = [](std::string_view id) { return id.find_first_not_of('0') == id.npos; };
    return text.substr(0, 2) != "ff" && !is_zero(text.substr(3, 32)) && !is_zero(text.substr(36, 16));
}

inline std::string as_json(std::string_view text)
{
    std::string out;
    append_quoted(out, text);
    return out;
}

} // namespace detail

LINKSPAN_DECL void pass_meta(call_options& options, std::string_view key, std::string_view value)
{
    auto& meta = options.meta;
    if (!json_scan::member(meta, key).empty())
        return;
    auto const close = meta.rfind('}');
    bool const is_new = close == meta.npos;
    if (is_new)
        meta = "{";
    else
        meta.resize(close);
    if (meta.find_first_not_of(" \t\r\n{") != meta.npos)
        meta += ',';
    append_quoted(meta, key);
    ((meta += ':') += value) += '}';
}

LINKSPAN_DECL error_code pass_trace(call_options& options, trace_context const& trace)
{
    if (!detail::is_traceparent(trace.traceparent))
        return error::malformed_context;
    pass_meta(options, "traceparent", detail::as_json(trace.traceparent));
    if (!trace.tracestate.empty())
        pass_meta(options, "tracestate", detail::as_json(trace.tracestate));
    if (!trace.baggage.empty())
        pass_meta(options, "baggage", detail::as_json(trace.baggage));
    return {};
}

LINKSPAN_DECL error_code pass_hops(call_options& options, std::string_view meta, std::string_view own_id)
{
    auto const own = detail::as_json(own_id);
    std::string hops = "[";
    std::size_t count = 0;
    json_scan::reader before(json_scan::member(meta, detail::hops_key));
    while (auto const hop = before.next()) {
        if (hop->value == own || ++count >= max_hops)
            return error::routing_loop;
        (hops += hop->value) += ',';
    }
    pass_meta(options, detail::hops_key, (hops += own) += ']');
    return {};
}

} // namespace linkspan

#endif
