#ifndef LINKSPAN_SERVER_DETAIL_SERVED_CLIENT_HPP
#define LINKSPAN_SERVER_DETAIL_SERVED_CLIENT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/text_buffer.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/log_level.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>
#include <linkspan/protocol/server/subscription_table.hpp>
#include <linkspan/protocol/subscription_filter.hpp>
#include <linkspan/server/detail/client_task.hpp>
#include <linkspan/server/detail/served_request.hpp>
#include <linkspan/transport/any_transport.hpp>

#include <cstddef>
#include <cstdint>
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

class server_core;

// One connection of a client: receives its messages, and owns its requests until they have a response.
//
// Owned by the receive operation of its transport; destroyed when that operation completes.
//
// Invariants: each request in `requests_` has its key as id, and no response. A function `done` is removed from
// `client_requests_` before it is called, so that it is called at most once.
class served_client final : public receive_op, public std::enable_shared_from_this<served_client> {
public:
    // account: name under which the client is limited; empty: not known.
    LINKSPAN_DECL served_client(std::shared_ptr<server_core> server, any_transport transport, std::string principal,
                                std::string account, std::optional<protocol_version> only, std::uint64_t number,
                                pending_handler<void(error_code)> done);
    served_client(served_client const&) = delete;
    served_client& operator=(served_client const&) = delete;
    LINKSPAN_DECL ~served_client();

    // Starts the next receive operation.
    void run() { transport_.receive(shared_from_this()); }

    // Closes the connection. The receive operation completes later.
    void close() noexcept { transport_.close(); }

    // Sends messages on a stream; 0: no particular one.
    LINKSPAN_DECL void send(std::string_view message, std::uint64_t stream);
    LINKSPAN_DECL void notify(std::string_view method, std::string_view params, std::uint64_t stream);

    // Returns the params of `notifications/message`. data: JSON text. logger: empty: none.
    LINKSPAN_DECL static std::string params_of_log(log_level level, std::string_view data, std::string_view logger);

    // Sends a response, and forgets the request.
    LINKSPAN_DECL void respond(served_request& request, std::string_view members,
                               server_dialogue::contained_members contains);
    LINKSPAN_DECL void refuse(served_request& request, int code, std::string_view message, std::string_view data);

    // Forgets a request without a response. The second function also ends its HTTP exchange.
    LINKSPAN_DECL void forget(served_request const& request) noexcept;
    LINKSPAN_DECL void forget_cancelled(served_request const& request) noexcept;

    using response_function = std::function<void(error_code, std::string_view result)>;
    using progress_function = std::function<void(progress_update const&)>;

    // Cancels a request to the client without a response, and notifies the client. Returns its function `done`, which
    // is not called; empty: no such request. A task that the client has created for it nevertheless is cancelled later.
    LINKSPAN_DECL response_function cancel_request(std::uint64_t id);

    // Functions of a carrier with a stream for each request.
    struct stream_functions {
        std::function<void(std::uint64_t stream)> end_exchange;        // ends the HTTP exchange of a stream
        std::function<std::size_t(std::uint64_t stream)> unread_bytes; // of a stream
    };

    // Sets the functions of the carrier, which is HTTP.
    void set_stream_functions(stream_functions of) { streams_ = std::move(of); }

    // Returns whether the carrier is HTTP, which has a stream for each request.
    bool has_streams() const noexcept { return static_cast<bool>(streams_.end_exchange); }

    // Ends the HTTP exchange of a request before its response. No effect with other carriers.
    void end_exchange(std::uint64_t stream)
    {
        if (streams_.end_exchange)
            streams_.end_exchange(stream);
    }

    // Returns the number of bytes of a stream, or of the connection, that the client has not read, as far as known.
    std::size_t unread_bytes(std::uint64_t stream) const
    {
        return streams_.unread_bytes ? streams_.unread_bytes(stream) : transport_.queued_bytes();
    }

    // Puts another request in the place of a request with the same id.
    LINKSPAN_DECL void replace(served_request const& old, served_request_pointer by);

    // The functions for the result, as JSON text, and for the progress of a request to the client.
    struct request_functions {
        response_function done;
        progress_function on_progress; // empty: the request has no progress token
        bool may_leave_task = false;   // a late response, after cancel_request(), may announce a task to be cancelled
    };

    // Sends a request to the client, and returns its id, which is also its progress token.
    LINKSPAN_DECL std::uint64_t send_request(std::string_view method, std::string_view params, std::uint64_t stream,
                                             request_functions functions);

