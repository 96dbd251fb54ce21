#ifndef LINKSPAN_SESSION_SESSION_CORE_HPP
#define LINKSPAN_SESSION_SESSION_CORE_HPP

#include <linkspan/core/detail/cancellable_completion.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/deadline_timer.hpp>
#include <linkspan/core/detail/object_pool.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/serial_check.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/log_level.hpp>
#include <linkspan/model/responder.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/protocol/client/input_rounds.hpp>
#include <linkspan/protocol/client/negotiation.hpp>
#include <linkspan/protocol/client/request_op.hpp>
#include <linkspan/protocol/client/request_scheduler.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/outcome.hpp>
#include <linkspan/session/detail/change_listener.hpp>
#include <linkspan/session/detail/failed_requests.hpp>
#include <linkspan/session/detail/header_mirror.hpp>
#include <linkspan/session/detail/input_exchange.hpp>
#include <linkspan/session/detail/message_writer.hpp>
#include <linkspan/session/detail/server_requests.hpp>
#include <linkspan/session/detail/session_connection.hpp>
#include <linkspan/session/detail/session_diagnostics.hpp>
#include <linkspan/session/detail/session_end_handlers.hpp>
#include <linkspan/session/detail/session_opener.hpp>
#include <linkspan/session/detail/session_recovery.hpp>
#include <linkspan/session/session_options.hpp>
#include <linkspan/session/session_state.hpp>
#include <linkspan/transport/any_transport.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

class session_request;

// Implementation of a session. The class performs the I/O that its parts request: `opener_` (negotiation), `scheduler_`
// (requests that are not complete), `failed_` (failures that are reported later), `recovery_` (repetition of requests),
// `requests_` (requests of the server), `changes_` (notifications of changes) and `mirror_` (HTTP headers that
// repeat arguments of calls). Outstanding operations keep the object alive.
//
// Invariants:
// 1. A started request is either in `scheduler_` or in `failed_` (its failure is scheduled); `request_op::state_` has
//    the same information.
// 2. A request is added to `scheduler_` before it is sent, because the response may arrive immediately.
// 3. A started request ends in one of these ways: `on_done` is called once, and never inside `start`; `cancel` or
//    `forget` removes the request; `on_dropped` is called because the execution context ends.
// 4. Handlers of earlier connections are discarded: each handler compares its copy of `connection_.number()`.
class session_core final : public response_sink, public std::enable_shared_from_this<session_core> {
public:
    using request_handler = server_requests::request_handler;
    using notification_handler = server_requests::notification_handler;

    LINKSPAN_DECL session_core(asio::any_io_executor executor, transport_factory factory, session_options options);
    LINKSPAN_DECL ~session_core();

    serial_check serial;                          // detects concurrent handlers in debug builds
    object_pool<session_request> request_objects; // of requests of callers; used by `session_request`

    // Implementations of the operations of the same names of `session`.
    LINKSPAN_DECL void open(pending_handler<void(error_code)> done);
    LINKSPAN_DECL void shutdown(pending_handler<void(error_code)> done);
    LINKSPAN_DECL void close() noexcept;

    // Ends the connection of a ready session that is regarded as lost, and calls `owner.on_lost`. `why`: text for
    // diagnostics().
    LINKSPAN_DECL void end_unresponsive(error_code ec, std::string why);

    // Sends or queues a request. `op.on_done` is called later, also if the request fails here.
    LINKSPAN_DECL void start(request_op& op);

    // Cancels a request and notifies the server if the request was sent. `op.on_done` is not called. Returns the
    // delivery certainty.
    LINKSPAN_DECL certainty cancel(request_op& op, std::string_view reason);

    // `set_log_level` stores the minimum level of log messages, and sends nothing; all later requests of the era
    // `stateless` contain the level. `request_log_level` sends `logging/setLevel` in the era `handshake`; each
    // negotiation calls it. It has no effect without a level, or if the server does not declare `logging`. The request
    // does not count towards `max_in_flight`, and its failure is ignored.
    LINKSPAN_DECL void set_log_level(log_level level);
    LINKSPAN_DECL void request_log_level();

