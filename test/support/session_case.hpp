#ifndef LINKSPAN_TEST_SUPPORT_SESSION_CASE_HPP
#define LINKSPAN_TEST_SUPPORT_SESSION_CASE_HPP

#include <linkspan/session.hpp>
#include <linkspan/test/case.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

inline constexpr auto in_tuple = asio::as_tuple(asio::use_awaitable);

// Completes when nothing else can run at this instant.
inline asio::awaitable<void> settle(asio::any_io_executor executor)
{
    timer rest(executor);
    rest.expires_after(duration::zero());
    co_await rest.async_wait(in_tuple);
}

inline asio::awaitable<void> pass(asio::any_io_executor executor, duration span)
{
    timer rest(executor);
    rest.expires_after(span);
    co_await rest.async_wait(in_tuple);
}

// Returns the virtual time since the start.
inline duration since_start(virtual_time const& time) { return time.now().time_since_epoch(); }

// Records the completion of a call that is started but not awaited.
struct completion_box {
    std::size_t count = 0;
    error_code ec;
    call_result result;

    auto handler()
    {
        return [this](error_code e, call_result r) {
            ++count;
            ec = e;
            result = std::move(r);
        };
    }

    certainty delivery() const
    {
        return result.attempts().empty() ? certainty::completed : result.attempts()[0].result.certainty;
    }
};

// Closes the sessions and connectors of a world: with its member `clean_up()`, or else its connector `hub`, if any.
template<class World>
void clean_up(World& world)
{
    if constexpr (requires { world.clean_up(); })
        world.clean_up();
    else if constexpr (requires { world.hub.reset(); }) // std::optional
        world.hub.reset();
    else if constexpr (requires { world.hub.close(); })
        world.hub.close();
}

// A session with a scripted server.
struct session_world : world {
    scripted_server server;
    session_options options;
    std::optional<session> client;

    session& make() { return client.emplace(executor, via<inproc>(server), options); }
    void clean_up() { client.reset(); }
};

} // namespace linkspan::test

// Defines a case like LINKSPAN_CASE, in a world of type `World` that `clean_up` closes at the end of the case.
#define LINKSPAN_CASE_IN(World, name)                                                                                  \
    struct name##_case : World {                                                                                       \
        ::boost::asio::awaitable<void> body()                                                                          \
        {                                                                                                              \
            co_await test();                                                                                           \
            ::linkspan::test::clean_up<World>(*this);                                                                  \
        }                                                                                                              \
        ::boost::asio::awaitable<void> test();                                                                         \
    };                                                                                                                 \
    BOOST_AUTO_TEST_CASE(name) { ::linkspan::test::run_case<name##_case>(); }                                          \
    ::boost::asio::awaitable<void> name##_case::test()

#endif
