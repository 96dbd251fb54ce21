#ifndef LINKSPAN_TEST_WORLD_HPP
#define LINKSPAN_TEST_WORLD_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/run.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/test/chaos.hpp>
#include <linkspan/test/trace.hpp>
#include <linkspan/test/virtual_time.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

class server;

} // namespace linkspan

namespace linkspan::inline LINKSPAN_ABI::test {

class scripted_server;

/// Order in which the ready handlers of a `world` run.
enum class schedule {
    fifo,    ///< in the order of submission
    shuffled ///< in an order that depends on the seed, to find code that relies on the order of independent handlers
};

/// Environment of one test: a separate execution context with virtual time, and named servers.
///
///     world w;
///     auto& weather = w.add_server("weather");
///     weather.on(call("forecast")).then(delay(2s), text("sunny"));
///     session client(w.executor, via<inproc>(weather));
///     w.await(client.async_open(asio::use_awaitable));
///
/// The fixture of a coroutine test case derives from this class. `LINKSPAN_CASE` defines a fixture without further
/// members; a fixture for `run_case` may add servers, sessions and helpers as members. The context has a concurrency
/// hint of 1 and is run by the functions of this class and of `virtual_time` only. Programs that call members of a
/// server include `<linkspan/test/scripted_server.hpp>`.
///
/// \par Lifetime
/// The destructor destroys the servers, and then the context with its outstanding handlers, without invoking them.
/// \par Thread safety
/// None: construct, use and destroy the object on one thread.
class world {
public:
    /// Makes a world.
    ///
    /// \param seed Seed of the pseudorandom numbers of `time_source::draw`, and of a shuffled schedule. Default: 1.
    /// \param order Order of the handlers that are submitted to `executor`. Handlers of an `asio::strand` keep their
    /// order, and handlers that are submitted to `context` itself are not shuffled. Default: the order of submission.
    explicit LINKSPAN_DECL world(std::uint64_t seed = 1, schedule order = schedule::fifo);
    world(world const&) = delete;
    world& operator=(world const&) = delete;
    LINKSPAN_DECL ~world();

    asio::io_context context{1};    ///< runs all handlers of the test
    virtual_time& time;             ///< time source of `context`
    asio::any_io_executor executor; ///< executor of `context`; runs handlers in the order of the parameter `order`

    /// Adds a server with the protocol versions 2025-11-25 and 2026-07-28.
    ///
    /// \param name Name of the server in reports, traces and plans of faults.
    /// \returns The server, which is destroyed with the world.
    /// \throws std::invalid_argument A server of the world has this name.
    LINKSPAN_DECL scripted_server& add_server(std::string name);

    /// Adds a server with the given protocol versions, which are not empty. See `add_server(name)`.
    LINKSPAN_DECL scripted_server& add_server(std::string name, std::vector<protocol_version> protocol_versions);

    /// Adds rules in front of a server. See `add_server(name)`, and the constructor of `scripted_server` with the same
    /// parameter for the meaning of the rules.
    ///
    /// \param behind The server, which must exist as long as connections are open.
    LINKSPAN_DECL scripted_server& add_server(std::string name, server& behind);

    /// Applies faults to the messages that the servers of `add_server` send from now on, in place of those of
    /// `scripted_server::set_chaos` and of the member `chaos` of scripts.
    LINKSPAN_DECL void set_chaos(chaos source);

    /// Returns the faults since the last `set_chaos`, as a plan that repeats them. Empty without `set_chaos`: the
    /// faults of the member `chaos` of a script are those of its server (`scripted_server::on_fault`).
    chaos_plan const& faults() const noexcept { return chaos_->faults(); }

    /// Returns the events of the servers that were added with `add_server`. Two runs of a test with one seed have equal
    /// traces.
    trace const& events() const noexcept { return *trace_; }

    /// Returns the current virtual time, which begins at `time_point()`.
    time_point now() const noexcept { return time.now(); }

    /// Calls `virtual_time::run_until_idle` with the same parameters.
    void run_until_idle(duration within = virtual_time::default_timeout) { time.run_until_idle(within); }

    /// Calls `virtual_time::run_until` with the same parameters.
    template<std::predicate Done>
    void run_until(Done done, duration within = virtual_time::default_timeout)
    {
        time.run_until(std::move(done), within);
    }

    /// Calls `virtual_time::run_for` with the same parameter.
    void run_for(duration span) { time.run_for(span); }

    /// Runs the context until a coroutine completes.
    ///
    /// \param operation A coroutine, or an operation of this library that was started with `asio::use_awaitable`.
    /// \param within Maximum virtual time to run for. Default: 24 hours.
    /// \returns The value that the coroutine returned.
    /// \par Preconditions
    /// The function is not called from a handler of the context.
    /// \throws stalled The coroutine did not complete, and one of the conditions of `virtual_time::run_until` holds,
    /// for example that no handler is ready and no wait with a finite deadline is pending. The coroutine stays
    /// suspended; its variables are destroyed with the context.
    /// \throws ... Any exception that leaves the coroutine.
    template<class T>
    T await(asio::awaitable<T> operation, duration within = virtual_time::default_timeout)
    {
        auto const state = std::make_shared<linkspan::detail::run_state<T>>();
        asio::co_spawn(executor, std::move(operation), linkspan::detail::run_handler<T>(state));
        time.run_until([&] { return state->completed; }, within);
        if (state->failure)
            std::rethrow_exception(state->failure);
        if constexpr (!std::is_void_v<T>)
            return *std::move(state->result);
    }

    /// Returns one text per item of outstanding work: requests without a response, gates at which actions wait, and
    /// open connections of all scripted servers, calls of connectors, and the number of pending waits of timers that
    /// are not background timers. Empty: no such work remains.
    ///
    /// A test calls the function after it has closed its sessions and connectors.
    LINKSPAN_DECL std::vector<std::string> leaks() const;

    /// Runs a function at a point in virtual time.
    ///
    /// \param since_start Time since the start of the world. A time that has passed: the function runs in the next
    /// turn.
    /// \param run The function, which is not empty. The function is destroyed without a call if the world is destroyed
    /// before that time.
    LINKSPAN_DECL void post_at(duration since_start, std::function<void()> run);

private:
    // Names the server and adds it to `servers_`. Throws std::invalid_argument if another server has the name.
    LINKSPAN_DECL scripted_server& keep(std::string name, std::unique_ptr<scripted_server> added);

    std::shared_ptr<chaos> chaos_ = std::make_shared<chaos>(chaos_plan()); // replaced by set_chaos()
    std::shared_ptr<trace> trace_ = std::make_shared<trace>();             // shared with the servers
    std::vector<std::unique_ptr<scripted_server>> servers_;                // added by add_server(), never removed
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/world.ipp>
#endif

#endif
