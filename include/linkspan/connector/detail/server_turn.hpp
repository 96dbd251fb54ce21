#ifndef LINKSPAN_CONNECTOR_DETAIL_SERVER_TURN_HPP
#define LINKSPAN_CONNECTOR_DETAIL_SERVER_TURN_HPP

#include <linkspan/connector/detail/server_entry.hpp>
#include <linkspan/core/detail/completion_guard.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Discards the handlers that wait for a server, unless a `keeps_waiting` exists.
struct drop_waiting {
    void operator()(server_entry& server) const noexcept
    {
        if (!server.keeps_waiting)
            server.drop_waiting();
    }
};

// While the object exists, a handler that an exception destroys does not discard the handlers that wait for the server:
// the code that catches the exception completes them.
class keeps_waiting {
public:
    explicit keeps_waiting(server_entry& server) noexcept : server_(server) { server_.keeps_waiting = true; }
    keeps_waiting(keeps_waiting const&) = delete;
    keeps_waiting& operator=(keeps_waiting const&) = delete;
    ~keeps_waiting() { server_.keeps_waiting = false; }

private:
    server_entry& server_; // set by the constructor
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