    // A parked request waits for input that the server requested, for a new list of tools, or for the rest of its
    // response (`hold`). Used by `input_exchange`: `send_with_input` sends the request again. `fail_parked` makes the
    // request fail with the certainty `completed`, in a later handler.
    static bool is_parked(request_op const& op) noexcept { return op.state_ == request_op::state::parked; }
    LINKSPAN_DECL void send_with_input(request_op& op);
    LINKSPAN_DECL void fail_parked(request_op& op, error_code ec);

    // Used by `page_request`. `hold` keeps a request in flight while its response is read in several turns of the event
    // loop; the request fails with the session. `release` removes the request; it returns false if the request has
    // failed, or was cancelled. `report_drained` calls `callbacks::on_drained` if no request is in flight.
    LINKSPAN_DECL void hold(request_op& op);
    LINKSPAN_DECL bool release(request_op& op) noexcept;
    LINKSPAN_DECL void report_drained();

    // Used by `change_listener`. `send_internal` sends a request with `is_internal` immediately. `forget` removes a
    // request from `scheduler_` and `failed_` without calling `on_done`: the caller completes the request, or the
    // server has ended it without a response. `call_notification_handler` has no effect without a handler, and if the
    // session is not ready.
    LINKSPAN_DECL void send_internal(request_op& op);
    LINKSPAN_DECL void forget(request_op& op);
    LINKSPAN_DECL void call_notification_handler(std::string_view method, std::string_view params);

    // Sends a notification. `params` are the members of `params`, without braces.
    LINKSPAN_DECL void notify(std::string_view method, std::string_view params,
                              message_kind kind = message_kind::notification);

    // Sends a notification of the program, if the session is open in the era `handshake`. Returns whether the
    // notification was sent. `params`: text of a JSON object.
    LINKSPAN_DECL bool send_notification(std::string_view method, std::string_view params);

    // Sends `notifications/roots/list_changed` under the conditions of `send_notification`, and only if the client
    // declared `roots.listChanged` in the last handshake. Returns whether the notification was sent.
    LINKSPAN_DECL bool notify_roots_changed();

    // Implements `response_sink`: responses of handlers to requests of the server. Responses to requests that the
    // server has cancelled are ignored.
    LINKSPAN_DECL void respond(server_request_id id, std::string_view result) override;
    LINKSPAN_DECL void refuse(server_request_id id, int code, std::string_view message) override;
    LINKSPAN_DECL void report_progress(server_request_id id, progress_update const& update) override;
    LINKSPAN_DECL bool awaits_response(server_request_id id) const override;

    asio::any_io_executor const& executor() const noexcept { return executor_; }
    time_source& time() const noexcept { return time_; }
    session_options const& options() const noexcept { return options_; }
    session_state state() const noexcept { return state_; }
    std::optional<protocol_version> version() const noexcept { return opener_.version(); }
    bool is_stateless() const noexcept { return version() && traits_of(*version()).era == era::stateless; }
    std::size_t in_flight() const noexcept { return scheduler_.in_flight(); } // requests of callers
    std::size_t queued() const noexcept { return scheduler_.queued(); }       // those that wait to be sent
    session_counters const& counters() const noexcept { return diagnostics_.counters(); }

    // Returns the time at which the last batch of messages was received. Not called inside a function or handler of the
    // session, where `now_` is the time of the current event.
    time_point received_at() const noexcept { return now_; }

    server_description const& server() const noexcept { return opener_.server(); }
    std::string const& diagnostics() const noexcept { return diagnostics_.reason(); }

    // Returns whether the server notifies of changes of the tools, as far as known.
    bool has_change_notifications() const { return changes_.reports_tools(); }

    // Returns the object that determines the HTTP headers of calls from the last complete tool list.
    header_mirror& mirror() noexcept { return mirror_; }

    // Returns the handlers for the end of the connection.
    session_end_handlers& end_handlers() noexcept { return end_handlers_; }

    std::string const& challenge() const noexcept { return diagnostics_.challenge(); }

    // Returns the process id of the child process of the current or last connection; empty: none.
    std::optional<std::int64_t> pid() const { return connection_.pid(); }

