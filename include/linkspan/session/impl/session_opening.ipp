#ifndef LINKSPAN_SESSION_IMPL_SESSION_OPENING_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_OPENING_IPP

// How a session comes to be ready: the part of `session_core` that drives the negotiation.

#include <linkspan/core/back_off.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/session/session_core.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <tuple>
#include <utility>

namespace linkspan::detail {

// Between two tries to listen; a subscription that lasts longer than the longest pause was a good one.
inline constexpr duration listen_pause = std::chrono::seconds(1);
inline constexpr duration longest_listen_pause = std::chrono::seconds(60);

// The start of a connection. When the loop ends before it comes, everything is dropped, so that nothing keeps itself
// alive.
class session_core::starting {
public:
    explicit starting(std::shared_ptr<session_core> session) noexcept
        : session_(std::move(session)), connection_(session_->connection_)
    {}
    starting(starting&&) noexcept = default;
    starting& operator=(starting&&) = delete;

    ~starting()
    {
        if (session_ && session_->connection_ == connection_)
            session_->drop_all();
    }

    void operator()(error_code ec)
    {
        auto const session = std::exchange(session_, nullptr);
        if (session->connection_ == connection_)
            session->on_transport_open(ec);
    }

private:
    std::shared_ptr<session_core> session_;
    unsigned connection_;
};

// Reads one connection, until it ends or another takes its place. Drops everything as `starting` does.
class session_core::reading final : public receive_op, public std::enable_shared_from_this<reading> {
public:
    explicit reading(std::shared_ptr<session_core> session)
        : session_(std::move(session)), connection_(session_->connection_)
    {}

    ~reading()
    {
        if (waits_ && session_->connection_ == connection_)
            session_->drop_all();
    }

    void go_on()
    {
        if (session_->connection_ != connection_ || session_->state_ == session_state::closed)
            return;
        waits_ = true;
        session_->transport_->receive(shared_from_this());
    }

    void on_received(error_code ec, std::span<inbound const> batch) override
    {
        waits_ = false;
        auto const session = session_; // what runs below may drop everybody else's hold on it
        if (session->connection_ != connection_)
            return;
        try {
            session->on_received(ec, batch);
        } catch (...) { // of a handler of ours: the other calls go on
            if (!ec)
                go_on();
            throw;
        }
        if (!ec)
            go_on();
    }

private:
    std::shared_ptr<session_core> session_;
    unsigned connection_;
    bool waits_ = false;
};

LINKSPAN_DECL void session_core::open(pending_handler<void(error_code)> done)
{
    serial_scope const here(*this, &session_core::serial);
    if (state_ != session_state::idle && state_ != session_state::closed) {
        asio::post(executor_, [done = std::move(done)]() mutable { done.complete(asio::error::already_open); });
        return;
    }
    auto transport = factory_(executor_); // may throw; nothing has changed then
    state_ = session_state::opening;
    was_connected_ = false;
    spoken_.reset();
    listen_tries_ = 0;
    missed_ = false;
    hears_changes_.reset();
    opener_ = make_cancellable(std::move(done), executor_);
    opener_->on_cancel(terminal_or_partial, [weak = weak_from_this()] {
        if (auto const self = weak.lock())
            self->close();
        return std::tuple();
    });
    opened_at_ = time_.now();
    identity_ = {options_.client_name, options_.client_version, "{}"};
    diagnostics_.clear();
    open_transport(std::move(transport));
    start_negotiation(options_.remembered);
}

LINKSPAN_DECL void session_core::start_negotiation(std::optional<era> remembered)
{
    negotiation::options with;
    with.remembered = remembered;
    with.silence_is_legacy = transport_->silence_is_legacy();
    with.any_error_is_legacy = options_.any_error_is_legacy || with.silence_is_legacy;
    for (auto const& row : revisions)
        with.carried[static_cast<std::size_t>(row.id)] = transport_->supports(row.id);
    negotiation_.emplace(with);
}

LINKSPAN_DECL void session_core::open_transport(any_transport transport)
{
    ++connection_;
    violation_ = {};
    answers_unread_ = 0;
    unanswered_.clear();
    transport_.reset();
    transport_.emplace(std::move(transport));
    transport_->open({starting(shared_from_this()), executor_});
}

LINKSPAN_DECL void session_core::on_transport_open(error_code ec)
{
    if (state_ != session_state::opening)
        return;
    if (ec)
        return on_opening_failed(ec);
    was_connected_ = true;
    std::make_shared<reading>(shared_from_this())->go_on();
    act(negotiation_->is_reopening() ? negotiation_->on_reopened() : negotiation_->start());
}

LINKSPAN_DECL void session_core::act(negotiation::action const& next)
{
    using kind = negotiation::action::kind;
    switch (next.what) {
    case kind::probe:
    case kind::initialize: return send_opening(next);
    case kind::reopen: return renewing_ ? on_renewal_failed(error::stream_ended) : reopen();
    case kind::done: return on_negotiated(next.proposed);
    case kind::failed: return on_opening_failed(next.ec);
    case kind::none: return;
    }
}

LINKSPAN_DECL void session_core::reopen()
{
    std::optional<any_transport> another;
    try {
        another.emplace(factory_(executor_));
    } catch (std::exception const& failure) {
        diagnostics_ = failure.what();
        return on_opening_failed(error::connection_failed);
    }
    open_transport(std::move(*another));
}

// They follow from the handlers that are set: a server may ask only for what it was offered.
LINKSPAN_DECL std::string session_core::capabilities_in(revision spoken) const
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> offers{{
        {"elicitation/create", "elicitation"},
        {"roots/list", "roots"},
        {"sampling/createMessage", "sampling"},
    }};
    auto const& traits = traits_of(spoken);
    std::string out = "{";
    for (auto const& [method, name] : offers) {
        bool const is_elicitation = name == "elicitation";
        auto const set = capabilities.find(method);
        std::string_view value = set == capabilities.end() ? std::string_view("{}") : set->second;
        if (!request_handlers.contains(method) || (is_elicitation && !traits.elicitation))
            continue;
        if (is_elicitation && !traits.elicitation_modes) {
            if (value != "{}" && json_scan::member(value, "form").empty())
                continue; // it knows forms only
            value = "{}";
        }
        append_quoted(out += out.size() > 1 ? "," : "", name);
        (out += ':') += value;
    }
    return out += '}';
}

