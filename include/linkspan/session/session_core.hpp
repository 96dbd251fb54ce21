#ifndef LINKSPAN_SESSION_SESSION_CORE_HPP
#define LINKSPAN_SESSION_SESSION_CORE_HPP

#include <linkspan/core/detail/cancellable_completion.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/serial_check.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/responder.hpp>
#include <linkspan/protocol/client/input_rounds.hpp>
#include <linkspan/protocol/client/negotiation.hpp>
#include <linkspan/protocol/client/request_op.hpp>
#include <linkspan/protocol/client/request_table.hpp>
#include <linkspan/protocol/compose.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>
#include <linkspan/protocol/outcome.hpp>
#include <linkspan/session/detail/input_exchange.hpp>
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

namespace linkspan::detail {

inline constexpr std::string_view tools_changed = "notifications/tools/list_changed";

// What a session does, and what its operations keep alive. Requests are registered before they are sent: a server that
// answers at once finds its request.
class session_core final : public answer_sink, public std::enable_shared_from_this<session_core> {
public:
    using request_handler = std::function<void(std::string_view params, responder)>;
    using notification_handler = std::function<void(std::string_view params)>;

    LINKSPAN_DECL session_core(asio::any_io_executor executor, transport_factory factory, session_options options);

    serial_check serial;

    LINKSPAN_DECL void open(pending_handler<void(error_code)> done);
    LINKSPAN_DECL void shutdown(pending_handler<void(error_code)> done);
    LINKSPAN_DECL void close() noexcept;

    // Takes the request; `op.on_done` follows, later, whatever happens.
    LINKSPAN_DECL void start(request_op& op);

    // Forgets the request and tells the server; `op.on_done` will not be called.
    LINKSPAN_DECL certainty withdraw(request_op& op, std::string_view reason);

    // For the exchange of a request that the server asks back about.
    static bool is_parked(request_op const& op) noexcept { return op.state_ == request_op::state::parked; }
    LINKSPAN_DECL void resume(request_op& op);
    LINKSPAN_DECL void refuse_parked(request_op& op, error_code ec);

    LINKSPAN_DECL void notify(std::string_view method, std::string_view params);

    LINKSPAN_DECL void answer(question_id question, std::string_view result) override;
    LINKSPAN_DECL void refuse(question_id question, int code, std::string_view message) override;
    LINKSPAN_DECL bool awaits_answer(question_id question) const override;

    asio::any_io_executor const& executor() const noexcept { return executor_; }
    time_source& time() const noexcept { return time_; }
    session_options const& options() const noexcept { return options_; }
    session_state state() const noexcept { return state_; }
    std::optional<protocol_version> version() const noexcept { return version_; }
    LINKSPAN_DECL std::size_t in_flight() const noexcept;
    session_counters const& counters() const noexcept { return counters_; }
    server_description const& server() const noexcept { return server_; }
    std::string const& diagnostics() const noexcept { return diagnostics_; }

    // The server says when its tools change.
    LINKSPAN_DECL bool tells_changes() const;

    // The arguments that tools want as headers, by the name of the tool; of those that were listed last.
    using mirrored_map = std::map<std::string, std::vector<mirrored_argument>, std::less<>>;
    bool mirrors_arguments() const noexcept { return mirrors_; }
    void keep_mirrored(mirrored_map listed) { mirrored_ = std::move(listed); }

    std::string const& challenge() const noexcept { return challenge_; }
    // The server ended by itself, and said that nothing was wrong.
    std::optional<std::int64_t> pid() const { return transport_ ? transport_->pid() : std::nullopt; }
    bool exited_cleanly() const { return transport_ && transport_->exited_cleanly(); }

    // Since it was last opened: the server was reached, whatever it said then.
    bool connected() const noexcept { return connected_; }

    void handle(std::string method, std::string capability, request_handler handler)
    {
        capabilities.insert_or_assign(method, std::move(capability));
        request_handlers.insert_or_assign(std::move(method), std::move(handler));
    }

    std::map<std::string, request_handler, std::less<>> request_handlers;
    std::map<std::string, notification_handler, std::less<>> notification_handlers;

    // What is declared for a request handler, by its method, as JSON text; without an entry, "{}".
    std::map<std::string, std::string, std::less<>> capabilities;

    // The server has gone, and nobody had asked for it. Called before its requests fail.
    std::function<void(error_code)> on_lost;

    // No request is out or waits any more.
    std::function<void()> on_drained;

    // Something came that is no message; `counters()` has it.
    std::function<void(std::string_view)> on_noise;

private:
    // Negotiation sends its requests the same way as everybody else.
    class opening_op final : public request_op {
    public:
        explicit opening_op(session_core& owner) noexcept : owner_(owner) {}

        void on_done(reply const& how) override { owner_.on_opening_reply(how); }
        void on_dropped() noexcept override {}

    private:
        session_core& owner_;
    };

    // A stateless server reports changes only to those who listen; it answers when it is done with it.
    class listening_op final : public request_op {
    public:
        explicit listening_op(session_core& owner) noexcept : owner_(owner) {}

        void on_done(reply const& how) override { owner_.on_listening_over(how.result.ec); }
        void on_dropped() noexcept override {}

