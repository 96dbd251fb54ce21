#include <linkspan/connector/detail/available_replicas.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(available_replicas_test)

using namespace linkspan;
using namespace std::chrono_literals;
using detail::available_replicas;
using detail::call_candidate;
using detail::flow_server;

namespace {

constexpr time_point now{1000s};

// Four servers, which are available unless a test changes the views, and the catalog indices of two groups. Both groups
// are stored with the same candidates.
struct fixture {
    fixture()
    {
        for (std::uint32_t i = 0; i != 4; ++i) {
            all.push_back({server_id{i}, "read", replay_class::never, false, false});
            auto& one = views.emplace_back();
            one.view.id = server_id{i};
            one.view.priority = 5;
            one.available = true;
        }
    }

    catalog::match group(std::span<std::uint32_t const> entries) const
    {
        return {catalog::match::kind::group, entries};
    }

    void store(std::span<std::uint32_t const> entries) { known.store(tools, group(entries), all, views, now); }

    // Returns the ids of the stored candidates as text.
    std::string stored(std::span<std::uint32_t const> entries, time_point at = now) const
    {
        std::string out;
        for (auto const& one : known.find(*tools, group(entries), at))
            out += std::to_string(static_cast<std::uint32_t>(one.server));
        return out;
    }

    std::vector<std::uint32_t> const first{0, 1, 2, 3}, second{4, 5, 6, 7};
    std::shared_ptr<catalog const> tools = std::make_shared<catalog const>();
    std::vector<call_candidate> all;
    std::vector<flow_server> views;
    available_replicas known;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(new_object_stores_no_candidates, fixture) { BOOST_TEST(stored(first) == ""); }

BOOST_FIXTURE_TEST_CASE(available_candidates_with_the_highest_priority_are_stored, fixture)
{
    views[0].available = false;
    views[1].view.health = health_state::unhealthy;
    store(first);
    BOOST_TEST(stored(first) == "23");
    views[3].view.priority = 4;
    views[1].view.health = health_state::degraded;
    store(first);
    BOOST_TEST(stored(first) == "12");
}

BOOST_FIXTURE_TEST_CASE(only_candidate_with_the_highest_priority_is_stored_with_another, fixture)
{
    views[2].view.priority = 9;
    store(first);
    BOOST_TEST(stored(first) == "23");
}

BOOST_FIXTURE_TEST_CASE(only_available_candidate_is_stored_alone, fixture)
{
    for (auto const i : {0u, 1u, 3u})
        views[i].available = false;
    store(first);
    BOOST_TEST(stored(first) == "2");
    views[2].available = false;
    known.on_changed();
    store(first);
    BOOST_TEST(stored(first) == "");
}

BOOST_FIXTURE_TEST_CASE(candidate_of_a_removed_server_is_not_stored, fixture)
{
    views.erase(views.begin() + 1);
    store(first);
    BOOST_TEST(stored(first) == "023");
}

BOOST_FIXTURE_TEST_CASE(groups_are_stored_separately, fixture)
{
    store(first);
    views[0].available = false;
    store(second);
    BOOST_TEST(stored(first) == "0123");
    BOOST_TEST(stored(second) == "123");
    known.on_changed();
    BOOST_TEST(stored(first) == "");
    BOOST_TEST(stored(second) == "");
}

BOOST_FIXTURE_TEST_CASE(another_catalog_discards_the_candidates_of_the_previous_one, fixture)
{
    store(first);
    auto const earlier = tools;
    tools = std::make_shared<catalog const>();
    BOOST_TEST(stored(first) == "");
    store(second);
    BOOST_TEST(stored(second) == "0123");
    BOOST_TEST(known.find(*earlier, group(first), now).empty());
    BOOST_TEST(known.find(*tools, group(first), now).empty());
    BOOST_TEST(earlier.use_count() == 1); // `known` does not own the previous catalog
}

BOOST_FIXTURE_TEST_CASE(candidates_expire, fixture)
{
    store(first);
    BOOST_TEST(stored(first, now + available_replicas::max_age - 1ns) == "0123");
    BOOST_TEST(stored(first, now + available_replicas::max_age) == "");
    views[1].view.throttled_until = now + 300ms;
    views[1].available = false;
    store(first);
    BOOST_TEST(stored(first, now + 299ms) == "023");
    BOOST_TEST(stored(first, now + 300ms) == "");
}

BOOST_AUTO_TEST_CASE(failed_allocation_stores_no_candidates)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        fixture of;
        of.store(of.first);
        if (!failing([&] { of.store(of.second); })) {
            BOOST_TEST(of.stored(of.first) == "0123");
            BOOST_TEST(of.stored(of.second) == "");
            of.store(of.second);
        }
        BOOST_TEST(of.stored(of.second) == "0123");
        of.tools = std::make_shared<catalog const>();
        if (!failing([&] { of.store(of.second); })) {
            BOOST_TEST(of.stored(of.second) == ""); // those of the earlier catalog are discarded
            of.store(of.second);
        }
        BOOST_TEST(of.stored(of.first) == "");
        BOOST_TEST(of.stored(of.second) == "0123");
    });
}

BOOST_AUTO_TEST_SUITE_END()
