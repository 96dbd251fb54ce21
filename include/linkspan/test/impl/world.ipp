#ifndef LINKSPAN_TEST_IMPL_WORLD_IPP
#define LINKSPAN_TEST_IMPL_WORLD_IPP

#include <linkspan/core/error.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/test/shuffled_executor.hpp>
#include <linkspan/test/world.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

namespace detail {

// Returns an executor of the context with the given order of handlers.
inline asio::any_io_executor make_executor(asio::io_context& context, std::uint64_t seed, schedule order)
{
    if (order == schedule::fifo)
        return context.get_executor();
    auto queue = std::make_unique<shuffled_queue>(context, seed);
    asio::add_service<shuffled_queue>(context, queue.get());
    return shuffled_executor<asio::io_context::executor_type>(context.get_executor(), *queue.release());
}

} // namespace detail

LINKSPAN_DECL world::world(std::uint64_t seed, schedule order)
    : time(virtual_time::install(context, seed)), executor(detail::make_executor(context, seed, order))
{}

LINKSPAN_DECL world::~world() = default;

LINKSPAN_DECL scripted_server& world::add_server(std::string name)
{
    return keep(std::move(name), std::make_unique<scripted_server>());
}

LINKSPAN_DECL scripted_server& world::add_server(std::string name, std::vector<protocol_version> protocol_versions)
{
    return keep(std::move(name), std::make_unique<scripted_server>(std::move(protocol_versions)));
}

LINKSPAN_DECL scripted_server& world::add_server(std::string name, server& behind)
{
    return keep(std::move(name), std::make_unique<scripted_server>(behind));
}

LINKSPAN_DECL scripted_server& world::keep(std::string name, std::unique_ptr<scripted_server> added)
{
    for (auto const& other : servers_)
        if (other->script_->names.front() == name) // the other names are those that clients have for the server
            throw std::invalid_argument("linkspan: world: expected a name that no other server has, found '" + name +
                                        "'");
    added->script_->names.push_back(std::move(name));
    added->script_->events_log = trace_;
    added->script_->faults = chaos_;
    servers_.push_back(std::move(added));
    return *servers_.back();
}

// The servers share the object, so that it is assigned.
LINKSPAN_DECL void world::set_chaos(chaos source)
{
    *chaos_ = std::move(source);
    for (auto const& each : servers_)
        each->script_->faults = chaos_;
}

LINKSPAN_DECL std::vector<std::string> world::leaks() const
{
    auto out = time.outstanding();
    if (auto const waits = time.pending_in_foreground(); waits != 0)
        out.push_back("pending waits of timers: " + std::to_string(waits));
    return out;
}

LINKSPAN_DECL void world::post_at(duration since_start, std::function<void()> run)
{
    auto const pause = std::make_shared<timer>(executor);
    pause->expires_at(time_point(since_start));
    pause->async_wait([pause, run = std::move(run)](error_code ec) {
        if (!ec)
            run();
    });
}

} // namespace linkspan::test

#endif
