#ifndef LINKSPAN_SESSION_IMPL_SESSION_CORE_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_CORE_IPP

#include <linkspan/core/detail/completion_guard.hpp>
#include <linkspan/core/detail/exception_text.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/model/client_capabilities.hpp>
#include <linkspan/session/detail/session_request.hpp>
#include <linkspan/session/session_core.hpp>

#include <boost/asio/error.hpp>

#include <tuple>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL session_core::session_core(asio::any_io_executor executor, transport_factory factory,
                                         session_options options)
    : executor_(std::move(executor)),
      time_(time_source::of(executor_)),
      options_(std::move(options)),
      connection_(std::move(factory)),
      opener_(options_),
      scheduler_(options_.max_in_flight, options_.max_queued),
      timer_(executor_),
      requests_(options_.max_hosted_tasks.host())
{
    opening_.request.notifies_cancellation = false;
    opening_.request.is_internal = true;
    opening_.request.idle_timeout = opening_.request.attempt_timeout = duration::max();
}

LINKSPAN_DECL session_core::~session_core() = default;

// Sets the time of an expiry or a completion. Its end restores the time of the last batch.
class session_core::event_time_scope {
public:
    explicit event_time_scope(session_core& session) noexcept : session_(session), received_(session.now_)
    {
        session.now_ = session.time_.now();
    }

    ~event_time_scope() { session_.now_ = received_; }

    event_time_scope(event_time_scope const&) = delete;
    event_time_scope& operator=(event_time_scope const&) = delete;

private:
    session_core& session_; // set by the constructor
    time_point received_;   // set by the constructor
};

// Opening

// Drops all requests of the session, unless its connection was replaced.
struct session_core::drop_connection {
    void operator()(session_core& session) const noexcept
    {
        if (session.connection_.number() == connection)
            session.drop_all();
    }

    unsigned connection;
};

// Receives from one connection until it ends or is replaced.
class session_core::reading final : public receive_op, public std::enable_shared_from_this<reading> {
public:
    explicit reading(unsigned connection) noexcept : guard_(drop_connection{connection}), connection_(connection) {}

    void proceed(std::shared_ptr<session_core> session)
    {
        auto& core = *session;
        if (core.connection_.number() != connection_ || core.state_ == session_state::closed)
            return;
        guard_.arm(std::move(session));
        core.connection_->receive(shared_from_this());
    }

    void on_received(error_code ec, std::span<inbound const> batch) override
    {
        auto session = guard_.release(); // handlers may release all other references
        if (session->connection_.number() != connection_)
            return;
        try {
            session->on_received(ec, batch);
        } catch (...) { // an exception of a handler must not stop the reception
            if (!ec)
                proceed(std::move(session));
            throw;
        }
        if (!ec)
            proceed(std::move(session));
    }

private:
    completion_guard<session_core, drop_connection> guard_; // armed while a receive is outstanding
    unsigned connection_;                                   // set by the constructor
};

LINKSPAN_DECL void session_core::open(pending_handler<void(error_code)> done)
{
    serial_scope const here(*this, &session_core::serial);
    if (state_ != session_state::idle && state_ != session_state::closed) {
        post_handler(executor_, [done = std::move(done)]() mutable { done.complete(asio::error::already_open); });
        return;
    }
    // The steps that may throw are first, because an exception must leave the session unchanged.
    auto transport = connection_.make_transport(executor_);
    auto handler = make_cancellable(std::move(done), executor_);
    handler->on_cancel(terminal_or_partial, [weak = weak_from_this()] {
        if (auto const self = weak.lock())
            self->close();
        return std::tuple();
    });
    opening_.handler = std::move(handler);
    state_ = session_state::opening;
    opener_.begin(time_.now());
    changes_.on_opened();
    diagnostics_.begin_opening();
    try {
        open_transport(std::move(transport));
    } catch (...) { // the state is that of a failed opening, and the handler is not invoked
        state_ = session_state::closed;
        connection_->close();
        opening_.handler.reset();
        throw;
    }
    opener_.on_transport(connection_.traits());
}

LINKSPAN_DECL void session_core::open_transport(any_transport transport)
{
    requests_.on_all_written();
    requests_.discard();
    connection_.open(std::move(transport), [this](unsigned connection) {
        auto on_open = [guard = completion_guard(shared_from_this(), drop_connection{connection}),
                        connection](error_code ec) mutable {
            auto const session = guard.release();
            if (session->connection_.number() == connection)
                session->on_transport_open(ec);
        };
        return pending_handler<void(error_code)>(std::move(on_open), executor_);
    });
}

LINKSPAN_DECL void session_core::on_transport_open(error_code ec)
{
    if (state_ != session_state::opening)
        return;
    if (ec)
        return on_opening_failed(ec);
    std::make_shared<reading>(connection_.number())->proceed(shared_from_this());
    act(opener_.on_connected());
}

LINKSPAN_DECL void session_core::act(negotiation::action const& next)
{
    using kind = negotiation::action::kind;
    switch (next.what) {
    case kind::probe:
    case kind::initialize: return send_opening(next);
    case kind::reopen: return recovery_.is_renewing() ? on_renewal_failed(error::stream_ended) : reopen();
    case kind::done: return on_negotiated(next.proposed);
    case kind::failed: return on_opening_failed(next.ec);
    case kind::none: return;
    }
}

