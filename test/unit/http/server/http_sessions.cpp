#include <linkspan/http/server/detail/http_sessions.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(http_sessions_test)

using namespace std::chrono_literals;
using linkspan::duration;
using linkspan::http_session_limits;
using linkspan::time_point;

namespace {

struct session {
    std::string id_;
    std::string principal_{};
    time_point last_used_{};
    bool is_open = false;

    std::string const& id() const noexcept { return id_; }
    std::string const& principal() const noexcept { return principal_; }
    time_point last_used() const noexcept { return last_used_; }
    bool is_idle_since(time_point before) const noexcept { return last_used_ < before && !is_open; }
};

using sessions = linkspan::detail::http_sessions<session>;

// Adds an anonymous session of an address without the result of admit().
void add(sessions& to, session& added, std::string_view address = {})
{
    to.add(added, to.admit(added.principal(), address).place);
}

constexpr time_point start{1000h};

} // namespace

BOOST_AUTO_TEST_CASE(request_belongs_to_the_session_with_its_id)
{
    sessions table({});
    session one{"1"}, two{"2"};
    add(table, one);
    add(table, two);
    BOOST_TEST(table.size() == 2u);
    BOOST_TEST(table.find("1", "") == &one);
    BOOST_TEST(table.find("2", "") == &two);
    BOOST_TEST(table.find("3", "") == nullptr);
    BOOST_TEST(table.find("", "") == nullptr);
}

BOOST_AUTO_TEST_CASE(session_of_another_principal_is_not_found)
{
    sessions table({});
    session of_ada{"1", "ada"}, anonymous{"2"};
    add(table, of_ada);
    add(table, anonymous);
    BOOST_TEST(table.find("1", "ada") == &of_ada);
    BOOST_TEST(table.find("1", "eve") == nullptr);
    BOOST_TEST(table.find("1", "") == nullptr);
    BOOST_TEST(table.find("2", "ada") == nullptr);
}

BOOST_AUTO_TEST_CASE(removed_session_is_not_found)
{
    sessions table({});
    session one{"1"}, two{"2"};
    add(table, one);
    add(table, two);
    table.remove(one);
    BOOST_TEST(table.find("1", "") == nullptr);
    BOOST_TEST(table.find("2", "") == &two);
    BOOST_TEST(table.size() == 1u);
    table.remove(one); // no effect
    BOOST_TEST(table.size() == 1u);
}

BOOST_AUTO_TEST_CASE(object_that_was_not_added_removes_no_session)
{
    sessions table({});
    session one{"1"}, without_id{""}, same_id{"1"};
    add(table, one);
    table.remove(without_id);
    table.remove(same_id);
    BOOST_TEST(table.find("1", "") == &one);
}

BOOST_AUTO_TEST_CASE(id_of_a_session_is_not_assigned_to_another_one)
{
    sessions table({});
    session one{"1", "ada"}, same_id{"1", "eve"};
    add(table, one);
    add(table, same_id);
    BOOST_TEST(table.find("1", "ada") == &one);
    BOOST_TEST(table.find("1", "eve") == nullptr);
    BOOST_TEST(table.size() == 1u);
}

BOOST_AUTO_TEST_CASE(sessions_beyond_the_maximum_are_refused_until_one_is_removed)
{
    sessions table({.max_sessions = 2});
    session one{"1"}, two{"2", "ada"};
    add(table, one);
    add(table, two);
    auto const refused = table.admit("", "");
    BOOST_TEST(refused.status == 503);
    BOOST_TEST(!refused.place);
    BOOST_TEST(table.admit("eve", "").status == 503);
    table.remove(one);
    auto const admitted = table.admit("", "");
    BOOST_TEST(admitted.status == 200);
    BOOST_TEST(!!admitted.place);
}

BOOST_AUTO_TEST_CASE(sessions_of_a_principal_are_limited)
{
    sessions table({.max_per_principal = 1});
    session one{"1", "ada"};
    add(table, one, "192.0.2.1");
    auto const refused = table.admit("ada", "192.0.2.2");
    BOOST_TEST(refused.status == 429);
    BOOST_TEST(!refused.place);
    BOOST_TEST(table.admit("eve", "192.0.2.1").status == 200);
    table.remove(one);
    BOOST_TEST(table.admit("ada", "192.0.2.1").status == 200);
}

BOOST_AUTO_TEST_CASE(admitted_session_has_its_place_before_it_is_added)
{
    sessions table({.max_per_principal = 1});
    auto first = table.admit("ada", "");
    BOOST_TEST(table.admit("ada", "").status == 429);
    first.place.reset(); // the session is not added
    BOOST_TEST(table.admit("ada", "").status == 200);
}

BOOST_AUTO_TEST_CASE(sessions_of_anonymous_clients_of_an_address_are_limited)
{
    sessions table({.max_per_principal = 1, .max_per_address = 2});
    session one{"1"}, two{"2"};
    add(table, one, "192.0.2.1");
    BOOST_TEST(table.admit("", "192.0.2.1").status == 200); // the maximum of a principal does not apply
    add(table, two, "192.0.2.1");
    BOOST_TEST(table.admit("", "192.0.2.1").status == 429);
    BOOST_TEST(table.admit("", "192.0.2.2").status == 200);
    BOOST_TEST(table.admit("ada", "192.0.2.1").status == 200);
    table.remove(two);
    BOOST_TEST(table.admit("", "192.0.2.1").status == 200);
}

BOOST_AUTO_TEST_CASE(sessions_without_an_address_are_not_limited_per_address)
{
    sessions table({.max_per_address = 1});
    session one{"1"}, two{"2"};
    add(table, one);
    add(table, two);
    BOOST_TEST(table.admit("", "").status == 200);
}

