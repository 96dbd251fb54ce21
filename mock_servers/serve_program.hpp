#ifndef LINKSPAN_MOCK_SERVERS_SERVE_PROGRAM_HPP
#define LINKSPAN_MOCK_SERVERS_SERVE_PROGRAM_HPP

#include <linkspan/server/serve_stdio.hpp>
#include <linkspan/server/server.hpp>

#include <boost/asio/io_context.hpp>

#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "command_line.hpp"

namespace mock_servers {

/// Runs a server over standard streams until its client closes the input.
///
/// \param name Name of the program and of the server.
/// \param usage Text of the option `--help`, which also follows the reason of a wrong command line.
/// \param read_options Returns the options, which have a member `help`. Throws std::invalid_argument.
/// \param add_tools Adds the tools, with the options. Throws an exception if the server cannot start.
/// \returns The exit status: 0 after the end of the client; 1 after an exception; 2 for a wrong command line.
template<class ReadOptions, class AddTools>
int serve_program(std::string const& name, std::string_view usage, option_reader words, ReadOptions read_options,
                  AddTools add_tools)
try {
    auto const with = read_options(words);
    if (with.help) {
        std::cout << usage;
        return 0;
    }
    try {
        boost::asio::io_context context(1);
        linkspan::server server(context.get_executor(), {.name = name, .version = "1.0"});
        add_tools(server, with);
        linkspan::serve_stdio(server);
        context.run();
        return 0;
    } catch (std::exception const& failed) {
        std::cerr << name << ": " << failed.what() << '\n';
        return 1;
    }
} catch (std::invalid_argument const& wrong) {
    std::cerr << name << ": " << wrong.what() << "\n\n" << usage;
    return 2;
}

} // namespace mock_servers

#endif