    private:
        session_core& owner_;
    };

    class starting;
    class reading;
    class refusing_turn;

    void open_transport(any_transport transport);
    void start_negotiation(std::optional<era> remembered);
    void on_transport_open(error_code ec);
    void act(negotiation::action const& next);
    void reopen();
    std::string capabilities_in(protocol_version version) const;
    void send_opening(negotiation::action const& next);
    void on_opening_reply(reply const& how);
    void on_opening_refused(inbound_report const& report);
    void describe_server(std::string_view result);
    void on_negotiated(protocol_version version);
    void listen();
    void on_acknowledged(std::string_view params);
    void on_listening_over(error_code ec);
    void on_opening_failed(error_code ec);

    bool renew_for(request_op& op);
    void set_back(request_op& op);
    void park(request_op& op);
    void on_input_required(request_op& op, input_wanted const& wanted);
    static certainty end_exchange(request_op& op, certainty how) noexcept;
    bool relist_for(request_op& op);
    void on_relisted(error_code ec);
    void mirror(request_op const& op, outbound& message);
    void on_renewed();
    void on_renewal_failed(error_code ec);
    void tell_changes();

    void on_received(error_code ec, std::span<inbound const> batch);
    bool goes_on(unsigned connection) const noexcept;
    void on_message(inbound_message const& message);
    void on_batch(std::string_view messages);
    void on_report(inbound_report const& report);
    void on_notice(inbound_notice const& notice);
    void on_interrupted(request_op& op, inbound_notice const& notice);
    void on_answer(envelope const& answer, inbound_message const& message);
    void on_unreadable(envelope const& answer, inbound_message const& message);
    void on_request(envelope const& request);
    void on_notification(envelope const& notification);
    void on_progress(std::string_view params);
    void take_noise(std::string_view text);
    void on_end(error_code ec);
    void end_as_lost(error_code ec);

    void send(request_op& op);
    void send_queued();
    std::string take_question(question_id question);
    void send_composed();
    void forget(request_op& op);
    void finish(request_op& op, reply how);
    void fail(request_op& op, certainty how, error_code ec, std::string_view why = {});
    std::string limit_of(request_op const& op, bool is_deadline) const;
    void fail_all(error_code ec);
    void fail_refused();
    void drop_all() noexcept;
    void refuse_later(request_op& op, error_code ec, certainty how);
    void refuse_all_later(error_code ec);
    certainty abandon(request_op& op, std::string_view reason);
    static certainty fate_of_waiting(request_op const& op) noexcept;

    time_point later(time_point from, duration span) const noexcept;
    std::size_t sent() const noexcept;
    void arm_timer();
    void on_timer();
    void on_timeout(request_op& op);

    asio::any_io_executor executor_;
    time_source& time_;
    transport_factory factory_;
    session_options options_;
    std::optional<any_transport> transport_;
    session_state state_ = session_state::idle;
    std::optional<protocol_version> version_;  // once negotiated; while the session is opened anew, the one before
    std::optional<protocol_version> proposed_; // what the probe is written in
    bool connected_ = false;
    bool mirrors_ = false;   // arguments go into headers too
    bool relisting_ = false; // the tools are listed for those that are parked
    bool renewing_ = false;  // it is opened anew on the same connection, and requests wait
    unsigned handshake_ = 0; // counts the sessions that the server has forgotten
    server_description server_;
    session_counters counters_;
    std::string diagnostics_, challenge_;

    client_identity identity_;
    std::optional<negotiation> negotiation_;
    opening_op opening_{*this};
    std::string opening_params_;
    time_point opened_at_{};
    std::shared_ptr<cancellable_completion<void(error_code)>> opener_; // of the opening that is not over; else null

    composer composer_;
    std::string scratch_; // the message that is being composed
    request_table<request_op> table_;
    std::deque<request_op*> queue_;   // they wait for others to be answered
    std::deque<request_op*> parked_;  // the server has refused them, and they wait for what makes them good
    std::deque<request_op*> refused_; // they are told so in a turn of the loop of its own
    bool refusing_ = false;           // that turn is on its way
    deadline_list deadlines_;
    timer timer_;
    time_point timer_due_ = time_point::max(); // while it is armed
    time_point now_{};                         // of the batch at hand

    std::map<question_id, std::string> unanswered_; // the server's requests, and its ids for them
    question_id last_question_ = 0;
    std::size_t answers_unread_ = 0; // bytes, at most: those since the server had last read everything
    unsigned connection_ = 0;        // counts the transports: a new one for each start of the server
    error_code violation_;           // why the connection must end, when the batch at hand is done
    listening_op listening_{*this};
    timer listen_timer_;
    unsigned listen_tries_ = 0;         // in a row that did not last
    bool missed_ = false;               // nobody listened for a while
    std::optional<bool> hears_changes_; // as the server has acknowledged; nothing: it has not said

    mirrored_map mirrored_;
    std::vector<std::string> header_texts_; // of the message that is being sent
    std::vector<header_value> headers_;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/input_exchange.ipp>
#include <linkspan/session/impl/session_core.ipp>
#include <linkspan/session/session_ops.hpp> // which has the bodies that need both
#endif

#endif
