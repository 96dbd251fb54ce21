#ifndef LINKSPAN_MOCK_SERVERS_TAPE_RECORDER_HPP
#define LINKSPAN_MOCK_SERVERS_TAPE_RECORDER_HPP

#include <linkspan/transport/stdio/stdio_config.hpp>

#include <string>
#include <vector>

namespace mock_servers {

/// Options of a recording.
struct recording {
    std::string out;                    ///< path of the tape, which is replaced
    linkspan::stdio_config server{};    ///< command of the server
    bool redacts = true;                ///< whether secrets are replaced by "***"
    std::vector<std::string> secrets{}; ///< further texts that are replaced
};

/// Starts a server, passes the messages of the client that started this process on to it and back, unchanged, and writes
/// them to a tape. Returns when the client has closed stdin, or the server has ended.
///
/// \returns 0 if the server has exited with status 0; else 1.
/// \throws std::runtime_error The tape cannot be written. boost::system::system_error: the server cannot be started.
int record(recording what);

} // namespace mock_servers

#endif
