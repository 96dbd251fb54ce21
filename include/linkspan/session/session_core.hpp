#ifndef LINKSPAN_SESSION_SESSION_CORE_HPP
#define LINKSPAN_SESSION_SESSION_CORE_HPP

#include <linkspan/core/detail/cancellable_completion.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/serial_check.hpp>
#include <linkspan/core/text_buffer.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/responder.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/protocol/client/input_rounds.hpp>
#include <linkspan/protocol/client/negotiation.hpp>
#include <linkspan/protocol/client/request_op.hpp>
#include <linkspan/protocol/client/request_scheduler.hpp>
#include <linkspan/protocol/compose.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>
#include <linkspan/protocol/outcome.hpp>
#include <linkspan/session/detail/input_exchange.hpp>
#include <linkspan/session/detail/tool_subscription.hpp>
#include <linkspan/session/session_options.hpp>
#include <linkspan/session/session_state.hpp>
#include <linkspan/transport/any_transport.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Implementation of a session: negotiation, transmission of requests, matching of responses, timeouts, and requests of
// the server. Outstanding operations keep the object alive.
//
// Invariants:
// 1. A started request is either in `scheduler_` or in `refused_` (its failure is scheduled); `request_op::state_` has
//    the same information.
// 2. A request is added to `scheduler_` before it is sent, because the response may arrive immediately.
// 3. `on_done` of a request is called exactly once, and never inside `start`. `on_done` is not called after `cancel`,
//    nor when the execution context ends.
// 4. Handlers of earlier connections are discarded: each handler compares its copy of `connection_`.
class session_core final : public response_sink, public std::enable_shared_from_this<session_core> {
public:
    using request_handler = std::function<void(std::string_view params, responder)>;
    using notification_handler = std::function<void(std::string_view params)>;

    LINKSPAN_DECL session_core(asio::any_io_executor executor, transport_factory factory, session_options options);

    serial_check serial; // detects concurrent handlers in debug builds

    // Implementations of the operations of the same names of `session`.
    LINKSPAN_DECL void open(pending_handler<void(error_code)> done);
    LINKSPAN_DECL void shutdown(pending_handler<void(error_code)> done);
    LINKSPAN_DECL void close() noexcept;

    // Sends or queues a request. `op.on_done` is called later, also if the request is refused here.
    LINKSPAN_DECL void start(request_op& op);

    // Cancels a request and notifies the server if the request was sent. `op.on_done` is not called. Returns the
    // delivery certainty.
    LINKSPAN_DECL certainty cancel(request_op& op, std::string_view reason);

    // Used by `input_exchange`: a parked request waits for input that the server requested. `resume` sends the request
    // again, with the input. `refuse_parked` makes the request fail with the certainty `completed`, in a later handler.
    static bool is_parked(request_op const& op) noexcept { return op.state_ == request_op::state::parked; }
    LINKSPAN_DECL void resume(request_op& op);
    LINKSPAN_DECL void refuse_parked(request_op& op, error_code ec);

    // Sends a notification. `params` are the members of `params`, without braces.
    LINKSPAN_DECL void notify(std::string_view method, std::string_view params,
                              message_kind kind = message_kind::notification);

    // Implements `response_sink`: responses of handlers to requests of the server. Responses to requests that the
    // server has cancelled are ignored.
    LINKSPAN_DECL void respond(server_request_id id, std::string_view result) override;
    LINKSPAN_DECL void refuse(server_request_id id, int code, std::string_view message) override;
    LINKSPAN_DECL bool awaits_response(server_request_id id) const override;

    asio::any_io_executor const& executor() const noexcept { return executor_; }
    time_source& time() const noexcept { return time_; }
    session_options const& options() const noexcept { return options_; }
    session_state state() const noexcept { return state_; }
    std::optional<protocol_version> version() const noexcept { return version_; }
    std::size_t in_flight() const noexcept { return scheduler_.in_flight(); } // requests of callers
    session_counters const& counters() const noexcept { return counters_; }
    server_description const& server() const noexcept { return server_; }
    std::string const& diagnostics() const noexcept { return diagnostics_; }

    // Returns true if the server declared `tools.listChanged`. In the stateless era, the subscription must also not be
    // refused or interrupted.
    LINKSPAN_DECL bool has_change_notifications() const;

    // Arguments that are sent as headers too, by the name of the tool. Taken from the last complete tool list.
    using mirrored_map = std::map<std::string, std::vector<mirrored_argument>, std::less<>>;
    bool mirrors_arguments() const noexcept { return mirrors_; }
    void keep_mirrored(mirrored_map listed) { mirrored_ = std::move(listed); }

