#include <linkspan/protocol/deadline_list.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(deadline_list_test)

using linkspan::deadline_hook;
using linkspan::deadline_list;
using linkspan::time_point;
using namespace std::chrono_literals;

namespace {

struct request : deadline_hook {
    char name;

    explicit request(char which) : name(which) {}
};

std::string drained(deadline_list& list)
{
    std::string names;
    while (!list.empty()) {
        names += static_cast<request&>(list.front()).name;
        list.remove(list.front());
    }
    return names;
}

} // namespace

BOOST_AUTO_TEST_CASE(front_has_the_earliest_deadline)
{
    deadline_list list;
    request a('a'), b('b'), c('c'), never('n');
    list.add(never, time_point::max());
    list.add(b, time_point(2s));
    list.add(c, time_point(3s));
    list.add(a, time_point(1s));
    BOOST_TEST(&list.front() == &a);
    BOOST_TEST((list.front().due() == time_point(1s)));
    BOOST_TEST(drained(list) == "abcn");
}

BOOST_AUTO_TEST_CASE(equal_deadlines_keep_insertion_order)
{
    deadline_list list;
    request a('a'), b('b'), c('c'), d('d');
    list.add(a, time_point(2s));
    list.add(b, time_point(2s));
    list.add(c, time_point(1s));
    list.add(d, time_point(2s));
    BOOST_TEST(drained(list) == "cabd");
}

BOOST_AUTO_TEST_CASE(request_can_be_removed_from_any_position)
{
    for (std::size_t removed = 0; removed != 3; ++removed) {
        deadline_list list;
        std::array<request, 3> requests = {request('a'), request('b'), request('c')};
        for (auto& each : requests)
            list.add(each, time_point(1s));
        list.remove(requests[removed]);
        BOOST_TEST(!requests[removed].is_linked());
        BOOST_TEST(drained(list) == std::string("abc").erase(removed, 1));
    }
}

BOOST_AUTO_TEST_CASE(removing_an_unlinked_request_has_no_effect)
{
    deadline_list list;
    request a('a'), b('b');
    list.remove(a);
    list.add(b, time_point(1s));
    list.remove(a);
    BOOST_TEST(!a.is_linked());
    BOOST_TEST(b.is_linked());
    BOOST_TEST(drained(list) == "b");
    list.remove(b);
    BOOST_TEST(list.empty());
}

BOOST_AUTO_TEST_CASE(removed_request_can_be_added_with_another_deadline)
{
    deadline_list list;
    request a('a'), b('b');
    list.add(a, time_point(1s));
    list.add(b, time_point(2s));
    list.remove(a);
    list.add(a, time_point(3s));
    BOOST_TEST((a.due() == time_point(3s)));
    BOOST_TEST(drained(list) == "ba");
}

BOOST_AUTO_TEST_CASE(random_operations_keep_the_list_sorted)
{
    std::mt19937 random(7);
    std::array<deadline_hook, 50> hooks;
    deadline_list list;
    std::vector<deadline_hook*> model; // sorted by deadline, then by order of insertion
    for (int step = 0; step != 5'000; ++step) {
        auto& hook = hooks[random() % hooks.size()];
        if (hook.is_linked()) {
            list.remove(hook);
            std::erase(model, &hook);
        } else {
            list.add(hook, time_point(std::chrono::seconds(random() % 10)));
            auto const later = [](time_point due, deadline_hook const* other) { return due < other->due(); };
            model.insert(std::upper_bound(model.begin(), model.end(), hook.due(), later), &hook);
        }
        BOOST_TEST(list.empty() == model.empty());
        BOOST_TEST((model.empty() || &list.front() == model.front()));
    }
    for (auto* const expected : model) {
        BOOST_TEST(&list.front() == expected);
        list.remove(list.front());
    }
    BOOST_TEST(list.empty());
}

BOOST_AUTO_TEST_SUITE_END()
