#ifndef LINKSPAN_TEST_DETAIL_SERVER_CONNECTION_HPP
#define LINKSPAN_TEST_DETAIL_SERVER_CONNECTION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>
#include <linkspan/test/detail/backing_transport.hpp>
#include <linkspan/test/detail/default_responses.hpp>
#include <linkspan/test/detail/fault_target.hpp>
#include <linkspan/test/detail/faulty_output.hpp>
#include <linkspan/test/detail/message_log.hpp>
#include <linkspan/test/detail/request_exchange.hpp>
#include <linkspan/test/detail/server_events.hpp>
#include <linkspan/test/script.hpp>
#include <linkspan/test/script/detail/rule_engine.hpp>
#include <linkspan/test/trace.hpp>
#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

class server;

} // namespace linkspan

namespace linkspan::inline LINKSPAN_ABI::test::detail {

class server_connection;

// Configuration and observations of a scripted server, shared by the server object and its connections.
struct server_script {
    server* behind = nullptr; // responds to requests without a rule; null: `pass_on` or `responses` does
    // Connects each client with a server that responds to requests without a rule; empty: there is none.
    std::function<void(asio::any_io_executor const& executor, any_transport client)> pass_on;
    server_dialogue::options dialogue; // copied by each connection when it is opened
    default_responses responses;
    rule_engine rules;
    server_events events{rules, responses};                   // those that are not requests
    std::string line_suffix;                                  // sent before each line end
    std::optional<std::uint64_t> cut_requests, cut_responses; // bytes after which a connection ends; empty: never
    std::vector<std::string> received;                        // all messages in the order of arrival
    std::size_t connections = 0;                              // opened since construction
    std::size_t closed_by_client = 0, ended_by_server = 0;    // of these
    std::size_t lost = 0;                                     // of these; the others are open
    std::vector<std::weak_ptr<server_connection>> open;       // expired entries are removed by the next connection
    message_log log;
    std::shared_ptr<trace> events_log;                // null: events are not recorded
    std::shared_ptr<chaos> faults;                    // null: no message has a fault
    std::function<void(chaos_fault const&)> on_fault; // called before each fault; empty: not called
    time_point rejects_tokens_until{};                // end of the fault `refresh_rejected`
    std::vector<std::string> names; // name in a world, then those that connectors give the server; without duplicates

    bool has_server_behind() const noexcept { return behind || pass_on; }

    // Returns the name of the server in traces and plans of faults: that of its world, else the first that a connector
    // gives it, else its own name.
    std::string const& name() const { return names.empty() ? dialogue.name : names.front(); }

    // Returns the name of the server for reports: the names that connectors give it, else its own name.
    std::string display_name() const
    {
        std::string out;
        for (auto const& name : names)
            (out += out.empty() ? "" : "/") += name;
        return out.empty() ? dialogue.name : out;
    }

