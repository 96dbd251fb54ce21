#include <linkspan/observe/observe_all.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <vector>

#include "support/observers.hpp"

BOOST_AUTO_TEST_SUITE(observe_all_test)

using namespace linkspan;
using linkspan::test::attempt_observer;

namespace {

using lines = std::vector<std::string>;

struct attempt_and_event_observer {
    using role = observer_role;
    std::shared_ptr<lines> log;
    void on_attempt(attempt_view const& view) { log->push_back("both: " + std::string(view.server.key)); }
    void on_event(event_view const& view) { log->push_back("both: " + std::string(view.name)); }
};

using all_of_them = observe_all<attempt_observer, attempt_and_event_observer>;

static_assert(check_policy<all_of_them>());
static_assert(detail::observes<all_of_them, attempt_view>);
static_assert(detail::observes<all_of_them, event_view>);
static_assert(!detail::observes<all_of_them, state_view>); // no observer has this function

} // namespace

BOOST_AUTO_TEST_CASE(observers_that_define_a_function_are_notified_in_order)
{
    auto const log = std::make_shared<lines>();
    all_of_them all(attempt_observer{log}, attempt_and_event_observer{log});
    all.on_attempt(test::attempt_of("a").view());
    all.on_event({{}, "changed", {}});
    BOOST_TEST(*log == (lines{"attempt 1 of a", "both: a", "both: changed"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
