#ifndef LINKSPAN_MOCK_SERVERS_TAPE_SERVE_RECORDING_HPP
#define LINKSPAN_MOCK_SERVERS_TAPE_SERVE_RECORDING_HPP

#include <linkspan/test/detail/program_end.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>

#include <csignal>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

#include "recorder.hpp"

namespace mock_servers {

/// Serves a recording over HTTP until SIGINT, SIGTERM, or the end of stdin; a second one of these events ends the
/// program without waiting. Writes the URL to stdout.
///
/// \tparam Session Constructed from the executor and the options; has `url()`, which opens the port, and `stop(done)`.
/// \returns 0.
/// \throws std::runtime_error The port cannot be opened, or the tape cannot be written.
template<class Session>
int serve_recording(recording const& what)
{
    std::signal(SIGPIPE, SIG_IGN);
    boost::asio::io_context context(1);
    Session session(context.get_executor(), what);
    try {
        std::cout << session.url() << std::endl;
    } catch (boost::system::system_error const& failed) {
        throw std::runtime_error("port " + std::to_string(*what.port) + " of 127.0.0.1: " + failed.code().message());
    }
    bool is_ending = false;
    linkspan::test::detail::program_end const ending(context.get_executor(), [&] {
        if (std::exchange(is_ending, true))
            return context.stop();
        session.stop([&] { context.stop(); });
    });
    context.run();
    return 0;
}

} // namespace mock_servers

#endif