    std::string const& challenge() const noexcept { return challenge_; }

    // Returns the process id of the child process of the current or last connection; empty: none.
    std::optional<std::int64_t> pid() const { return transport_ ? transport_->pid() : std::nullopt; }

    // Returns true if the child process ended by itself with status 0.
    bool exited_cleanly() const { return transport_ && transport_->exited_cleanly(); }

    // Returns true if the transport was opened successfully during the last `open`, also if the negotiation failed.
    bool connected() const noexcept { return connected_; }

    // Sets the handler and the declared capability of one method.
    void handle(std::string method, std::string capability, request_handler handler)
    {
        capabilities.insert_or_assign(method, std::move(capability));
        request_handlers.insert_or_assign(std::move(method), std::move(handler));
    }

    // Handlers by method. Set by the session, before `open`.
    std::map<std::string, request_handler, std::less<>> request_handlers;
    std::map<std::string, notification_handler, std::less<>> notification_handlers;

    // Capabilities by method of the request handler, as JSON text; a missing entry means "{}".
    std::map<std::string, std::string, std::less<>> capabilities;

    // Called when the connection of a ready session is lost, before the outstanding requests fail. May be empty.
    std::function<void(error_code)> on_lost;

    // Called with the tools of the server when the session has listed them for requests of its own. May be empty.
    std::function<void(tool_list)> on_listed;

    // Called once, when no request is in flight any more; emptied before the call. May be empty.
    std::function<void()> on_drained;

    // Called with the first 200 bytes of each line that is not a message, after it was counted. May be empty.
    std::function<void(std::string_view)> on_unexpected_output;

private:
    // Request of the negotiation: `server/discover` or `initialize`.
    class opening_op final : public request_op {
    public:
        explicit opening_op(session_core& owner) noexcept : owner_(owner) {}

        void on_done(reply const& completion) override { owner_.on_opening_reply(completion); }
        void on_dropped() noexcept override {}

    private:
        session_core& owner_;
    };

    // Request `subscriptions/listen`, by which a stateless server notifies of changes. The response arrives when the
    // subscription ends.
    class subscription_op final : public request_op {
    public:
        explicit subscription_op(session_core& owner) noexcept : owner_(owner) {}

        void on_done(reply const& completion) override { owner_.on_subscription_end(completion.result.ec); }
        void on_dropped() noexcept override {}

    private:
        session_core& owner_;
    };

    struct drop_connection;
    class reading;

    void open_transport(any_transport transport);
    void start_negotiation(std::optional<era> remembered);
    void on_transport_open(error_code ec);
    void act(negotiation::action const& next);
    void reopen();
    std::string capabilities_in(protocol_version version) const;
    void send_opening(negotiation::action const& next);
    void on_opening_reply(reply const& completion);
    void on_opening_refused(inbound_report const& report);
    void describe_server(std::string_view result);
    void on_negotiated(protocol_version version);
    void listen();
    void on_acknowledged(std::string_view params);
    void on_subscription_end(error_code ec);
    void on_opening_failed(error_code ec);

    bool renew_for(request_op& op);
    void on_input_required(request_op& op, input_required_result const& wanted);
    static certainty end_exchange(request_op& op, certainty delivery) noexcept;
    bool relist_for(request_op& op);
    void on_relisted(error_code ec, tool_list list);
    void mirror(request_op const& op, outbound& message);
    void on_renewed();
    void on_renewal_failed(error_code ec);
    void notify_tools_changed();

    void on_received(error_code ec, std::span<inbound const> batch);
    bool is_current(unsigned connection) const noexcept;
    void on_message(inbound_message const& message);
    void on_message(envelope const& read, inbound_message const& message);
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

    void send(request_op& op);
    void send_queued();
    std::string take_server_request(server_request_id id);
    void send_composed();
    void forget(request_op& op);
    void finish(request_op& op, reply completion);
    void fail(request_op& op, certainty delivery, error_code ec, std::string_view why = {});
    std::string timeout_text(request_op const& op, bool is_deadline) const;
    void fail_all(error_code ec);
    void fail_refused();
    void fail_refused_later();
    void drop_all() noexcept;
    void refuse_later(request_op& op, error_code ec, certainty delivery);
    void refuse_waiting_later(error_code ec);
    void refuse_all_later(error_code ec);
    certainty abandon(request_op& op, std::string_view reason);
    static certainty certainty_of_waiting(request_op const& op) noexcept;

    void arm_timer();
    void on_timer();
    void on_timeout(request_op& op);

