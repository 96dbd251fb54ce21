#ifndef LINKSPAN_TEST_CASE_HPP
#define LINKSPAN_TEST_CASE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/virtual_time.hpp>
#include <linkspan/test/world.hpp>

#include <boost/asio/awaitable.hpp>

#include <stdexcept>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Thrown by `run_case` if a test case completed while work of its context or a wait of a timer was still pending.
class leaked : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

namespace detail {

// Implements `run_case<World>`: spawns `body` on the context of `here` and runs that context.
LINKSPAN_DECL void run_case(world& here, asio::awaitable<void> body, duration within);

} // namespace detail

/// Runs the coroutine `World::body()` in a new `World` until it completes.
///
/// Waits of the coroutine take no real time. The `World` is destroyed before this function returns.
///
/// \tparam World A default-constructible type that derives from `world` and has a member function
/// `asio::awaitable<void> body()`.
/// \param within Maximum virtual time from the start of the case to its end. Default: 24 hours.
/// \throws stalled The coroutine did not complete, and one of the conditions of `virtual_time::run_until` holds. The
/// text names the pending requests of scripted servers.
/// \throws leaked The coroutine completed without an exception, but work of the context or a wait of a timer is still
/// pending. The text contains `world::leaks`.
/// \throws ... Any exception that leaves the coroutine. An exception takes precedence over `leaked`.
template<class World>
void run_case(duration within = virtual_time::default_timeout)
{
    World here;
    detail::run_case(here, here.body(), within);
}

} // namespace linkspan::test

/// Defines a test case of Boost.Test whose body is a coroutine in virtual time.
///
/// The body is a member function of a type that derives from `linkspan::test::world`, so that `executor`, `time` and
/// `context` can be used without qualification. The macro expands to `BOOST_AUTO_TEST_CASE`; the user includes
/// Boost.Test.
///
///     LINKSPAN_CASE(slow_response_takes_no_real_time)
///     {
///         linkspan::test::scripted_server server;
///         ...
///         co_await session.async_open();
///     }
#define LINKSPAN_CASE(name)                                                                                            \
    struct name##_case : ::linkspan::test::world {                                                                     \
        ::boost::asio::awaitable<void> body();                                                                         \
    };                                                                                                                 \
    BOOST_AUTO_TEST_CASE(name) { ::linkspan::test::run_case<name##_case>(); }                                          \
    ::boost::asio::awaitable<void> name##_case::body()

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/case.ipp>
#endif

#endif
