#ifndef LINKSPAN_TEST_IMPL_SCRIPTED_SERVER_IPP
#define LINKSPAN_TEST_IMPL_SCRIPTED_SERVER_IPP

#include <linkspan/core/time.hpp>
#include <linkspan/server/server.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <boost/asio/execution/context.hpp>
#include <boost/asio/query.hpp>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// Returns a function that closes both directions of the server's end. The pointers are weak, because the channels own
// the function.
inline std::function<void()> make_close_function(memory_end const& end)
{
    return [in = std::weak_ptr(end.in), out = std::weak_ptr(end.out)] {
        memory_end const both{in.lock(), out.lock()};
        if (both.in && both.out)
            both.close();
    };
}

} // namespace detail

LINKSPAN_DECL scripted_server::scripted_server(server& behind)
{
    script_->behind = &behind;
    static_cast<implementation&>(script_->dialogue) = behind.identity();
    script_->dialogue.protocol_versions = behind.protocol_versions();
}

// Returns a connection that does not receive yet: the caller then calls run().
LINKSPAN_DECL std::shared_ptr<detail::server_connection> scripted_server::connect(asio::any_io_executor const& executor,
                                                                                  any_transport transport)
{
    ++script_->connections;
    script_->rules.start(time_source::of(executor).now());
    auto const connection = std::make_shared<detail::server_connection>(script_, executor, std::move(transport));
    std::erase_if(script_->open, [](auto const& closed) { return closed.expired(); });
    script_->open.push_back(connection);
    if (script_->connections == 1)
        time_source::of(executor).on_outstanding([script = std::weak_ptr(script_)] {
            auto const alive = script.lock();
            return alive ? alive->outstanding() : std::vector<std::string>();
        });
    return connection;
}

LINKSPAN_DECL void scripted_server::serve(asio::any_io_executor const& executor, any_transport transport,
                                          std::function<void()> on_end)
{
    serve(executor, std::move(transport), std::move(on_end), {});
}

LINKSPAN_DECL void scripted_server::serve(asio::any_io_executor const& executor, any_transport transport,
                                          std::function<void()> on_end, std::function<void()> end_output)
{
    auto const connection = connect(executor, std::move(transport));
    connection->on_end = std::move(on_end);
    connection->end_output = std::move(end_output);
    if (script_->behind)
        script_->behind->async_serve(connection->to_server_behind(), {}, [](error_code) {});
    else if (script_->pass_on)
        script_->pass_on(executor, connection->to_server_behind());
    connection->run();
}

LINKSPAN_DECL verification scripted_server::verify(closed_by_client) const
{
    auto const opened = script_->connections, closed = script_->closed_by_client, ended = script_->ended_by_server;
    auto const lost = script_->lost;
    if (opened != 0 && closed == opened)
        return verification({});
    return verification("expected all connections to be closed by the client; opened: " + std::to_string(opened) +
                        ", closed by the client: " + std::to_string(closed) + ", lost: " + std::to_string(lost) +
                        ", ended by the server: " + std::to_string(ended) +
                        ", open: " + std::to_string(opened - closed - lost - ended));
}

LINKSPAN_DECL scripted_server::operator inproc_config() const
{
    inproc_config out;
    out.connect = [script = script_](asio::any_io_executor const& executor, memory_end const& end) {
        if (script->cut_requests)
            end.in->cut_after(*script->cut_requests, detail::make_close_function(end));
        if (script->cut_responses)
            end.out->cut_after(*script->cut_responses, detail::make_close_function(end));
        scripted_server server;
        server.script_ = script;
        server.serve(executor, any_transport::make<inproc_server>(executor, {end}), {}, [out = std::weak_ptr(end.out)] {
            if (auto const alive = out.lock())
                alive->close_writer();
        });
        return error_code();
    };
    out.on_named = [script = script_](std::string_view name) {
        if (std::ranges::find(script->names, name) == script->names.end())
            script->names.emplace_back(name);
    };
    return out;
}

LINKSPAN_DECL void scripted_server::broadcast(std::string_view line)
{
    for (auto const& connection : script_->open)
        if (auto const alive = connection.lock())
            alive->send(line);
}

LINKSPAN_DECL void scripted_server::drop_connections()
{
    for (auto const& connection : script_->open)
        if (auto const alive = connection.lock())
            alive->drop();
}

} // namespace linkspan::test

#endif
