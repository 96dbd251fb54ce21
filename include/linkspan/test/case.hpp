#ifndef LINKSPAN_TEST_CASE_HPP
#define LINKSPAN_TEST_CASE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/virtual_time.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <stdexcept>

namespace linkspan::test {

/// What a coroutine case runs in: an execution context of its own, in virtual time.
struct world {
    asio::io_context context{1};
    virtual_time& time = virtual_time::install(context);
    asio::any_io_executor executor = context.get_executor();
};

/// What was left behind by a case that ended.
class leaked : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

namespace detail {

LINKSPAN_DECL void run_case(world& here, asio::awaitable<void> body, duration within);

} // namespace detail

/// Runs `World::body()` to its end, and throws what it throws. Takes no real time.
///
/// Throws `stalled` when the case waits for something that cannot come; its text names what is pending. Throws `leaked`
/// when the case ended and operations that it started are still out.
template<class World>
void run_case(duration within = virtual_time::default_limit)
{
    World here;
    detail::run_case(here, here.body(), within);
}

} // namespace linkspan::test

/// A test case of Boost.Test that is a coroutine in virtual time. The body is a member of a `linkspan::test::world`:
/// `executor`, `time` and `context` are at hand.
///
///     LINKSPAN_CASE(a_slow_answer_takes_no_real_time)
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