LINKSPAN_DECL void session_core::reopen()
{
    try {
        open_transport(connection_.make_transport(executor_));
    } catch (...) { // from a transport
        diagnostics_.set_reason(exception_text());
        on_opening_failed(error::connection_failed);
    }
}

LINKSPAN_DECL void session_core::send_opening(negotiation::action const& next)
{
    auto const request = opener_.next_request(next, requests_.capabilities_in(next.proposed, options_.extensions));
    writer_.set_protocol_version(next.proposed, opener_.identity());
    opening_.request.method = request.method;
    opening_.request.request_kind = request.kind;
    opening_.request.params = request.params;
    opening_.request.deadline = request.deadline;
    opening_.request.began = time_.now();
    opening_.request.was_sent_ = false;
    send(opening_.request);
}

LINKSPAN_DECL void session_core::on_opening_reply(reply const& completion)
{
    if (state_ == session_state::opening || recovery_.is_renewing())
        act(opener_.on_reply(completion, diagnostics_));
}

// Called if the HTTP layer refused the request of the negotiation.
LINKSPAN_DECL void session_core::on_opening_refused(inbound_report const& report)
{
    forget(opening_.request);
    diagnostics_.set_reason(std::string(report.first_bytes));
    act(opener_.on_refused(report.era, report.ec));
}

LINKSPAN_DECL void session_core::on_negotiated(protocol_version version)
{
    bool const is_stateless = traits_of(version).era == era::stateless;
    opener_.on_negotiated(version);
    writer_.set_protocol_version(version, opener_.identity());
    mirror_.enable(is_stateless && connection_->mirrors_arguments());
    diagnostics_.clear_reason();
    if (!is_stateless)
        notify("notifications/initialized", {}, message_kind::initialized);
    if (recovery_.is_renewing())
        return on_renewed();
    state_ = session_state::ready;
    request_log_level();
    changes_.on_ready();
    std::exchange(opening_.handler, {})->complete({});
}

LINKSPAN_DECL bool session_core::notify_roots_changed()
{
    // `requests_` contains handlers that were set after the handshake, which did not declare them.
    auto const declared = read_client_capabilities(opener_.identity().capabilities).roots;
    return declared && declared->list_changed && send_notification("notifications/roots/list_changed", "{}");
}

LINKSPAN_DECL void session_core::on_opening_failed(error_code ec)
{
    if (recovery_.is_renewing())
        return on_renewal_failed(ec);
    state_ = session_state::closed;
    timer_.cancel();
    requests_.discard();
    connection_->close();
    opener_.on_failed();
    diagnostics_.add_output_to_reason();
    diagnostics_.add_to_reason(connection_->diagnostics());
    std::exchange(opening_.handler, {})->complete(ec);
}

// Closing

LINKSPAN_DECL void session_core::shutdown(pending_handler<void(error_code)> done)
{
    serial_scope const here(*this, &session_core::serial);
    if (state_ != session_state::ready && state_ != session_state::closing) {
        close();
        post_handler(executor_, [done = std::move(done)]() mutable { done.complete({}); });
        return;
    }
    state_ = session_state::closing;
    if (recovery_.stop_renewal() && opening_.request.state_ == request_op::state::sent) {
        connection_->abandon(opening_.request.id_);
        forget(opening_.request);
    }
    fail_waiting_later(error::not_connected);
    changes_.close(error::not_connected);
    auto const waiting = make_cancellable(std::move(done), executor_);
    waiting->on_cancel(terminal_or_partial, [weak = weak_from_this(), connection = connection_.number()] {
        if (auto const self = weak.lock(); self && self->connection_.number() == connection)
            self->close();
        return std::tuple();
    });
    auto on_shutdown = [self = shared_from_this(), connection = connection_.number(), waiting](error_code ec) {
        if (self->connection_.number() == connection && self->connection_) {
            self->close();
            self->diagnostics_.set_reason(self->connection_->diagnostics());
        }
        waiting->complete(ec);
    };
    connection_->shutdown({std::move(on_shutdown), executor_});
}

LINKSPAN_DECL void session_core::close() noexcept
{
    serial_scope const here(*this, &session_core::serial);
    auto const previous = std::exchange(state_, session_state::closed);
    if (previous == session_state::idle || previous == session_state::closed)
        return;
    timer_.cancel();
    recovery_.stop_renewal();
    requests_.discard();
    fail_all_later(asio::error::operation_aborted);
    changes_.close(asio::error::operation_aborted);
    connection_->close();
    if (opening_.handler)
        post_handler(executor_,
                     [handler = std::move(opening_.handler)] { handler->complete(asio::error::operation_aborted); });
}

LINKSPAN_DECL void session_core::drop_all() noexcept
{
    state_ = session_state::closed;
    recovery_.stop_renewal();
    requests_.discard();
    changes_.drop();
    auto const handler = std::move(opening_.handler);
    auto const drop = [this](request_op& op) {
        forget(op);
        end_exchange(op, certainty::unknown);
        op.on_dropped();
    };
    while (auto* const op = scheduler_.first_waiting())
        drop(*op);
    while (auto* const op = failed_.take())
        drop(*op);
    while (auto* const op = scheduler_.first_sent())
        drop(*op);
    connection_.drop();
}

} // namespace linkspan::detail

#endif
