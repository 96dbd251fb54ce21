#ifndef LINKSPAN_TEST_DETAIL_SERVER_CONNECTION_HPP
#define LINKSPAN_TEST_DETAIL_SERVER_CONNECTION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>
#include <linkspan/test/detail/message_log.hpp>
#include <linkspan/test/script.hpp>
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
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

class server_connection;

// Configuration and observations of a scripted server, shared by the server object and its connections.
struct server_script {
    struct tool {
        std::string name, description, input_schema, annotations;
        std::function<std::string(std::string_view arguments)> run; // returns result members; empty: no content
        std::string output_schema{};                                // JSON text; empty: none
    };

    server_dialogue::options dialogue; // copied by each connection when it is opened
    std::vector<tool> tools;
    std::deque<rule> rules;    // the first that matches is used; a deque, because callers hold references
    std::string line_suffix;   // sent before each line end
    std::size_t page_size = 0; // tools per page of `tools/list`; 0: all tools on one page
    std::optional<std::uint64_t> cut_requests, cut_responses; // bytes after which a connection ends; empty: never
    std::vector<std::string> received;                        // all messages in the order of arrival
    std::size_t connections = 0;                              // opened since construction
    std::vector<std::weak_ptr<server_connection>> open;       // expired entries are removed by the next connection
    message_log log;
    std::vector<std::string> names; // names that connectors give the server, without duplicates

    // Returns the name of the server for reports: the names that connectors give it, else its own name.
    std::string display_name() const
    {
        std::string out;
        for (auto const& name : names)
            (out += out.empty() ? "" : "/") += name;
        return out.empty() ? dialogue.name : out;
    }

    // Writes the requests without a response, of all open connections.
    void list_pending(std::ostream& out) const;

    // Returns the first rule that matches; null if there is none.
    rule* match(exchange const& request)
    {
        auto const found = std::ranges::find_if(rules, [&](rule const& r) { return r.matches(request); });
        return found == rules.end() ? nullptr : &*found;
    }
};

// One connection of a scripted server.
//
// Receives messages, applies the rules of the script, and keeps the requests whose actions are not complete. Owned by
// the receive operation of its transport; destroyed when that operation completes.
//
// Invariant: a request that is not in `pending_` executes no further action, so that it does not use a destroyed
// connection.
class server_connection final : public receive_op, public std::enable_shared_from_this<server_connection> {
public:
    server_connection(std::shared_ptr<server_script> script, asio::any_io_executor executor, any_transport transport)
        : script_(std::move(script)),
          executor_(std::move(executor)),
          transport_(std::move(transport)),
          dialogue_(script_->dialogue)
    {}

    server_connection(server_connection const&) = delete;
    server_connection& operator=(server_connection const&) = delete;
    ~server_connection();

    // Starts the next receive operation.
    void run();

    // Sends one message, with the line suffix of the script. `stream`: number of the HTTP stream; 0: none.
    void send(std::string_view line, std::uint64_t stream = 0);

    // Ends the connection after the messages that were sent before.
    void drop()
    {
        transport_.shutdown({[](error_code) {}, executor_});
    }
    void list_pending(std::ostream& out) const;

    // Called once when the connection has ended; then empty.
    std::function<void()> on_end;

    // Returns the HTTP exchange of a stream. Set for connections over HTTP only.
    std::function<http_exchange*(std::uint64_t stream)> http_of;

    // Replaces the protocol versions of the server for this connection.
    void set_protocol_versions(std::vector<protocol_version> protocol_versions)
    {
        auto with = script_->dialogue;
        with.protocol_versions = std::move(protocol_versions);
        dialogue_ = server_dialogue(std::move(with));
    }

private:
    class request_exchange;

    // Handles the received messages. On an error, cancels all requests and ends the connection.
    void on_received(error_code ec, std::span<inbound const> batch) override;
    // Handles one message: a request, a response, a notification, or a batch.
    void on_message(std::string_view line, std::uint64_t stream);
    // Applies the rule that matches, or sends the default response.
    void on_request(server_dialogue::action const& what, std::uint64_t stream);
    // Sends the default response to a request that the dialogue does not handle.
    void respond_by_default(exchange& request);
    // Sends one page of the declared tools.
    void list_tools(exchange& request);

    std::shared_ptr<server_script> script_;                  // set by the constructor
    asio::any_io_executor executor_;                         // of all handlers; set by the constructor
    any_transport transport_;                                // set by the constructor
    server_dialogue dialogue_;                               // replaced by set_protocol_versions()
    std::vector<std::shared_ptr<request_exchange>> pending_; // without a response, or with actions left
    // A request that this server sent to the client.
    struct client_request {
        std::string id, method;
        std::function<void()> next; // invoked when the response is received
    };

    // Records a received message for validation against the schema of its protocol version.
    void log_received(server_dialogue::action const& what, std::string_view line);
    // Sends a message that the server generates, and records it for validation.
    void send_recorded(std::string_view line, std::uint64_t stream, protocol_version version,
                       std::string_view request_method = {});

    std::vector<client_request> client_requests_; // without a response; cleared when the connection ends
    std::uint64_t last_client_request_ = 0;       // number of the last request to the client
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/server_connection.ipp>
#endif

#endif
