#ifndef LINKSPAN_MOCK_SERVERS_TAPE_TAPE_FILE_HPP
#define LINKSPAN_MOCK_SERVERS_TAPE_TAPE_FILE_HPP

#include <linkspan/core/time.hpp>
#include <linkspan/http/http_head.hpp>
#include <linkspan/test/tape.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <fstream>
#include <string>
#include <string_view>

#include "recorder.hpp"

namespace mock_servers {

/// The tape of a recording, as a file.
class tape_file {
public:
    /// Opens the file, and writes the header.
    ///
    /// \param carrier Transport of the session.
    /// \throws std::runtime_error The file cannot be written.
    tape_file(boost::asio::any_io_executor const& executor, recording const& what, std::string carrier);

    /// Writes a message, or a line of stderr.
    ///
    /// \throws std::runtime_error The file cannot be written any more.
    void write(linkspan::test::tape_direction direction, std::string_view text);

    /// Replaces the secrets in the fields of a head of HTTP wherever they occur in later messages.
    void hide_secrets_of(linkspan::http_head const& head);

private:
    std::string path_;
    std::ofstream file_;
    linkspan::test::tape_writer tape_; // writes to `file_`
    linkspan::time_source& time_;      // set by the constructor
    linkspan::time_point start_;       // set by the constructor
};

} // namespace mock_servers

#endif