LINKSPAN_DECL void session_core::send_opening(negotiation::action const& next)
{
    identity_.capabilities = capabilities_in(next.proposed);
    bool const probes = next.what == negotiation::action::kind::probe;
    composer_.speak(next.proposed, identity_);
    proposed_ = probes ? std::optional(next.proposed) : std::nullopt;
    opening_.method = probes ? "server/discover" : "initialize";
    opening_params_ = probes ? std::string() : initialize_params(next.proposed, identity_);
    opening_.params = opening_params_;
    opening_.began = time_.now();
    opening_.was_sent_ = false;
    opening_.idle_limit = opening_.attempt_limit = duration::max();
    opening_.deadline =
        later(opened_at_, probes ? std::min(options_.probe_limit, options_.startup_limit) : options_.startup_limit);
    send(opening_);
}

LINKSPAN_DECL void session_core::on_opening_reply(reply const& how)
{
    if (state_ != session_state::opening && !renewing_)
        return;
    auto const& ec = how.result.ec;
    if (how.result.answered && ec.category() == rpc_category()) {
        auto const failure = read_failure(how.body);
        diagnostics_ = json_scan::string(failure.message).value_or("");
        act(negotiation_->on_error(failure.code, failure.data));
    } else if (!ec) {
        // A probe's answer may turn out to be no verdict; then the handshake describes the server anew.
        describe_server(how.body);
        act(negotiation_->on_result(how.body));
    } else if (ec == error::deadline_exceeded) {
        act(negotiation_->on_silence());
    } else if (ec == error::malformed_message) {
        act(negotiation_->on_unreadable(ec));
    } else {
        act(negotiation_->on_end(ec));
    }
}

// The carrier answered the opening request, in the place of the server.
LINKSPAN_DECL void session_core::on_opening_refused(inbound_report const& report)
{
    forget(opening_);
    diagnostics_ = report.first_bytes;
    std::optional<era> shown;
    if (report.era != era_evidence::none)
        shown = report.era == era_evidence::handshake ? era::handshake : era::stateless;
    act(negotiation_->on_refused(shown, report.ec));
}

