#include <linkspan/core/detail/completion_guard.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

BOOST_AUTO_TEST_SUITE(completion_guard_test)

namespace asio = boost::asio;
using linkspan::detail::completion_guard;

// Object that owns the handler of a user.
struct operation {
    std::function<void()> handler;
    std::size_t dropped = 0;
};

struct drop_handler {
    void operator()(operation& of) const
    {
        ++of.dropped;
        auto const dropped = std::exchange(of.handler, nullptr);
    }
};

using guard_type = completion_guard<operation, drop_handler>;

// Posts a handler that invokes the handler of the operation.
void post_handler(asio::io_context& context, std::shared_ptr<operation> const& of)
{
    asio::post(context, [guard = guard_type(of, {})]() mutable {
        auto const released = guard.release();
        released->handler();
    });
}

BOOST_AUTO_TEST_CASE(object_is_not_dropped_if_its_handler_is_invoked)
{
    asio::io_context context(1);
    auto const it = std::make_shared<operation>();
    std::size_t invoked = 0;
    it->handler = [&invoked] { ++invoked; };
    post_handler(context, it);
    BOOST_TEST(it.use_count() == 2);
    context.poll();
    BOOST_TEST(invoked == 1u);
    BOOST_TEST(it->dropped == 0u);
    BOOST_TEST(it.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(destroyed_handler_drops_object_and_breaks_ownership_cycle)
{
    std::optional<asio::io_context> context(std::in_place, 1);
    auto it = std::make_shared<operation>();
    auto const alive = std::make_shared<std::size_t>();
    it->handler = [it, alive] { ++*alive; };
    std::weak_ptr<operation> const weak = it;
    post_handler(*context, std::exchange(it, nullptr));
    BOOST_TEST(!weak.expired());
    context.reset();
    BOOST_TEST(weak.expired());
    BOOST_TEST(alive.use_count() == 1);
    BOOST_TEST(*alive == 0u);
}

BOOST_AUTO_TEST_CASE(object_is_alive_while_it_is_dropped)
{
    std::weak_ptr<operation> const weak = [] {
        auto it = std::make_shared<operation>();
        std::weak_ptr<operation> const out = it;
        it->handler = [out] { BOOST_TEST(out.expired()); };
        guard_type const guard(std::move(it), {});
        BOOST_TEST(out.use_count() == 1);
        return out;
    }();
    BOOST_TEST(weak.expired());
}

BOOST_AUTO_TEST_CASE(moved_from_guard_does_not_drop_object)
{
    auto const it = std::make_shared<operation>();
    {
        guard_type first(it, {});
        {
            guard_type const second(std::move(first));
            BOOST_TEST(it->dropped == 0u);
        }
        BOOST_TEST(it->dropped == 1u);
    }
    BOOST_TEST(it->dropped == 1u);
}

BOOST_AUTO_TEST_CASE(armed_guard_drops_object_unless_it_is_released)
{
    auto const it = std::make_shared<operation>();
    {
        guard_type guard{drop_handler()};
        guard.arm(it);
        BOOST_TEST(guard.release() == it);
    }
    BOOST_TEST(it->dropped == 0u);
    {
        guard_type guard{drop_handler()};
        guard.arm(it);
    }
    BOOST_TEST(it->dropped == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
