#ifndef LINKSPAN_SESSION_IMPL_SESSION_OPENER_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_OPENER_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/protocol/client/request_scheduler.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/session/detail/session_opener.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL session_opener::session_opener(session_options const& options)
    : identity_{options.client_name, options.client_version, "{}", {}},
      startup_timeout_(options.startup_timeout),
      probe_timeout_(options.probe_timeout),
      handshake_on_any_error_(options.handshake_on_any_error),
      remembered_(options.remembered)
{}

LINKSPAN_DECL void session_opener::begin(time_point now) noexcept
{
    connected_ = false;
    version_.reset();
    opened_at_ = now;
}

LINKSPAN_DECL void session_opener::on_transport(transport_traits const& traits)
{
    start_negotiation(traits, remembered_);
}

LINKSPAN_DECL session_opener::action session_opener::begin_renewal(transport_traits const& traits, time_point now)
{
    opened_at_ = now;
    start_negotiation(traits, era::handshake);
    return negotiation_->start();
}

LINKSPAN_DECL void session_opener::start_negotiation(transport_traits const& traits, std::optional<era> remembered)
{
    negotiation::options with;
    with.remembered = remembered;
    with.handshake_on_no_response = traits.handshake_on_no_response;
    with.handshake_on_any_error = handshake_on_any_error_ || traits.handshake_on_no_response;
    with.carried = traits.carried;
    negotiation_.emplace(with);
}

LINKSPAN_DECL session_opener::action session_opener::on_connected()
{
    connected_ = true;
    return negotiation_->is_reopening() ? negotiation_->on_reopened() : negotiation_->start();
}

LINKSPAN_DECL session_opener::request session_opener::next_request(action const& next, std::string capabilities)
{
    identity_.capabilities = std::move(capabilities);
    bool const probes = next.what == action::kind::probe;
    proposed_ = probes ? std::optional(next.proposed) : std::nullopt;
    params_ = probes ? std::string() : initialize_params(next.proposed, identity_);
    auto const timeout = probes ? std::min(probe_timeout_, startup_timeout_) : startup_timeout_;
    return {probes ? "server/discover" : "initialize", probes ? message_kind::probe : message_kind::handshake, params_,
            request_scheduler::later(opened_at_, timeout)};
}

LINKSPAN_DECL session_opener::action session_opener::on_reply(reply const& completion, session_diagnostics& diagnostics)
{
    auto const& ec = completion.result.ec;
    if (completion.result.has_response && ec.category() == rpc_category()) {
        auto const failure = read_failure(completion.body);
        diagnostics.set_reason(json_scan::string(failure.message).value_or(""));
        return negotiation_->on_error(failure.code, failure.data);
    }
    if (!ec) {
        // If the result of the probe is not conclusive, the result of `initialize` replaces this description.
        describe_server(completion.body);
        return negotiation_->on_result(completion.body);
    }
    if (ec == error::deadline_exceeded)
        return negotiation_->on_no_response();
    if (ec == error::malformed_message)
        return negotiation_->on_unreadable(ec);
    return negotiation_->on_end(ec);
}

LINKSPAN_DECL session_opener::action session_opener::on_refused(era_evidence indicated, error_code ec)
{
    std::optional<era> of_server;
    if (indicated != era_evidence::none)
        of_server = indicated == era_evidence::handshake ? era::handshake : era::stateless;
    return negotiation_->on_refused(of_server, ec);
}

LINKSPAN_DECL session_opener::action session_opener::on_end(error_code ec) { return negotiation_->on_end(ec); }

LINKSPAN_DECL void session_opener::on_negotiated(protocol_version version) noexcept
{
    version_ = version;
    remembered_ = traits_of(version).era;
}

LINKSPAN_DECL void session_opener::on_failed() noexcept
{
    if (connected_)
        remembered_.reset();
}

LINKSPAN_DECL void session_opener::describe_server(std::string_view result)
{
    auto info = json_scan::member(result, "serverInfo");
    if (info.empty())
        info = json_scan::member(json_scan::member(result, "_meta"), "io.modelcontextprotocol/serverInfo");
    server_description described;
    described.name = json_scan::string(json_scan::member(info, "name")).value_or("");
    described.version = json_scan::string(json_scan::member(info, "version")).value_or("");
    described.capabilities = json_scan::member(result, "capabilities");
    described.instructions = json_scan::string(json_scan::member(result, "instructions")).value_or("");
    described.ttl = read_ttl(json_scan::member(result, "ttlMs"));
    described.is_public = json_scan::member(result, "cacheScope") == R"("public")";
    server_ = std::move(described);
}

} // namespace linkspan::detail

#endif
