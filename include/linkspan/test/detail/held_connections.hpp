#ifndef LINKSPAN_TEST_DETAIL_HELD_CONNECTIONS_HPP
#define LINKSPAN_TEST_DETAIL_HELD_CONNECTIONS_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/query.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Objects that no operation owns any more, and that exist until they are removed, or until their execution context is
// destroyed. A connection of a scripted server is held while actions are executed after the end of its input: the state
// of the server refers to these actions, so that it must not own the connection.
class held_connections final : public asio::execution_context::service {
public:
    using key_type = held_connections;

    // Called by the service registry of Asio.
    explicit held_connections(asio::execution_context& context) : asio::execution_context::service(context) {}

    // Returns the service of the context of an executor.
    static held_connections& of(asio::any_io_executor const& executor)
    {
        return asio::use_service<held_connections>(asio::query(executor, asio::execution::context));
    }

    void add(std::shared_ptr<void> held) { all_.push_back(std::move(held)); }
    void remove(std::shared_ptr<void> const& held) { std::erase(all_, held); }

private:
    // Destructors of the objects may call remove().
    void shutdown() override { auto const dropped = std::exchange(all_, {}); }

    std::vector<std::shared_ptr<void>> all_; // extended by add(), reduced by remove(), cleared by shutdown()
};

} // namespace linkspan::test::detail

#endif
