#ifndef LINKSPAN_MOCK_SERVERS_PASSTHROUGH_HPP
#define LINKSPAN_MOCK_SERVERS_PASSTHROUGH_HPP

#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/test/detail/held_connections.hpp>
#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <iostream>
#include <memory>
#include <string_view>
#include <utility>

#include "tape/served_client.hpp"
#include "tape/server_config.hpp"

namespace mock_servers {

/// Passes the messages that no rule of a server handles on to another server, to which each client has a connection of
/// its own: a process of the command, or a session over HTTP. The URL, if any, is valid.
inline void pass_on(linkspan::test::scripted_server& server, linkspan::test::script_passthrough const& to)
{
    linkspan::stdio_config command;
    if (!to.command.empty()) {
        command.command = to.command.front();
        command.args.assign(to.command.begin() + 1, to.command.end());
        command.on_stderr = [](std::string_view line) { std::cerr << line << std::endl; };
        command.close_grace = grace;
    }
    auto const config = to.url.empty() ? linkspan::http_config() : server_config(to.url);
    server.pass_on([command, config, is_over_http = !to.url.empty()](boost::asio::any_io_executor const& executor,
                                                                     linkspan::any_transport client) {
        using linkspan::any_transport;
        using clients = linkspan::test::detail::held_connections;
        served_client::options with{
            .server = is_over_http ? any_transport::make<linkspan::auto_http>(executor, config)
                                   : any_transport::make<linkspan::stdio>(executor, command),
            .is_over_http = is_over_http,
            .on_end = [executor](std::shared_ptr<served_client> const& ended) { clients::of(executor).remove(ended); }};
        auto const one = std::make_shared<served_client>(std::move(client), executor, std::move(with));
        clients::of(executor).add(one);
        one->start();
    });
}

} // namespace mock_servers

#endif
