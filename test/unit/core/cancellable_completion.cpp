#include <linkspan/core/detail/cancellable_completion.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <tuple>
#include <utility>

BOOST_AUTO_TEST_SUITE(cancellable_completion_test)

namespace asio = boost::asio;
using linkspan::error_code;
using linkspan::detail::make_cancellable;
using linkspan::detail::pending_handler;
using linkspan::detail::terminal_or_partial;
using cancel = asio::cancellation_type;
using handler_type = pending_handler<void(error_code, int)>;

// Operation with the completion signature void(error_code, int).
struct operation {
    asio::io_context context{1};
    asio::cancellation_signal signal;
    std::size_t invoked = 0;
    std::size_t stopped = 0;
    error_code ec;
    int value = 0;

    auto start()
    {
        auto handler = [this](error_code failed, int result) {
            ++invoked;
            ec = failed;
            value = result;
        };
        auto out =
            make_cancellable(handler_type(asio::bind_cancellation_slot(signal.slot(), handler), context.get_executor()),
                             context.get_executor());
        out->on_cancel(terminal_or_partial, [this] {
            ++stopped;
            return std::tuple(7);
        });
        return out;
    }

    void run()
    {
        context.restart();
        context.poll();
    }
};

BOOST_FIXTURE_TEST_CASE(result_is_delivered_once_and_later_signals_are_ignored, operation)
{
    auto const it = start();
    it->complete({}, 5);
    it->complete({}, 6);
    signal.emit(cancel::terminal);
    run();
    BOOST_TEST(it->is_over());
    BOOST_TEST(invoked == 1u);
    BOOST_TEST(value == 5);
    BOOST_TEST(stopped == 0u);
}

BOOST_AUTO_TEST_CASE(cancellation_stops_operation_within_emit_and_invokes_handler_later_once)
{
    for (auto const type : {cancel::terminal, cancel::partial, cancel::all}) {
        operation here;
        auto const it = here.start();
        here.signal.emit(type);
        BOOST_TEST(here.stopped == 1u);
        BOOST_TEST(here.invoked == 0u);
        BOOST_TEST(it->is_over());
        here.signal.emit(type);
        it->complete({}, 5);
        here.run();
        BOOST_TEST(here.stopped == 1u);
        BOOST_TEST(here.invoked == 1u);
        BOOST_TEST((here.ec == asio::error::operation_aborted));
        BOOST_TEST(here.value == 7);
    }
}

BOOST_AUTO_TEST_CASE(unsupported_cancellation_type_is_ignored)
{
    for (auto const type : {cancel::none, cancel::total}) {
        operation here;
        auto const it = here.start();
        here.signal.emit(type);
        BOOST_TEST(here.stopped == 0u);
        here.signal.emit(cancel::terminal); // the slot is still connected
        BOOST_TEST(here.stopped == 1u);
        here.run();
        BOOST_TEST(here.invoked == 1u);
    }
}

BOOST_FIXTURE_TEST_CASE(stop_function_is_discarded_if_handler_has_no_slot, operation)
{
    auto const owned = std::make_shared<int>();
    auto const executor = context.get_executor();
    auto const it = make_cancellable(handler_type([](error_code, int) {}, executor), executor);
    it->on_cancel(terminal_or_partial, [owned] { return std::tuple(*owned); });
    BOOST_TEST(owned.use_count() == 1);
}

BOOST_FIXTURE_TEST_CASE(stop_function_is_destroyed_with_the_operation, operation)
{
    auto const owned = std::make_shared<int>();
    auto it = start();
    it->on_cancel(terminal_or_partial, [owned] { return std::tuple(*owned); });
    BOOST_TEST(owned.use_count() == 2);
    it.reset();
    BOOST_TEST(owned.use_count() == 1);
    signal.emit(cancel::terminal);
    run();
    BOOST_TEST(invoked == 0u);
}

BOOST_AUTO_TEST_CASE(signal_may_outlive_the_context_and_the_cancelled_handler)
{
    asio::cancellation_signal signal;
    std::size_t invoked = 0;
    {
        asio::io_context context(1);
        auto const executor = context.get_executor();
        auto handler = asio::bind_cancellation_slot(signal.slot(), [&](error_code, int) { ++invoked; });
        auto const it = make_cancellable(handler_type(std::move(handler), executor), executor);
        it->on_cancel(terminal_or_partial, [] { return std::tuple(1); });
        signal.emit(cancel::terminal);
    }
    signal.emit(cancel::terminal);
    BOOST_TEST(invoked == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
