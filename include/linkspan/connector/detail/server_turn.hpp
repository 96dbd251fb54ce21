#ifndef LINKSPAN_CONNECTOR_DETAIL_SERVER_TURN_HPP
#define LINKSPAN_CONNECTOR_DETAIL_SERVER_TURN_HPP

#include <linkspan/connector/detail/server_entry.hpp>
#include <linkspan/core/detail/completion_guard.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Discards the handlers that wait for a server. Has no effect inside server_driver::start(): an exception of the
// transport destroys the handler there, and start() reports the failure to the waiting handlers.
struct drop_waiting {
    void operator()(server_entry& server) const noexcept
    {
        if (!server.starting)
            server.drop_waiting();
    }
};

// Returns a handler of the connector for an internal operation on a server: `function(server, results...)`.
//
// If the handler is destroyed without being invoked, because the execution context is destroyed, the handlers that wait
// for the server are discarded, so that no cycle of ownership remains.
template<class Function>
auto server_turn(std::shared_ptr<server_entry> server, Function function)
{
    return [function = std::move(function),
            guard = completion_guard(std::move(server), drop_waiting())](auto&&... results) mutable {
        auto const released = guard.release();
        function(released, std::forward<decltype(results)>(results)...);
    };
}

} // namespace linkspan::detail

#endif
