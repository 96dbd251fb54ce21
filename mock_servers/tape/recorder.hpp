#ifndef LINKSPAN_MOCK_SERVERS_TAPE_RECORDER_HPP
#define LINKSPAN_MOCK_SERVERS_TAPE_RECORDER_HPP

#include <linkspan/transport/stdio/stdio_config.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mock_servers {

/// Options of a recording. The server is a command or a URL.
struct recording {
    std::string out;                     ///< path of the tape, which is replaced
    linkspan::stdio_config server{};     ///< command of the server
    std::string url{};                   ///< URL of a server over HTTP; empty: the server is the command
    std::optional<std::uint16_t> port{}; ///< port on which the client is served over HTTP; empty: standard streams
    bool redacts = true;                 ///< whether secrets are replaced by "***"
    std::vector<std::string> secrets{};  ///< further texts that are replaced
};

/// Passes the messages of the client that started this process on to the server and back, unchanged, and writes them to
/// a tape. Returns when the client has closed stdin, or the server has ended.
///
/// \returns 0 if the server has exited with status 0, or is a server over HTTP; else 1.
/// \throws std::runtime_error The tape cannot be written, or the server cannot be started.
/// std::invalid_argument: the URL is invalid.
int record_streams(recording what);

/// Serves clients over HTTP on a port of 127.0.0.1, whose URL is written to stdout. Passes their requests on to a
/// server over HTTP, and writes the messages to a tape. Returns after SIGINT, after SIGTERM, and at the end of stdin.
///
/// \returns 0.
/// \throws std::runtime_error The tape cannot be written, or the port cannot be opened.
/// std::invalid_argument: the URL is invalid.
int record_http(recording const& what);

/// Serves clients over HTTP on a port of 127.0.0.1, whose URL is written to stdout. Starts the command of the server
/// once for each client, passes the messages on, and writes them to a tape. Returns after SIGINT, after SIGTERM, and at
/// the end of stdin.
///
/// \returns 0.
/// \throws std::runtime_error The tape cannot be written, or the port cannot be opened.
int record_http_to_command(recording const& what);

} // namespace mock_servers

#endif
