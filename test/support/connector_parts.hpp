#ifndef LINKSPAN_TEST_SUPPORT_CONNECTOR_PARTS_HPP
#define LINKSPAN_TEST_SUPPORT_CONNECTOR_PARTS_HPP

#include <linkspan/connector/detail/call_runner.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "scripted_policies.hpp"
#include "virtual_world.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

// A connector in virtual time, whose policies are set by the test and whose servers cannot be reached.
struct connector_parts : virtual_world {
    using server_pointer = std::shared_ptr<linkspan::detail::server_entry>;

    connector_parts() { core->epoch().on_opening(); }

    // Adds a server. The constructor of its transport throws.
    server_pointer add(std::string key, server_options options = {})
    {
        options.restart.max_restarts = 0;
        options.restart.give_up = true;
        core->operations().add(key, "none", unreachable, std::move(options));
        return core->find(key);
    }

    // Makes the server ready, without a connection of its session.
    void make_ready(linkspan::detail::server_entry& server)
    {
        server.life.on_starting();
        server.life.on_connected(time.now());
        server.life.on_settled();
    }

    static tool_list list_of(std::string name)
    {
        tool_list list;
        list.tools.emplace_back();
        list.tools[0].name = std::move(name);
        list.tools[0].input_schema = "{}";
        return list;
    }

    static any_transport unreachable(boost::asio::any_io_executor const&)
    {
        throw std::runtime_error("no such program");
    }

    scripted_policies* policies = new scripted_policies; // owned by `core`
    std::shared_ptr<linkspan::detail::connector_core> core = std::make_shared<linkspan::detail::connector_core>(
        context.get_executor(), std::unique_ptr<policy_table>(policies));
};

} // namespace linkspan::test

#endif
