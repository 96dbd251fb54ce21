#include <linkspan/core/detail/handler_memory.hpp>
#include <linkspan/core/detail/pending_handler.hpp>

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <utility>

BOOST_AUTO_TEST_SUITE(handler_memory_test)

namespace asio = boost::asio;
using linkspan::detail::handler_allocator;
using linkspan::detail::handler_memory;
using handler = linkspan::detail::pending_handler<void()>;

BOOST_AUTO_TEST_CASE(memory_is_used_by_one_handler_at_a_time)
{
    handler_memory memory;
    auto* const first = memory.allocate(16);
    auto* const second = memory.allocate(16);
    BOOST_TEST(first != second);
    memory.deallocate(first);
    BOOST_TEST(memory.allocate(16) == first);
    memory.deallocate(second);
    memory.deallocate(first);
}

BOOST_AUTO_TEST_CASE(large_handler_is_allocated)
{
    handler_memory memory;
    auto* const large = memory.allocate(100'000);
    auto* const small = memory.allocate(16);
    BOOST_TEST(large != small);
    memory.deallocate(large);
    auto* const other = memory.allocate(16); // the memory is in use
    BOOST_TEST(other != small);
    memory.deallocate(other);
    memory.deallocate(small);
}

namespace {

struct operation : std::enable_shared_from_this<operation> {
    handler_memory memory;
    handler outstanding;
    int completions = 0;

    void start(asio::io_context& context)
    {
        auto done = [self = shared_from_this()] { ++self->completions; };
        outstanding = {asio::bind_allocator(handler_allocator<void>(memory), std::move(done)), context.get_executor()};
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(handler_that_owns_the_memory_is_completed_and_destroyed)
{
    asio::io_context context;
    auto made = std::make_shared<operation>();
    std::weak_ptr<operation> const observed = made;
    made->start(context);
    made->outstanding.complete();
    context.run();
    BOOST_TEST(made->completions == 1);
    made->start(context);
    {
        handler const dropped(std::move(made->outstanding));
        made.reset();
        BOOST_TEST(!observed.expired());
    }
    BOOST_TEST(observed.expired());
}

BOOST_AUTO_TEST_SUITE_END()