LINKSPAN_DECL void session_core::describe_server(std::string_view result)
{
    auto info = json_scan::member(result, "serverInfo");
    if (info.empty())
        info = json_scan::member(json_scan::member(result, "_meta"), "io.modelcontextprotocol/serverInfo");
    server_.name = json_scan::string(json_scan::member(info, "name")).value_or("");
    server_.version = json_scan::string(json_scan::member(info, "version")).value_or("");
    server_.capabilities = json_scan::member(result, "capabilities");
    server_.instructions = json_scan::string(json_scan::member(result, "instructions")).value_or("");
    server_.fresh_for = read_ttl(json_scan::member(result, "ttlMs"));
    server_.is_public = json_scan::member(result, "cacheScope") == R"("public")";
}

LINKSPAN_DECL void session_core::on_negotiated(revision spoken)
{
    spoken_ = spoken;
    options_.remembered = traits_of(spoken).opening;
    composer_.speak(spoken, identity_);
    mirrors_ = traits_of(spoken).opening == era::stateless && transport_->mirrors_arguments();
    diagnostics_.clear();
    if (traits_of(spoken).opening == era::handshake)
        notify("notifications/initialized", {});
    if (renewing_)
        return on_renewed();
    state_ = session_state::ready;
    if (traits_of(spoken).opening == era::stateless)
        listen();
    std::exchange(opener_, {})->complete({});
}

LINKSPAN_DECL void session_core::listen()
{
    auto const tools = json_scan::member(server_.capabilities, "tools");
    hears_changes_.reset();
    if (json_scan::member(tools, "listChanged") != "true" || !notification_handlers.contains(tools_changed))
        return;
    listening_.method = "subscriptions/listen";
    listening_.params = R"("notifications":{"toolsListChanged":true})";
    listening_.idle_limit = listening_.attempt_limit = duration::max();
    listening_.began = time_.now();
    listening_.was_sent_ = false;
    send(listening_);
}

// The server may honour less than it was asked for. What it could not tell while nobody listened may have changed.
//
// Specification: 2026-07-28, basic, "Subscriptions", "Acknowledgment".
LINKSPAN_DECL void session_core::on_acknowledged(std::string_view params)
{
    auto const id = json_scan::member(json_scan::member(params, "_meta"), "io.modelcontextprotocol/subscriptionId");
    if (listening_.state_ != request_op::state::sent || json_scan::integer(id) != listening_.id_)
        return;
    hears_changes_ = json_scan::member(json_scan::member(params, "notifications"), "toolsListChanged") == "true";
    if (std::exchange(missed_, false))
        tell_changes();
}

// The server has ended it, or it broke off: it is asked for again, unless it does not know of such a thing.
LINKSPAN_DECL void session_core::on_listening_over(error_code ec)
{
    if (state_ != session_state::ready)
        return;
    bool const is_unknown = ec.category() == rpc_category() && (ec.value() == -32601 || ec.value() == -32602);
    hears_changes_ = false;
    if (is_unknown)
        return;
    missed_ = true;
    auto const now = time_.now();
    listen_tries_ = now - listening_.began > longest_listen_pause ? 1 : listen_tries_ + 1;
    listen_timer_.expires_after(equal_jitter(listen_pause, longest_listen_pause, listen_tries_, time_.draw()));
    listen_timer_.async_wait([weak = weak_from_this(), connection = connection_](error_code cancelled) {
        auto const self = weak.lock();
        if (!cancelled && self && self->connection_ == connection && self->state_ == session_state::ready)
            self->listen();
    });
}

LINKSPAN_DECL bool session_core::tells_changes() const
{
    auto const tools = json_scan::member(server_.capabilities, "tools");
    return json_scan::member(tools, "listChanged") == "true" && hears_changes_.value_or(true);
}

LINKSPAN_DECL void session_core::on_opening_failed(error_code ec)
{
    if (renewing_)
        return on_renewal_failed(ec);
    state_ = session_state::closed;
    timer_.cancel();
    timer_due_ = time_point::max();
    unanswered_.clear();
    transport_->close();
    if (was_connected_)
        options_.remembered.reset(); // what was true of the server may have changed: the next opening asks
    if (auto const detail = transport_->diagnostics(); !detail.empty())
        (diagnostics_ += diagnostics_.empty() ? "" : "\n") += detail;
    std::exchange(opener_, {})->complete(ec);
}

} // namespace linkspan::detail

#endif
