#ifndef LINKSPAN_CONNECTOR_DETAIL_SERVER_TURN_HPP
#define LINKSPAN_CONNECTOR_DETAIL_SERVER_TURN_HPP

#include <linkspan/connector/detail/server_entry.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Handler of the connector for an internal operation on a server: `function(server, results...)`.
//
// If the execution context destroys the handler without invoking it, the handlers that wait for the server are
// discarded, so that no cycle of ownership remains.
template<class Function>
class server_turn {
public:
    server_turn(std::shared_ptr<server_entry> server, Function function)
        : server_(std::move(server)), function_(std::move(function))
    {}
    server_turn(server_turn&&) = default;
    server_turn& operator=(server_turn&&) = delete;

    ~server_turn()
    {
        if (server_ && !server_->starting)
            server_->drop_waiting();
    }

    template<class... Args>
    void operator()(Args&&... args)
    {
        auto const server = std::exchange(server_, nullptr);
        function_(server, std::forward<Args>(args)...);
    }

private:
    std::shared_ptr<server_entry> server_;
    Function function_;
};

} // namespace linkspan::detail

#endif
