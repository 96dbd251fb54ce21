#ifndef LINKSPAN_TEST_SUPPORT_HOLDING_ENDPOINT_HPP
#define LINKSPAN_TEST_SUPPORT_HOLDING_ENDPOINT_HPP

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "endpoint_case.hpp"
#include "raw_http.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

// An endpoint with the tool "hold", whose requests stay open, and connections of clients.
struct holding_endpoint : endpoint_world {
    std::vector<server_request> held;
    std::vector<std::unique_ptr<raw_http::client>> connections;

    void make_hold()
    {
        make_endpoint().add(any_tool("hold"), [this](server_request request) { held.push_back(std::move(request)); });
    }

    // Opens a connection. `address`: of the client, for limits; empty: not known.
    raw_http::client& connect_from(std::string address = {})
    {
        connections.push_back(std::make_unique<raw_http::client>(executor));
        endpoint->serve(connections.back()->other(), std::move(address));
        return *connections.back();
    }

    void clean_up()
    {
        for (auto const& each : connections)
            each->close();
        held.clear();
        endpoint_world::clean_up();
        connections.clear();
    }
};

} // namespace linkspan::test

#endif
