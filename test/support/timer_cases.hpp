#ifndef LINKSPAN_TEST_SUPPORT_TIMER_CASES_HPP
#define LINKSPAN_TEST_SUPPORT_TIMER_CASES_HPP

// Cases for both real and virtual time, for the type list `worlds` of the including file. A world has a `context` and a
// function `run` that returns when no work is left.

#include <linkspan/core/time.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>

#include "logging_handler.hpp"

using linkspan::duration;
using linkspan::error_code;
using linkspan::time_point;
using linkspan::time_source;
using linkspan::timer;
using linkspan::test::logging_handler;
namespace asio = boost::asio;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(timer_test)

BOOST_AUTO_TEST_CASE_TEMPLATE(wait_completes_at_expiry, world_type, worlds)
{
    world_type world;
    timer t(world.context.get_executor());
    t.expires_after(1ms);
    bool completed = false;
    t.async_wait([&](error_code ec) {
        completed = true;
        BOOST_TEST(!ec);
        BOOST_TEST((t.now() >= t.expiry()));
    });
    world.run();
    BOOST_TEST(completed);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(wait_never_completes_inside_initiation, world_type, worlds)
{
    world_type world;
    timer t(world.context.get_executor());
    t.expires_at(time_point::min());
    std::string log;
    t.async_wait(logging_handler(log, 'a'));
    BOOST_TEST(log == "");
    world.run();
    BOOST_TEST(log == "a ");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cancel_aborts_all_waits_in_order, world_type, worlds)
{
    world_type world;
    timer t(world.context.get_executor());
    t.expires_after(1h);
    std::string log;
    t.async_wait(logging_handler(log, 'a'));
    t.async_wait(logging_handler(log, 'b'));
    t.cancel();
    BOOST_TEST(log == "");
    world.run();
    BOOST_TEST(log == "a!b!");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(new_expiry_aborts_earlier_waits, world_type, worlds)
{
    world_type world;
    timer t(world.context.get_executor());
    t.expires_after(1h);
    std::string log;
    t.async_wait(logging_handler(log, 'a'));
    t.expires_after(0s);
    t.async_wait(logging_handler(log, 'b'));
    world.run();
    BOOST_TEST(log == "a!b ");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(destroyed_timer_aborts_only_its_own_waits, world_type, worlds)
{
    world_type world;
    std::string log;
    timer kept(world.context.get_executor());
    {
        timer destroyed(world.context.get_executor());
        auto const expiry = destroyed.now() + 2ms;
        kept.expires_at(expiry);
        destroyed.expires_at(expiry);
        kept.async_wait(logging_handler(log, 's'));
        destroyed.async_wait(logging_handler(log, 'd'));
    }
    world.run();
    BOOST_TEST(log == "d!s ");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cancellation_signal_aborts_only_its_wait, world_type, worlds)
{
    world_type world;
    timer t(world.context.get_executor());
    t.expires_after(50ms);
    std::string log;
    asio::cancellation_signal signal;
    t.async_wait(logging_handler(log, 'a'));
    t.async_wait(asio::bind_cancellation_slot(signal.slot(), logging_handler(log, 'b')));
    signal.emit(asio::cancellation_type::none);
    world.context.poll();
    BOOST_TEST(log == "");
    signal.emit(asio::cancellation_type::terminal);
    world.run();
    BOOST_TEST(log == "b!a ");
    signal.emit(asio::cancellation_type::terminal);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(destroyed_context_drops_handlers_without_invoking_them, world_type, worlds)
{
    auto owned = std::make_shared<std::unique_ptr<timer>>();
    std::weak_ptr<void> const alive = owned;
    std::string log;
    {
        world_type world;
        *owned = std::make_unique<timer>(world.context.get_executor());
        (*owned)->expires_after(1h);
        (*owned)->async_wait([owned, handler = logging_handler(log, 'a')](error_code ec) { handler(ec); });
        owned.reset();
        BOOST_TEST(!alive.expired());
    }
    BOOST_TEST(alive.expired());
    BOOST_TEST(log == "");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(handler_runs_on_associated_executor, world_type, worlds)
{
    world_type world;
    timer t(world.context.get_executor());
    auto const strand = asio::make_strand(world.context);
    int runs = 0;
    auto const count_on_strand = [&](error_code) { runs += strand.running_in_this_thread() ? 1 : 0; };
    t.expires_after(0s);
    t.async_wait(asio::bind_executor(strand, count_on_strand));
    world.run();
    world.context.restart();
    t.expires_after(1h);
    t.async_wait(asio::bind_executor(strand, count_on_strand));
    t.cancel();
    world.run();
    BOOST_TEST(runs == 2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(deferred_wait_starts_when_invoked, world_type, worlds)
{
    world_type world;
    timer t(world.context.get_executor());
    auto wait = t.async_wait();
    t.expires_after(0s);
    std::string log;
    std::move(wait)(logging_handler(log, 'a'));
    world.run();
    BOOST_TEST(log == "a ");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(maximum_expiry_never_completes, world_type, worlds)
{
    world_type world;
    timer t(world.context.get_executor());
    t.expires_after(duration::max());
    BOOST_TEST((t.expiry() == time_point::max()));
    std::string log;
    t.async_wait(logging_handler(log, 'a'));
    world.context.poll();
    BOOST_TEST(log == "");
}

BOOST_AUTO_TEST_SUITE_END()

#endif
