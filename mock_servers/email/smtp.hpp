#ifndef LINKSPAN_MOCK_SERVERS_EMAIL_SMTP_HPP
#define LINKSPAN_MOCK_SERVERS_EMAIL_SMTP_HPP

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace mock_email {

/// A mail server to which messages are submitted.
struct smtp_server {
    std::string host = "localhost";            ///< name of the host, which its certificate must have
    std::string port = "587";                  ///< port
    std::string authorities{};                 ///< PEM file with certificate authorities; empty: those of the system
    std::string user = "apikey";               ///< name of the user
    std::string password{};                    ///< password of the user: the API key
    std::chrono::milliseconds timeout{60'000}; ///< time for one reply of the server
};

/// A message was not sent, or its outcome is unknown. The text is intended for the client, and has no password.
class smtp_error : public std::runtime_error {
public:
    smtp_error(std::string const& what, bool is_unknown) : std::runtime_error(what), is_unknown_(is_unknown) {}

    /// Returns whether the server may have accepted the message: its end was sent, and no reply was received.
    bool is_unknown() const noexcept { return is_unknown_; }

private:
    bool is_unknown_;
};

/// Sends a message. The connection is encrypted by STARTTLS before the user is authenticated.
///
/// \param server The server.
/// \param from Address of the sender.
/// \param to Addresses of the recipients. If the server rejects one of them, nothing is sent.
/// \param message The composed message.
/// \param on_accepted Called when the server has accepted the message, before the end of the connection, which may take
/// as long as `timeout`. An exception of it ends the connection.
/// \throws smtp_error The message was not sent, or its outcome is unknown. Also throws the exceptions of `on_accepted`.
/// \par Specification
/// RFC 5321; RFC 3207; RFC 4954 (AUTH PLAIN).
boost::asio::awaitable<void> send(smtp_server server, std::string from, std::vector<std::string> to,
                                  std::string message, std::function<void()> on_accepted);

} // namespace mock_email

#endif
