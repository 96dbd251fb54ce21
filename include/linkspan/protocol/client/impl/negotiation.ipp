#ifndef LINKSPAN_PROTOCOL_CLIENT_IMPL_NEGOTIATION_IPP
#define LINKSPAN_PROTOCOL_CLIENT_IMPL_NEGOTIATION_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/client/negotiation.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Returns the newest protocol version of the era `which` in a JSON array that the transport supports. Unknown
// versions are ignored.
inline std::optional<protocol_version> newest_common(std::string_view list, era which,
                                                     std::bitset<protocol_versions.size()> const& carried)
{
    std::optional<protocol_version> best;
    json_scan::reader entries(list);
    while (auto const entry = entries.next()) {
        auto const known = protocol_version_from(json_scan::quoted(entry->value).value_or(""));
        if (known && traits_of(*known).era == which && carried[static_cast<std::size_t>(*known)] &&
            (!best || *known > *best))
            best = known;
    }
    return best;
}

inline bool is_array(std::string_view text) noexcept { return json_scan::reader(text).is_array(); }

} // namespace detail

LINKSPAN_DECL negotiation::action negotiation::start()
{
    if (options_.remembered == era::handshake || !newest_supported(era::stateless))
        return initialize_newest(error::no_common_protocol_version);
    return probe_newest(error::no_common_protocol_version);
}

LINKSPAN_DECL negotiation::action negotiation::on_reopened()
{
    if (state_ != state::reopening)
        return {action::kind::none, {}, {}};
    return initialize_newest(error::stream_ended);
}

LINKSPAN_DECL negotiation::action negotiation::on_result(std::string_view result)
{
    if (state_ == state::probing) {
        auto const supported = json_scan::member(result, "supportedVersions");
        return detail::is_array(supported) ? choose(supported, true)
                                           : initialize_newest(error::no_common_protocol_version);
    }
    if (state_ != state::initializing)
        return {action::kind::none, {}, {}};
    auto const text = json_scan::member(result, "protocolVersion");
    auto const agreed = protocol_version_from(json_scan::quoted(text).value_or(""));
    if (!agreed || traits_of(*agreed).era != era::handshake || !options_.carried[static_cast<std::size_t>(*agreed)])
        return fail(error::no_common_protocol_version);
    state_ = state::over;
    return {action::kind::done, *agreed, {}};
}

LINKSPAN_DECL negotiation::action negotiation::on_error(int code, std::string_view data)
{
    auto const supported = json_scan::member(data, "supported");
    if (state_ == state::probing) {
        if (code == detail::unsupported_protocol_version && detail::is_array(supported))
            return choose(supported, false);
        bool const is_stateless_only = code == detail::header_mismatch || code == detail::missing_capability;
        if (is_stateless_only && !options_.handshake_on_any_error)
            return fail({code, rpc_category()});
        // Every other error, regardless of its code, may be the response of a handshake-era server to an unknown
        // method.
        return initialize_newest({code, rpc_category()});
    }
    if (state_ != state::initializing)
        return {action::kind::none, {}, {}};
    if ((code == detail::unsupported_protocol_version || code == detail::invalid_params) && detail::is_array(supported))
        return choose(supported, false);
    if (code == detail::unsupported_protocol_version)
        return probe_newest({code, rpc_category()});
    handshake_error_ = {code, rpc_category()};
    // The remembered era may be outdated: a server without a handshake may refuse `initialize` with any code.
    return probed_.empty() ? probe_newest(handshake_error_) : fail(handshake_error_);
}

LINKSPAN_DECL negotiation::action negotiation::on_refused(std::optional<era> indicated, error_code ec)
{
    if (state_ == state::probing)
        return indicated == era::handshake ? initialize_newest(ec) : fail(ec);
    if (state_ != state::initializing)
        return {action::kind::none, {}, {}};
    handshake_error_ = ec;
    return indicated && probed_.empty() ? probe_newest(ec) : fail(ec); // the remembered era may be outdated
}