    // Returns true if the child process ended by itself with status 0.
    bool exited_cleanly() const { return connection_.exited_cleanly(); }

    // Returns true if the transport was opened successfully during the last `open`, also if the negotiation failed.
    bool connected() const noexcept { return opener_.connected(); }

    // Sets the handler and the declared capability of one method, before `open`.
    void handle(std::string method, std::string capability, request_handler handler)
    {
        requests_.set_handler(std::move(method), std::move(capability), std::move(handler));
    }

    // Sets or replaces the handler of a notification. Not called inside the handler that is replaced. If the handler of
    // a list change is set after `open`, the caller then calls `change_listener::on_handler_set`.
    void handle_notification(std::string method, notification_handler handler)
    {
        requests_.set_notification_handler(std::move(method), std::move(handler));
    }

    // Returns whether notifications reach the server: the session is ready, and no new handshake is in progress.
    bool can_notify() const noexcept { return state_ == session_state::ready && !recovery_.is_renewing(); }

    // Returns whether a handler of the notification is set.
    bool has_notification_handler(std::string_view method) const noexcept
    {
        return requests_.notification_handler_of(method) != nullptr;
    }

    // Returns the part that receives notifications of changes.
    change_listener& changes() noexcept { return changes_; }

    // Returns the handler of a method; null: none.
    request_handler const* handler_of(std::string_view method) const noexcept { return requests_.handler_of(method); }

    // Functions of the owner that are called with events of the session. Each may be empty.
    struct callbacks {
        // Called when the connection of a ready session is lost, before the outstanding requests fail.
        std::function<void(error_code)> on_lost;

        // Called with the tools when the session has listed them again, because the server refused the headers of a
        // call.
        std::function<void(tool_list)> on_listed;

        // Called once, when no request is in flight any more; emptied before the call.
        std::function<void()> on_drained;

        // Called with the first 200 bytes of each line that is not a message, after it was counted.
        std::function<void(std::string_view)> on_unexpected_output;
    };
    callbacks owner; // set by the owner of the session; `on_drained` is emptied by its call

private:
    // Request of the negotiation: `server/discover` or `initialize`.
    class opening_op final : public request_op {
    public:
        explicit opening_op(session_core& owner) noexcept : owner_(owner) {}

        void on_done(reply const& completion) override { owner_.on_opening_reply(completion); }
        void on_dropped() noexcept override {}

    private:
        session_core& owner_; // set by the constructor; contains this object
    };

    // `logging/setLevel` after a negotiation.
    class level_op final : public request_op {
    public:
        explicit level_op(session_core& owner);

        std::string text;         // members of `params`; replaced by each request
        bool sends_again = false; // set if the level changes during a request, cleared by its response

    private:
        void on_done(reply const& completion) override;
        void on_dropped() noexcept override {}

        session_core& owner_; // set by the constructor; contains this object
    };

    struct opening {
        opening_op request; // outstanding during a negotiation
        // Handler of `async_open`. Set by `open`; completed by the negotiation, by a failure and by `close`. Null: the
        // session is not being opened.
        std::shared_ptr<cancellable_completion<void(error_code)>> handler;
        std::unique_ptr<level_op> level; // created by the first `request_log_level` that sends a request
    };

    struct drop_connection;
    class reading;
    class event_time_scope;

    // Opening, in session_core.ipp

    void open_transport(any_transport transport);
    void on_transport_open(error_code ec);
    void act(negotiation::action const& next);
    void reopen();
    void send_opening(negotiation::action const& next);
    void on_opening_reply(reply const& completion);
    void on_opening_refused(inbound_report const& report);
    void on_negotiated(protocol_version version);
    void on_opening_failed(error_code ec);
    void drop_all() noexcept;

    // Receiving, in session_core.receiving.ipp