    // Returns one text per request without a response, per gate at which actions wait, and per open connection.
    std::vector<std::string> outstanding() const;
};

// One connection of a scripted server.
//
// Receives messages, applies the rules of the script, and keeps the requests whose actions are not complete. With a
// server behind it, all other messages are passed on. Owned by the receive operation of its transport; destroyed when
// that operation completes.
//
// Invariant: a request that is not in `pending_` executes no further action, so that it does not use a destroyed
// connection.
class server_connection final : public receive_op,
                                public std::enable_shared_from_this<server_connection>,
                                private backed_connection,
                                private fault_target {
public:
    server_connection(std::shared_ptr<server_script> script, asio::any_io_executor executor, any_transport transport)
        : script_(std::move(script)),
          executor_(std::move(executor)),
          time_(time_source::of(executor_)),
          transport_(std::move(transport)),
          dialogue_(script_->dialogue),
          number_(script_->connections)
    {}

    server_connection(server_connection const&) = delete;
    server_connection& operator=(server_connection const&) = delete;
    ~server_connection();

    asio::any_io_executor const& executor() const noexcept { return executor_; }
    server_dialogue const& dialogue() const noexcept { return dialogue_; }
    script_values& values() const noexcept { return script_->rules.values(); }
    duration since_start() const { return script_->rules.since_start(time_source::of(executor_).now()); }
    default_responses& tools() const noexcept { return script_->responses; }

    // Returns whether the server has declared a tool. True if there is a server behind the rules.
    bool has_tool(std::string_view name) const
    {
        return script_->has_server_behind() || script_->responses.find(name) != nullptr;
    }

    // Event: the client has cancelled a request, or the connection ends before its response.
    void on_request_cancelled(std::size_t number)
    {
        if (!is_dropped_)
            script_->rules.on_cancelled(number);
    }

    // Starts the first receive operation, after the actions that begin when the connection is opened.
    void run();

    // Returns the transport by which the server behind serves the client. Called at most once, before run().
    any_transport to_server_behind();

    // Sends one message, with the line suffix of the script. `stream`: number of the HTTP stream; 0: none. `to`:
    // without members, if the message is no response.
    void send(std::string_view line, std::uint64_t stream = 0, responded_request const& to = {});

    // Sends a message that the server itself generates, which must be valid and is therefore recorded for validation.
    void send_recorded(std::string_view line, std::uint64_t stream, protocol_version version,
                       responded_request const& to = {});

    // Sends a request to the client. `next` is invoked when its response is received.
    void send_request(std::string_view method, std::string_view params, std::uint64_t stream,
                      std::function<void(std::string_view response)> next);

    // Returns whether the client receives notifications of changes over its subscriptions only: it has sent requests of
    // a stateless protocol version. The notifications of a server behind the rules are its own.
    bool needs_subscription() const noexcept { return is_stateless_ && !dialogue_.is_initialized() && !link_; }

    // Sends a notification of a change to the subscriptions of this client, or of all clients of the server.
    void notify_subscribers(std::string_view method, std::string_view params);
    void notify_all_subscribers(std::string_view method, std::string_view params)
    {
        script_->events.notify_subscribers(method, params);
    }

    // Sends the default response to a request, or passes the request on to the server behind.
    void respond_by_default(request_exchange& request);

    std::string nearest_rule(request_exchange const& request) const
    {
        return script_->rules.nearest_rule(request, request.since);
    }

    // Removes a request that is complete.
    void forget(request_exchange& request);

    // Ends the connection after the messages that were sent before.
    void drop() override;

    // Appends one text per request without a response, and one for the connection if it is open.
    void list_outstanding(std::vector<std::string>& out) const;

    // Called once when the connection has ended; then empty.
    std::function<void()> on_end;

    // Access to the HTTP exchanges. Set once, before run(), for connections over HTTP only; else null.
    std::unique_ptr<http_access> http;

    // Closes the sending side. Set once, before run(), for connections in the same process only; else empty.
    std::function<void()> end_output;

    // Replaces the protocol versions of the server for this connection.
    void set_protocol_versions(std::vector<protocol_version> protocol_versions)
    {
        auto with = script_->dialogue;
        with.protocol_versions = std::move(protocol_versions);
        dialogue_ = server_dialogue(std::move(with));
    }

private:
    // A request without a response, from the client to the server behind, or from this side to the client.
    struct open_request {
        std::string id{}, method{}, tool{}; // the id as JSON text
        protocol_version version{};
        // Of a request of an action: invoked with the response.
        std::function<void(std::string_view response)> next{};
        std::size_t number = 0;               // of a request of the client: its number in the journal
        time_point since{};                   // of a request of the client: time of receipt
        std::optional<fault_setting> fault{}; // of the response to a request of the client; none: no fault
    };

    // Starts the next receive operation.
    void receive();
    // Handles the received messages. On an error, cancels all requests and ends the connection.
    void on_received(error_code ec, std::span<inbound const> batch) override;
    // Event: no more messages are received.
    void on_input_ended(error_code ec);
    // Ends the connection after the last message, and after the actions at the end of the input.
    void finish(bool is_end_of_input);
    // Handles one message: a request, a response, a notification, or a batch.
    void on_message(std::string_view line, std::uint64_t stream);
    // Applies the rule that matches, or sends the default response.
    void on_request(server_dialogue::action const& what, std::string_view line, std::uint64_t stream);
    void on_cancelled(std::string_view raw_id);
    // Cancels all requests without a response or with actions left, because the connection ends.
    void cancel_requests();
    // Returns whether the message is a response to a request of an action.
    bool on_response(std::string_view raw_id, std::string_view line);

    any_transport& client() noexcept override { return transport_; }
    void on_server_message(outbound const& message) noexcept override;
    void pass_request(request_exchange& request);
    void pass_response(outbound const& message);

    void transmit(std::string_view text, std::uint64_t stream) override;
    void write(fault_step const& step, std::uint64_t stream) override;
    void affect_process(fault_setting const& fault) override;
    void close_output();
    fault_carrier carrier() const;

    // Adds an event to the trace, if there is one.
    void record(std::string_view event) const
    {
        if (auto const& log = script_->events_log)
            log->add(time_.now(), script_->name(), number_, event);
    }
    void record_message(std::string_view direction, std::string_view message) const
    {
        if (auto const& log = script_->events_log)
            log->add_message(time_.now(), script_->name(), number_, direction, message);
    }
    // Records a received message for validation against the schema of its protocol version.
    void log_received(server_dialogue::action const& what, std::string_view line);

    std::shared_ptr<server_script> script_; // set by the constructor
    asio::any_io_executor executor_;        // of all handlers; set by the constructor
    time_source& time_;                     // of the executor; set by the constructor
    any_transport transport_;               // set by the constructor
    server_dialogue dialogue_;              // replaced by set_protocol_versions()
    std::size_t number_;                    // among the connections of the server, from 1
    bool has_ended_ = false;                // set when no more messages are received
    // Set by on_input_ended() while actions are executed at the end of the input, cleared by finish(). A connection
    // that is held is kept alive by `held_connections`.
    bool is_held_ = false;
    std::vector<std::shared_ptr<request_exchange>> pending_; // without a response, or with actions left

    std::shared_ptr<backing_link> link_;  // set by to_server_behind(), never cleared; null: no server is behind
    std::vector<open_request> passed_;    // requests that the server behind has not responded to
    std::vector<open_request> to_client_; // requests to the client without a response; cleared when the connection ends
    bool is_dropped_ = false;             // set by drop(): the client then has not cancelled the pending requests
    std::uint64_t sent_ = 0;              // messages until now; incremented by send()
    std::unique_ptr<faulty_output> faults_; // made when the first message may have a fault; null: none may
    bool is_stateless_ = false;             // set by the first request of a stateless protocol version
    bool is_deaf_ = false;                  // set by affect_process(): nothing more is received
    std::uint64_t last_client_request_ = 0; // number of the last request of an action to the client
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
// the bodies of the classes, which refer to each other
#include <linkspan/test/impl/request_exchange.ipp>
#include <linkspan/test/impl/server_connection.behind.ipp>
#include <linkspan/test/impl/server_connection.ipp>
#include <linkspan/test/impl/server_events.ipp>
#endif

#endif