LINKSPAN_DECL negotiation::action negotiation::on_unreadable(error_code ec)
{
    if (state_ == state::probing)
        return initialize_newest(ec);
    if (state_ != state::initializing)
        return {action::kind::none, {}, {}};
    return fail(ec);
}

LINKSPAN_DECL negotiation::action negotiation::on_no_response()
{
    if (state_ == state::probing && options_.handshake_on_no_response)
        return initialize_newest(error::attempt_timed_out);
    if (state_ == state::idle || state_ == state::over)
        return {action::kind::none, {}, {}};
    return fail(error::attempt_timed_out);
}

LINKSPAN_DECL negotiation::action negotiation::on_end(error_code ec)
{
    if (state_ == state::over)
        return {action::kind::none, {}, {}};
    // Some handshake-era servers close the connection on any request before `initialize`.
    if (state_ == state::probing && options_.handshake_on_no_response && !reopened_) {
        state_ = state::reopening;
        reopened_ = true;
        return {action::kind::reopen, {}, {}};
    }
    return fail(ec);
}

LINKSPAN_DECL std::optional<protocol_version> negotiation::newest_supported(era which) const
{
    std::optional<protocol_version> best;
    for (auto const& row : protocol_versions)
        if (row.era == which && options_.carried[static_cast<std::size_t>(row.id)])
            best = row.id;
    return best;
}

// `error_if_none`: error if the transport supports no protocol version of that era.
LINKSPAN_DECL negotiation::action negotiation::probe_newest(error_code error_if_none)
{
    auto const proposed = newest_supported(era::stateless);
    return proposed ? probe(*proposed) : fail(error_if_none);
}

LINKSPAN_DECL negotiation::action negotiation::initialize_newest(error_code error_if_none)
{
    auto const proposed = newest_supported(era::handshake);
    return proposed ? initialize(*proposed) : fail(error_if_none);
}

LINKSPAN_DECL negotiation::action negotiation::probe(protocol_version proposed)
{
    if (std::ranges::find(probed_, proposed) != probed_.end())
        return fail(error::no_common_protocol_version);
    probed_.push_back(proposed);
    state_ = state::probing;
    proposed_ = proposed;
    return {action::kind::probe, proposed, {}};
}

LINKSPAN_DECL negotiation::action negotiation::initialize(protocol_version proposed)
{
    if (std::ranges::find(initialized_, proposed) != initialized_.end())
        return fail(handshake_error_);
    initialized_.push_back(proposed);
    state_ = state::initializing;
    proposed_ = proposed;
    return {action::kind::initialize, proposed, {}};
}

// The list may contain protocol versions of both eras; stateless versions are preferred.
LINKSPAN_DECL negotiation::action negotiation::choose(std::string_view supported, bool accepted)
{
    auto const newest_stateless = detail::newest_common(supported, era::stateless, options_.carried);
    if (newest_stateless && accepted && *newest_stateless == proposed_) {
        state_ = state::over;
        return {action::kind::done, *newest_stateless, {}};
    }
    if (newest_stateless && std::ranges::find(probed_, *newest_stateless) == probed_.end())
        return probe(*newest_stateless);
    if (auto const newest_handshake = detail::newest_common(supported, era::handshake, options_.carried)) {
        // The server may list a version that it has refused; the next older version of the list is then proposed.
        auto not_proposed = options_.carried;
        for (auto const refused : initialized_)
            not_proposed.reset(static_cast<std::size_t>(refused));
        return initialize(detail::newest_common(supported, era::handshake, not_proposed).value_or(*newest_handshake));
    }
    // The server refused a version that it supports. This may be transient, for example while the server is being
    // replaced, so the version is probed once more.
    if (newest_stateless && !accepted && *newest_stateless == proposed_ && state_ == state::probing &&
        !std::exchange(probed_twice_, true))
        return {action::kind::probe, *newest_stateless, {}};
    return fail(error::no_common_protocol_version);
}

LINKSPAN_DECL negotiation::action negotiation::fail(error_code ec)
{
    state_ = state::over;
    return {action::kind::failed, {}, ec};
}

} // namespace linkspan

#endif
