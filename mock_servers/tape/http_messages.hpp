#ifndef LINKSPAN_MOCK_SERVERS_TAPE_HTTP_MESSAGES_HPP
#define LINKSPAN_MOCK_SERVERS_TAPE_HTTP_MESSAGES_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/session/detail/header_mirror.hpp>
#include <linkspan/transport/concept.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace mock_servers {

/// Adapts the messages of a client on standard streams to a transport over HTTP, which derives header fields from the
/// protocol version, the method and the arguments, and needs a positive number as the id of each request.
///
/// The class reads the messages of the client, and does not change them, with one exception: an id that is no positive
/// number, or that is in use, is replaced by a number in the message to the server, and restored in the response.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class http_messages {
public:
    /// A message to the server.
    struct sent {
        linkspan::outbound message;                ///< views are valid until the next call of a member of the object
        std::optional<linkspan::request_id> ended; ///< request that a notification cancels; empty: none
    };

    /// Event: the client has sent a message.
    sent on_client(std::string_view text);

    /// Event: the server has sent a message. Returns the text for the client, on one line.
    ///
    /// \param exchange Id of the request whose exchange delivered the message, which replaces the id null of an error
    /// response; 0: not known.
    std::string on_server(std::string_view text, linkspan::request_id exchange);

    /// Event: a request has failed without a response. Returns an error response for the client; empty: the request is
    /// not known.
    std::string on_failure(linkspan::request_id id, int code, std::string_view reason);

    /// A request that has failed without a response.
    struct failure {
        std::string reason;   ///< text for the operator
        std::string response; ///< error response for the client; empty: the request is not known
    };

    /// Event: the transport has reported a request without a response.
    failure on_report(linkspan::inbound_report const& report);

    /// Event: a request was cancelled, and has no response.
    void forget(linkspan::request_id id) { requests_.erase(id); }

    /// Returns the number of requests of the client without a response.
    std::size_t outstanding() const noexcept { return requests_.size(); }

private:
    struct request {
        std::string id;     // id of the client as JSON text
        std::string method; // method of the request
    };

    void read_version(std::string_view params);
    void learn(request const& responded, std::string_view result);

    std::map<linkspan::request_id, request> requests_; // outstanding requests; by the id that the server has
    // Ids in place of those of the client; incremented by each use. Numbers of this size are exact in JSON readers.
    linkspan::request_id next_id_ = linkspan::request_id{1} << 50;
    std::optional<linkspan::protocol_version> version_; // set by `initialize` and by requests of stateless versions
    // Arguments that are also header fields; added by responses to `tools/list`, and copied into `mirror_`.
    linkspan::detail::header_mirror::arguments_by_tool listed_;
    linkspan::detail::header_mirror mirror_; // texts of the fields of the last message

    std::string text_, method_, name_; // of the last message to the server; replaced by on_client()
};

} // namespace mock_servers

#endif