    void on_received(error_code ec, std::span<inbound const> batch);
    bool is_current(unsigned connection) const noexcept;
    void on_message(inbound_message const& message);
    void on_message(envelope const& read, inbound_message const& message);
    void on_escaped(envelope const& read, inbound_message const& message);
    void on_batch(inbound_message const& batch);
    void on_report(inbound_report const& report);
    void on_notice(inbound_notice const& notice);
    void on_interrupted(request_op& op, inbound_notice const& notice);
    void on_response(envelope const& response, inbound_message const& message);
    void on_unreadable(envelope const& response, inbound_message const& message);
    void on_request(envelope const& request);
    void on_notification(envelope const& notification);
    void on_progress(std::string_view params);
    void on_unexpected_line(std::string_view text);
    void on_end(error_code ec);
    void end_as_lost(error_code ec);

    // Sending, completing and timing out requests, in session_core.requests.ipp

    void send(request_op& op);
    void send_queued();
    void send_response(outbound const& message);
    bool begin_task(hosted_tasks& tasks, envelope const& request, server_request_id id);
    void on_task_request(hosted_tasks& tasks, envelope const& request);
    void send_responses(std::vector<hosted_tasks::response> const& what);
    std::string with_related_task(server_request_id id, std::string_view object) const;
    std::optional<protocol_version> version_of(request_op const& op) const noexcept;
    void finish(request_op& op, reply completion);
    void fail(request_op& op, certainty delivery, error_code ec, std::string_view why = {});
    void fail_all(error_code ec);
    void complete_failed();
    void complete_failed_later();
    void fail_later(request_op& op, error_code ec, certainty delivery);
    void fail_waiting_later(error_code ec);
    void fail_all_later(error_code ec);
    certainty abandon(request_op& op, std::string_view reason);
    static certainty certainty_of_waiting(request_op const& op) noexcept;
    static certainty end_exchange(request_op& op, certainty delivery) noexcept;
    void arm_timer();
    void on_timer();
    void on_timeout(request_op& op);

    // Recovery of requests, in session_core.recovery.ipp

    bool renew_for(request_op& op);
    void on_renewed();
    void on_renewal_failed(error_code ec);
    bool relist_for(request_op& op);
    void on_relisted(error_code ec, tool_list list);
    void on_input_required(request_op& op, input_required_result const& wanted);

    asio::any_io_executor executor_; // of all operations; set by the constructor
    time_source& time_;              // of `executor_`
    session_options options_;        // set by the constructor
    // Time of the event that is processed (a batch of messages, the expiry of a timer, a completion); after the event,
    // the time of the last batch. Set once per event, because reading the clock is slow.
    time_point now_{};

    // `idle` until the first `open`; then `opening`, `ready` after the negotiation, `closing` during `shutdown`, and
    // `closed` after `close`, a failed opening, or the loss of the connection.
    session_state state_ = session_state::idle;
    session_connection connection_; // replaced by each opening
    // The reason of failures: set by each failure, cleared by the start of an opening and by a negotiation. Counts of
    // input that belongs to no request: incremented by the receiving functions, never reset.
    session_diagnostics diagnostics_;

    // Protocol version and description of the server. Set by each negotiation; `open` resets the version.
    session_opener opener_;
    opening opening_{opening_op(*this), {}, {}};

    message_writer writer_; // composes all messages; its protocol version is set by `send_opening` and `on_negotiated`
    // Requests that are sent, queued or parked. Added by `start` and `send`; removed by `forget`.
    request_scheduler scheduler_;
    failed_requests failed_;    // requests whose failure is scheduled by `complete_failed_later`
    session_recovery recovery_; // decides which requests are sent again
    deadline_timer timer_;      // armed by `arm_timer` for the first deadline; cancelled when the session closes

    // Handlers: those of requests are set before `open`, those of notifications are also set and replaced later; none
    // is removed. Requests of the server: added by `on_request`; removed by their response and their cancellation, and
    // discarded with the connection.
    server_requests requests_;
    // Headers of calls. Enabled or disabled by `on_negotiated`, set by each complete tool list.
    header_mirror mirror_;
    change_listener changes_{*this};    // notifications of changes of lists and resources
    session_end_handlers end_handlers_; // called by `fail_all` and `fail_all_later`
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/session_ops.hpp> // includes the bodies, which need the classes of both headers
#endif

#endif