    // Sends a request outside of the requests of the client. `timeout`: empty: that of the request.
    LINKSPAN_DECL void ask(client_request what, std::optional<duration> timeout);

    // Adds a task of the client, which is notified of the end of the connection.
    LINKSPAN_DECL void add_task(std::shared_ptr<client_task> const& task);

    // Returns whether the client has no session over HTTP and no request, so that its carrier only keeps it for a later
    // request.
    bool is_kept() const noexcept { return has_streams() && !dialogue_.is_initialized() && requests_.empty(); }

    server_core& server() const noexcept { return *server_; }
    std::uint64_t number() const noexcept { return number_; }
    std::size_t requests() const noexcept { return requests_.size(); }
    protocol_version version() const noexcept { return dialogue_.version(); }
    client_info const& info() const noexcept { return *info_; }
    std::string const& account() const noexcept { return account_; }

    // Returns whether the client has initialized a session and is connected.
    bool is_in_session() const noexcept { return dialogue_.is_initialized() && !has_ended_; }

    // Returns the minimum level of the log messages that a client of the era `handshake` requests.
    log_level min_level() const noexcept { return min_level_; }

    // Sets the level of log messages in the era `handshake`.
    void set_log_level(log_level level) noexcept { min_level_ = level; }

    // Returns the subscriber of a client of the era `handshake`, and adds it if there is none. It is not notified of
    // lists before `notifications/initialized`.
    LINKSPAN_DECL subscription_table::key subscriber();

private:
    void on_received(error_code ec, std::span<inbound const> batch) override;
    // is_element: the message is an element of a batch.
    void receive(std::string_view message, std::uint64_t stream, bool is_element = false);
    void on_message(std::string_view line, std::uint64_t stream);
    void on_message_lost(std::string_view line, std::uint64_t stream);
    void on_request(server_dialogue::action const& what, std::uint64_t stream);
    bool add(served_request_pointer const& request);
    void on_notification(envelope const& message);
    bool on_progress(std::string_view params);
    bool on_task_status(std::string_view params);
    progress_function function_of_progress(std::uint64_t token) const;
    void on_response(envelope const& message);
    void on_late_response(std::uint64_t id, envelope const& message);
    void describe_client(envelope const& initialize);
    void describe_server(std::string_view response);
    served_request::origin origin_of(server_dialogue::action const& what, std::uint64_t stream);
    void read_meta(server_dialogue::action const& what);
    void end(error_code ec);
    void expire(std::uint64_t client_request);

    std::shared_ptr<server_core> server_;     // set by the constructor
    any_transport transport_;                 // set by the constructor
    std::string account_;                     // set by the constructor
    std::uint64_t number_;                    // unique in the server; set by the constructor
    server_dialogue dialogue_;                // set by the constructor
    std::shared_ptr<client_info const> info_; // set by the constructor, replaced by `initialize`; not null
    pending_handler<void(error_code)> done_;  // set by the constructor, completed by end()
    bool has_ended_ = false;                  // set by end()
    stream_functions streams_;                // set by set_stream_functions(); empty: the carrier is not HTTP
    subscription_filter declared_lists_;      // whose changes `initialize` has declared; set by describe_server()
    log_level min_level_ = log_level::debug;  // set by `logging/setLevel`
    // Set by the first subscription of a client of the era `handshake`; empty: none.
    std::optional<subscription_table::key> subscriber_;
    // Content of `_meta` of the last stateless request, which clients repeat, and its number. Set by read_meta().
    std::uint64_t meta_number_ = 0;
    served_request::origin last_origin_;
    text_buffer response_; // memory of responses, if the transport has none for them
    using request_map = std::map<std::string, served_request_pointer, std::less<>>;
    request_map requests_;             // without a response, by their ids
    request_map::node_type free_node_; // of a request that has a response; kept for its memory
    // Requests to the client without a response, by their ids. Added by send_request().
    std::map<std::uint64_t, request_functions> client_requests_;
    // Cancelled requests with `may_leave_task`, without a late response; at most 100, the oldest is removed. Added by
    // cancel_request().
    std::vector<std::uint64_t> cancelled_;
    std::vector<std::weak_ptr<client_task>> tasks_; // of the client; added by add_task(), notified by end()
    std::uint64_t last_client_request_ = 0; // id of the last request to the client; incremented by send_request()
};

} // namespace linkspan::detail

#endif
