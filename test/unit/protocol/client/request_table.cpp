#include <linkspan/protocol/client/request_table.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(request_table_test)

using linkspan::request_id;

namespace {

struct request {};

using request_table = linkspan::request_table<request>;

} // namespace

BOOST_AUTO_TEST_CASE(request_ids_start_at_1_and_are_not_reused)
{
    request_table table;
    request requests[3];
    BOOST_TEST(table.add(&requests[0]) == 1);
    BOOST_TEST(table.add(&requests[1]) == 2);
    table.remove(1);
    table.remove(2);
    BOOST_TEST(table.add(&requests[2]) == 3);
}

BOOST_AUTO_TEST_CASE(request_is_found_until_it_is_removed)
{
    request_table table;
    request one, two;
    auto const first = table.add(&one);
    auto const second = table.add(&two);
    BOOST_TEST(table.find(first) == &one);
    BOOST_TEST(table.find(second) == &two);
    BOOST_TEST(table.size() == 2u);
    BOOST_TEST(table.remove(first) == &one);
    BOOST_TEST(table.find(first) == nullptr);
    BOOST_TEST(table.remove(first) == nullptr);
    BOOST_TEST(table.find(second) == &two);
    BOOST_TEST(table.size() == 1u);
}

BOOST_AUTO_TEST_CASE(unknown_id_is_not_found)
{
    request_table table;
    request one;
    table.add(&one);
    using limits = std::numeric_limits<request_id>;
    // Ids 1, 9 and 65 have the same slot in a ring of 8.
    for (request_id const id :
         {request_id{0}, request_id{-1}, request_id{2}, request_id{9}, request_id{65}, limits::min(), limits::max()}) {
        BOOST_TEST(table.find(id) == nullptr);
        BOOST_TEST(table.remove(id) == nullptr);
    }
    BOOST_TEST(table.size() == 1u);
}

BOOST_AUTO_TEST_CASE(first_returns_one_of_the_remaining_requests_or_null)
{
    request_table table;
    BOOST_TEST(table.first() == nullptr);
    request requests[3];
    for (auto& each : requests)
        table.add(&each);
    for (std::size_t left = 3; left != 0; --left) {
        auto* const first = table.first();
        BOOST_TEST_REQUIRE(first != nullptr);
        table.remove(first - requests + 1);
        BOOST_TEST(table.size() == left - 1);
    }
    BOOST_TEST(table.first() == nullptr);
}

BOOST_AUTO_TEST_CASE(ten_thousand_requests_are_found)
{
    request_table table;
    std::vector<request> requests(10'000);
    for (auto& each : requests)
        table.add(&each);
    BOOST_TEST(table.size() == requests.size());
    for (std::size_t i = 0; i != requests.size(); ++i)
        BOOST_TEST(table.find(static_cast<request_id>(i + 1)) == &requests[i]);
}

BOOST_AUTO_TEST_CASE(long_running_request_does_not_affect_later_ones)
{
    request_table table;
    request outstanding, completed;
    auto const kept = table.add(&outstanding);
    request_id last = kept;
    for (int round = 0; round != 1'000; ++round) {
        auto const id = table.add(&completed);
        BOOST_TEST(id > last);
        last = id;
        BOOST_TEST(table.remove(id) == &completed);
        BOOST_TEST(table.find(kept) == &outstanding);
    }
    BOOST_TEST(table.size() == 1u);
}

BOOST_AUTO_TEST_CASE(random_operations_agree_with_a_map)
{
    std::mt19937 random(7);
    request_table table;
    std::map<request_id, request*> model;
    std::vector<std::unique_ptr<request>> requests;
    request_id last = 0;
    for (int step = 0; step != 20'000; ++step) {
        // Alternates between growing and shrinking, so that the ring is large before it is nearly empty.
        bool const grows = step / 2'000 % 2 == 0;
        if (random() % 4 < (grows ? 3u : 1u)) {
            auto* const added = requests.emplace_back(std::make_unique<request>()).get();
            auto const id = table.add(added);
            BOOST_TEST(id > last);
            model[last = id] = added;
        } else {
            auto const id = static_cast<request_id>(random() % static_cast<unsigned>(last + 2));
            auto const known = model.find(id);
            BOOST_TEST(table.find(id) == (known == model.end() ? nullptr : known->second));
            BOOST_TEST(table.remove(id) == (known == model.end() ? nullptr : known->second));
            model.erase(id);
        }
        BOOST_TEST(table.size() == model.size());
    }
    for (auto const& [id, added] : model)
        BOOST_TEST(table.find(id) == added);
}

BOOST_AUTO_TEST_SUITE_END()
