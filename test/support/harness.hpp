#ifndef LINKSPAN_TEST_SUPPORT_HARNESS_HPP
#define LINKSPAN_TEST_SUPPORT_HARNESS_HPP

// Test cases that are coroutines in real time with real child processes. Cases wait for events; an event that does not
// occur within `observe::limit` is considered missing.

#include <linkspan/connector.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/call_error.hpp>
#include <linkspan/session.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contains.hpp"
#include "process_observation.hpp"

namespace harness {

namespace asio = boost::asio;
using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio>>;

inline constexpr auto in_tuple = asio::as_tuple(asio::use_awaitable);

using linkspan::test::contains;

// Returns the command of a mock server of this project.
inline linkspan::stdio_config mock(std::string const& name, std::vector<std::string> args = {})
{
    auto const* const folder = std::getenv("LINKSPAN_BIN_DIR");
    auto const* const log = std::getenv("LINKSPAN_MESSAGE_LOG");
    linkspan::stdio_config out{.command = folder ? folder + ("/" + name) : name, .args = std::move(args)};
    if (log)
        out.env["LINKSPAN_MESSAGE_LOG"] = log;
    return out;
}

// Arguments of the tool `add` of mock-calculator.
inline linkspan::arguments two_and_three() { return linkspan::arguments(linkspan::raw_json(R"({"a":2,"b":3})")); }

// Arguments of the tool `echo` of mock-fault.
inline linkspan::arguments with_text(std::string_view text)
{
    std::string json = R"({"text":)";
    linkspan::append_quoted(json, text);
    json += '}';
    return linkspan::arguments(linkspan::raw_json(json));
}

// Returns the only attempt of a failed call.
inline linkspan::attempt_record const& only_attempt(linkspan::call_result const& result)
{
    BOOST_TEST_REQUIRE(result.attempts().size() == 1u);
    return result.attempts().front();
}

inline asio::awaitable<void> opens(linkspan::connector_base& hub)
{
    auto const [ec, report] = co_await hub.async_open(in_tuple);
    for (auto const& line : report.servers)
        BOOST_TEST(!line.ec, line.server << ": " << line.ec.message() << ": " << line.detail);
    BOOST_TEST_REQUIRE(!ec, ec.message());
}

inline asio::awaitable<void> opens(linkspan::session& session)
{
    auto const [ec] = co_await session.async_open(in_tuple);
    BOOST_TEST_REQUIRE(!ec, ec.message() << ": " << session.diagnostics());
}

template<class Closable>
asio::awaitable<void> shuts_down(Closable& what)
{
    auto const end = co_await what.async_shutdown(in_tuple);
    auto const ec = std::get<0>(end);
    BOOST_TEST(!ec, ec.message());
}

inline asio::awaitable<void> echoes(linkspan::connector_base& hub, std::string text)
{
    auto const [ec, result] = co_await hub.async_call("echo", with_text(text), in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    BOOST_TEST((result.text() == text));
}

inline asio::awaitable<void> echoes(linkspan::session& session, std::string text)
{
    auto const [ec, result] = co_await session.async_call_tool("echo", with_text(text), in_tuple);
    BOOST_TEST(!ec, linkspan::explain(ec, result));
    BOOST_TEST((result.text() == text));
}

// Concurrent operations and their completions. Must outlive the operations.
class completions {
public:
    struct entry {
        unsigned times = 0;
        linkspan::error_code ec{};
        linkspan::call_result result{};
    };

    completions(asio::any_io_executor const& executor, std::size_t count)
        : entries_(count), left_(count), done_(executor)
    {
        done_.expires_at(linkspan::time_point::max());
    }

    completions(completions const&) = delete;
    completions& operator=(completions const&) = delete;

    // Returns a handler for operation `i`.
    auto handler(std::size_t i)
    {
        return [this, i](linkspan::error_code ec, linkspan::call_result result) {
            auto& mine = entries_[i];
            mine.ec = ec;
            mine.result = std::move(result);
            if (++mine.times == 1 && --left_ == 0)
                done_.cancel();
        };
    }

    // Waits for all operations.
    asio::awaitable<void> wait()
    {
        while (left_ != 0)
            co_await done_.async_wait(in_tuple);
    }

    std::vector<entry> const& entries() const noexcept { return entries_; }

private:
    std::vector<entry> entries_;
    std::size_t left_;
    linkspan::timer done_;
};

// Context of a coroutine case.
struct world {
    asio::io_context context{1};
    asio::any_io_executor executor = context.get_executor();
};

inline void run_to_end(world& here, asio::awaitable<void> body)
{
    bool done = false;
    std::exception_ptr failure;
    asio::co_spawn(here.context, std::move(body), [&](std::exception_ptr thrown) {
        done = true;
        failure = thrown;
    });
    observe::run_until(here.context, [&] { return done; });
    if (failure)
        std::rethrow_exception(failure);
    here.context.restart();
    here.context.poll();
    BOOST_TEST(here.context.stopped(), "operations are outstanding at the end of the case");
}

// Runs `World::body(args...)` to its end. The case must leave no operation, process or descriptor behind.
template<class World, class... Args>
void run_case(Args&&... args)
{
    observe::leaves_nothing const nothing;
    World here;
    run_to_end(here, here.body(std::forward<Args>(args)...));
}

} // namespace harness

// Defines a Boost.Test case that is a coroutine in real time. Its body can use `executor`, `context` and the other
// members of the world.
#define HARNESS_CASE_IN(world_type, name)                                                                              \
    struct name##_case : world_type {                                                                                  \
        ::boost::asio::awaitable<void> body();                                                                         \
    };                                                                                                                 \
    BOOST_AUTO_TEST_CASE(name) { ::harness::run_case<name##_case>(); }                                                 \
    ::boost::asio::awaitable<void> name##_case::body()

#define HARNESS_CASE(name) HARNESS_CASE_IN(::harness::world, name)

#endif
