#include <linkspan/http/client/detail/exchange_pool.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

BOOST_AUTO_TEST_SUITE(exchange_pool_test)

using linkspan::detail::exchange_pool;
using linkspan::detail::http_purpose;
using linkspan::detail::transport_exchange;

namespace {

exchange_pool::pointer make_exchange()
{
    return std::make_shared<transport_exchange>(std::weak_ptr<transport_exchange::receiver>(), http_purpose::request,
                                                "POST", 1000);
}

} // namespace

BOOST_AUTO_TEST_CASE(empty_pool_has_no_exchange)
{
    exchange_pool pool;
    BOOST_TEST(!pool.acquire());
}

BOOST_AUTO_TEST_CASE(released_exchange_is_acquired_once)
{
    exchange_pool pool;
    auto made = make_exchange();
    auto const* const address = made.get();
    pool.release(std::move(made));
    BOOST_TEST(pool.acquire().get() == address);
    BOOST_TEST(!pool.acquire());
}

BOOST_AUTO_TEST_CASE(exchange_with_another_reference_is_not_acquired)
{
    exchange_pool pool;
    auto kept = make_exchange();
    auto free = make_exchange();
    auto const* const free_address = free.get();
    pool.release(std::move(free));
    pool.release(kept);
    BOOST_TEST(pool.acquire().get() == free_address);
    BOOST_TEST(!pool.acquire());
    auto const* const kept_address = kept.get();
    kept.reset();
    BOOST_TEST(pool.acquire().get() == kept_address);
}

BOOST_AUTO_TEST_CASE(pool_keeps_a_limited_number_of_exchanges)
{
    exchange_pool pool;
    for (std::size_t i = 0; i != exchange_pool::max_kept + 1; ++i)
        pool.release(make_exchange());
    std::size_t acquired = 0;
    while (pool.acquire())
        ++acquired;
    BOOST_TEST(acquired == exchange_pool::max_kept);
}

BOOST_AUTO_TEST_CASE(large_exchange_is_not_kept)
{
    exchange_pool pool;
    auto made = make_exchange();
    made->request = std::string(100'000, 'x');
    pool.release(std::move(made));
    BOOST_TEST(!pool.acquire());
}

BOOST_AUTO_TEST_CASE(clear_releases_all_exchanges)
{
    exchange_pool pool;
    auto made = make_exchange();
    std::weak_ptr<transport_exchange> const observed = made;
    pool.release(std::move(made));
    pool.clear();
    BOOST_TEST(observed.expired());
    BOOST_TEST(!pool.acquire());
}

BOOST_AUTO_TEST_SUITE_END()
