#ifndef LINKSPAN_TEST_SUPPORT_ADD_SERVER_HPP
#define LINKSPAN_TEST_SUPPORT_ADD_SERVER_HPP

#include <linkspan/connector/detail/connector_core.hpp>

#include <memory>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

// Adds an idle server without a transport to a connector.
inline std::shared_ptr<linkspan::detail::server_entry> add_server(linkspan::detail::connector_core& core,
                                                                  std::string key, server_options const& options = {})
{
    auto const id = core.servers().next_id();
    auto server = std::make_shared<linkspan::detail::server_entry>(id, std::move(key), options, core.executor());
    server->session =
        std::make_shared<linkspan::detail::session_core>(core.executor(), transport_factory(), options.session);
    core.servers().register_server(server);
    core.servers().add(server);
    return server;
}

} // namespace linkspan::test

#endif