BOOST_AUTO_TEST_CASE(maximum_per_address_of_zero_means_no_limit)
{
    sessions table({.max_per_address = 0});
    session one{"1"};
    add(table, one, "192.0.2.1");
    BOOST_TEST(table.admit("", "192.0.2.1").status == 200);
}

BOOST_AUTO_TEST_CASE(limit_of_a_principal_is_reported_before_the_one_of_all_clients)
{
    sessions table({.max_sessions = 1, .max_per_principal = 1});
    session one{"1", "ada"};
    add(table, one);
    BOOST_TEST(table.admit("ada", "").status == 429);
    BOOST_TEST(table.admit("eve", "").status == 503);
}

BOOST_AUTO_TEST_CASE(idle_sessions_are_found_after_the_timeout)
{
    sessions table({.idle_timeout = 8min});
    session one{"1", "", start}, two{"2", "", start + 5min};
    add(table, one);
    add(table, two);
    BOOST_TEST(table.idle(start + 8min).empty()); // not longer than the timeout
    auto const ended = table.idle(start + 9min);
    BOOST_TEST_REQUIRE(ended.size() == 1u);
    BOOST_TEST(ended[0] == &one);
    BOOST_TEST(table.size() == 2u); // the caller removes the session
    BOOST_TEST(table.find("1", "") == &one);
}

BOOST_AUTO_TEST_CASE(idle_sessions_are_searched_eight_times_per_timeout)
{
    sessions table({.idle_timeout = 8min});
    session one{"1", "", start};
    add(table, one);
    BOOST_TEST(table.idle(start + 8min).empty());
    BOOST_TEST(table.idle(start + 9min - 1ns).empty()); // no search
    BOOST_TEST(table.idle(start + 9min).size() == 1u);
}

BOOST_AUTO_TEST_CASE(next_search_is_when_the_next_session_can_be_idle)
{
    sessions table({.idle_timeout = 8min});
    BOOST_TEST((table.next_search() == time_point())); // no search before
    session one{"1", "", start}, two{"2", "", start + 30s}, three{"3", "", start + 5min};
    for (auto* const each : {&one, &two, &three})
        add(table, *each);
    table.idle(start + 5min);
    BOOST_TEST((table.next_search() == start + 8min + 1ns));
    BOOST_TEST(table.idle(start + 8min).empty());
    BOOST_TEST((table.next_search() == start + 9min)); // an eighth of the timeout after the last search
    BOOST_TEST(table.idle(start + 9min).size() == 2u);
    BOOST_TEST((table.next_search() == start + 13min + 1ns));
}

BOOST_AUTO_TEST_CASE(session_that_is_open_is_searched_again_after_an_eighth_of_the_timeout)
{
    sessions table({.idle_timeout = 8min});
    session open{"1", "", start, true};
    add(table, open);
    BOOST_TEST(table.idle(start + 20min).empty());
    BOOST_TEST((table.next_search() == start + 21min));
}

BOOST_AUTO_TEST_CASE(next_search_without_sessions_follows_an_eighth_of_the_timeout_later)
{
    sessions table({.idle_timeout = 8min});
    table.idle(start);
    BOOST_TEST((table.next_search() == start + 1min));
    table.idle(start + 30s); // no search
    BOOST_TEST((table.next_search() == start + 1min));
    BOOST_TEST((sessions({.idle_timeout = duration::max()}).next_search() == time_point::max()));
    BOOST_TEST((sessions({.idle_timeout = duration::max() - 1ns}).next_search() > time_point::min()));
}

BOOST_AUTO_TEST_CASE(sessions_without_a_timeout_are_never_idle)
{
    sessions table({.idle_timeout = duration::max()});
    session one{"1", "", start};
    add(table, one);
    BOOST_TEST(table.idle(start + 100'000h).empty());
}

BOOST_AUTO_TEST_CASE(all_sessions_are_returned)
{
    sessions table({});
    BOOST_TEST(table.all().empty());
    session one{"1"}, two{"2"};
    add(table, two);
    add(table, one);
    BOOST_TEST((table.all() == std::vector<session*>{&one, &two}));
}

BOOST_AUTO_TEST_CASE(failed_allocation_gives_the_place_of_the_session_back)
{
    std::string const id(40, 'i'), ada(40, 'a'); // longer than the small buffer of a string
    linkspan::test::fail_each_allocation([&](auto& failing) {
        http_session_limits limits;
        limits.max_per_principal = 1;
        sessions table(limits);
        session one{id, ada};
        auto const begin = [&] { table.add(one, table.admit(ada, "").place); };
        if (!failing(begin)) {
            BOOST_TEST(table.size() == 0u);
            BOOST_TEST(table.find(id, ada) == nullptr);
            begin();
        }
        BOOST_TEST(table.find(id, ada) == &one);
        BOOST_TEST(table.admit(ada, "").status == 429);
        table.remove(one);
        BOOST_TEST(table.admit(ada, "").status == 200);
    });
}

BOOST_AUTO_TEST_CASE(idle_sessions_are_searched_again_after_a_failed_allocation)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        http_session_limits limits;
        limits.idle_timeout = 8min;
        sessions table(limits);
        session one{"1", "", start}, two{"2", "", start};
        add(table, one);
        add(table, two);
        std::vector<session*> found;
        if (!failing([&] { found = table.idle(start + 9min); }))
            found = table.idle(start + 9min);
        BOOST_TEST(found.size() == 2u);
        BOOST_TEST(table.idle(start + 9min).empty()); // the search is not due
        std::vector<session*> all;
        if (!failing([&] { all = table.all(); }))
            all = table.all();
        BOOST_TEST(all.size() == 2u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
