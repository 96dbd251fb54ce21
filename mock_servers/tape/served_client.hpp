#ifndef LINKSPAN_MOCK_SERVERS_TAPE_SERVED_CLIENT_HPP
#define LINKSPAN_MOCK_SERVERS_TAPE_SERVED_CLIENT_HPP

#include <linkspan/test/tape_entry.hpp>
#include <linkspan/transport/any_transport.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http_messages.hpp"

namespace mock_servers {

/// A client of this program, and the server that serves the client.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class served_client : public std::enable_shared_from_this<served_client> {
public:
    /// The server, and the functions that are called.
    struct options {
        linkspan::any_transport server; ///< transport to the server, which is not open
        bool is_over_http = false;      ///< whether `server` needs the adaption of `http_messages`
        /// Called with each message and each unexpected line, and the side that has sent them. Empty: not called.
        std::function<void(linkspan::test::tape_direction, std::string_view)> on_message{};
        /// Called once, when both sides have ended. Empty: not called.
        std::function<void(std::shared_ptr<served_client> const&)> on_end{};
    };

    /// \param client Open transport to the client.
    served_client(linkspan::any_transport client, boost::asio::any_io_executor executor, options with);

    /// Opens the server, and begins to receive from the client.
    void start();

    /// Ends both sides. A process has some time to exit.
    void end();

private:
    // Receives the messages of one side.
    struct side;

    // A request of the client without a response.
    struct request {
        std::string id;       // JSON text
        std::uint64_t stream; // exchange of the response
    };

    void on_open(linkspan::error_code ec);
    void on_received(std::shared_ptr<side> const& by, linkspan::error_code ec,
                     std::span<linkspan::inbound const> batch);
    void on_client(std::string_view text, std::uint64_t stream);
    void send(std::string_view text);
    void on_cancelled(std::string_view id);
    void on_server(std::string_view text);
    void on_report(linkspan::inbound_report const& report);
    void write(linkspan::test::tape_direction from, std::string_view text) const;

    boost::asio::any_io_executor executor_;  // set by the constructor
    linkspan::any_transport client_;         // set by the constructor
    options with_;                           // set by the constructor
    std::optional<http_messages> over_http_; // set by the constructor if the server is one over HTTP
    std::vector<request> requests_;          // in the order of the client
    std::vector<std::string> early_;         // messages of the client before the server is open
    bool is_open_ = false;                   // set by on_open()
    bool is_ending_ = false;                 // set by end()
    bool server_ended_ = false;              // the server has ended the connection; set by on_received()
};

} // namespace mock_servers

#endif