    asio::any_io_executor executor_; // of all operations; set by the constructor
    time_source& time_;              // of `executor_`
    transport_factory factory_;      // makes the transport of each connection; set by the constructor
    session_options options_;        // `remembered` is set by each negotiation, and cleared if a later one fails
    // Replaced by each connection; kept after `close` for its diagnostics. Cleared when the execution context ends.
    std::optional<any_transport> transport_;
    // `idle` until the first `open`; then `opening`, `ready` after the negotiation, `closing` during `shutdown`, and
    // `closed` after `close`, a failed opening, or the loss of the connection.
    session_state state_ = session_state::idle;
    std::optional<protocol_version> version_;  // set by a negotiation, cleared by `open`; kept during a renewal
    std::optional<protocol_version> proposed_; // version of the last probe; empty after `initialize` was sent
    bool connected_ = false;                   // set when the transport has opened, cleared by `open`
    bool mirrors_ = false;   // set by a negotiation: arguments are sent as headers too (stateless era over HTTP)
    bool relisting_ = false; // set when a tool list is requested for parked requests, cleared by its completion
    // Set when a new handshake starts because the server has discarded its session; cleared when the handshake is
    // complete and when the session closes. Requests are queued meanwhile.
    bool renewing_ = false;
    unsigned handshake_ = 0;    // incremented by each renewal; a request remembers the value with which it was sent
    server_description server_; // replaced by each result of `server/discover` and `initialize`, never cleared
    session_counters counters_; // never reset
    // Set by a failed negotiation or opening, and by the end or the shutdown of a connection; cleared by `open` and by
    // a successful negotiation.
    std::string diagnostics_;
    std::string challenge_; // replaced by each report that has a challenge, never cleared

    client_identity identity_;               // set by `open`; the capabilities by each request of the negotiation
    std::optional<negotiation> negotiation_; // replaced by each opening and each renewal, never cleared
    opening_op opening_{*this};              // outstanding during a negotiation
    std::string opening_params_; // referred to by `opening_.params`; replaced by each request of a negotiation
    time_point opened_at_{};     // start of the current opening or renewal; its timeouts count from here
    // Handler of `async_open`. Set by `open`; completed by the negotiation, by a failure and by `close`. Null: the
    // session is not being opened.
    std::shared_ptr<cancellable_completion<void(error_code)>> opener_;

    composer composer_;   // protocol version and identity of composed requests; set by each request of a negotiation
    text_buffer scratch_; // the message that is being composed; overwritten by each message
    request_scheduler scheduler_;     // requests that are sent, queued or parked
    std::deque<request_op*> refused_; // requests whose failure is scheduled by `fail_refused_later`
    bool refusing_ = false;           // set when `fail_refused` is posted, cleared when it runs
    timer timer_;                     // armed by `arm_timer` for the first deadline; cancelled when the session closes
    time_point timer_due_ = time_point::max(); // expiry of `timer_`; max: the timer is not armed
    // Time of the current batch, expiry or completion. Set once for each of them, because reading the clock is slow.
    time_point now_{};

    // Requests of the server without a response: their ids as JSON text. Added when the handler is called; removed by
    // its response and by a cancellation of the server; cleared with the connection and by a renewal.
    std::map<server_request_id, std::string> server_requests_;
    server_request_id last_server_request_ = 0; // incremented by each request of the server, never reset
    // Bytes of responses that were sent since the write queue was last empty; limited. Cleared by a received batch if
    // the write queue is empty, and by a new transport.
    std::size_t unread_bytes_ = 0;
    unsigned connection_ = 0; // incremented by each transport; handlers of earlier transports are discarded
    error_code violation_;    // set by input that must end the connection after the batch; cleared by a new transport
    subscription_op subscription_{*this}; // outstanding while the session is subscribed to changes
    timer subscription_timer_;            // started when a subscription ends, cancelled by `close`
    // Consecutive subscriptions that ended early. Incremented by the end of each one; 1 after one that lasted long; 0
    // after `open`.
    unsigned subscription_attempts_ = 0;
    bool missed_changes_ = false; // set when a subscription ends; cleared by the next acknowledgement and by `open`
    // Acknowledgement of the server. False: refused or interrupted. Empty: unknown, until the acknowledgement of a new
    // subscription.
    std::optional<bool> is_subscribed_;

    mirrored_map mirrored_;                 // replaced by each complete tool list
    std::vector<std::string> header_texts_; // values of `headers_`; overwritten by each call
    std::vector<header_value> headers_;     // headers of the call that is being sent
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/session_ops.hpp> // includes the bodies, which need the classes of both headers
#endif

#endif
