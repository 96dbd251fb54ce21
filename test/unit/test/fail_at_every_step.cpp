#include <linkspan/test/fail_at_every_step.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(fail_at_every_step_test)

using linkspan::test::fail_at_every_step;
using linkspan::test::failing;
using linkspan::test::step_fails;
using linkspan::test::step_failure;

namespace {

std::string const long_text(40, 'x'); // longer than the small buffer of a string

// Two lists that have equal sizes, unless an addition fails in the middle.
struct pairs {
    std::vector<std::string> first, second;

    void add_carelessly(std::string const& text)
    {
        first.push_back(text);
        second.push_back(text);
    }

    void add(std::string const& text)
    {
        std::string a = text, b = text;
        first.reserve(first.size() + 1);
        second.reserve(second.size() + 1);
        first.push_back(std::move(a));
        second.push_back(std::move(b));
    }
};

// Returns the numbers of the steps after whose failure the lists differ.
std::vector<std::size_t> faulty_steps(void (pairs::*add)(std::string const&), std::size_t& steps)
{
    std::vector<std::size_t> found;
    steps = fail_at_every_step([&](step_failure& fail_in) {
        pairs tested;
        fail_in([&] { (tested.*add)(long_text); });
        if (tested.first.size() != tested.second.size())
            found.push_back(fail_in.number());
    });
    return found;
}

} // namespace

BOOST_AUTO_TEST_CASE(broken_algorithm_is_found_at_its_steps)
{
    std::size_t steps = 0;
    BOOST_TEST(faulty_steps(&pairs::add_carelessly, steps) == (std::vector<std::size_t>{2, 3}),
               boost::test_tools::per_element());
    BOOST_TEST(steps == 4u); // each list allocates its elements, and the text
}

BOOST_AUTO_TEST_CASE(correct_algorithm_passes)
{
    std::size_t steps = 0;
    BOOST_TEST(faulty_steps(&pairs::add, steps).empty());
    BOOST_TEST(steps == 4u);
}

BOOST_AUTO_TEST_CASE(reported_steps_fail_in_turn)
{
    std::vector<std::string> runs;
    auto const write = [](std::string& log) {
        bool const fails = step_fails();
        log += fails ? 'f' : 'w';
        return !fails;
    };
    auto const count = fail_at_every_step([&](step_failure& fail_in) {
        std::string log; // short: without an allocation
        BOOST_TEST(fail_in([&] { write(log) && write(log) && write(log); }));
        runs.push_back(log);
    });
    BOOST_TEST(count == 3u);
    BOOST_TEST(runs == (std::vector<std::string>{"f", "wf", "wwf", "www"}), boost::test_tools::per_element());
    BOOST_TEST(!step_fails()); // outside of the operation
}

BOOST_AUTO_TEST_CASE(all_later_steps_fail_if_requested)
{
    std::vector<std::string> runs;
    auto const count = fail_at_every_step(
        [&](step_failure& fail_in) {
            std::string log;
            fail_in([&] {
                for (int i = 0; i != 3; ++i)
                    log += step_fails() ? 'f' : 'w';
            });
            runs.push_back(log);
        },
        failing::all_later);
    BOOST_TEST(count == 3u);
    BOOST_TEST(runs == (std::vector<std::string>{"fff", "wff", "wwf", "www"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(operation_without_steps_has_the_count_zero)
{
    int runs = 0;
    BOOST_TEST(fail_at_every_step([&](step_failure& fail_in) {
                   ++runs;
                   fail_in([] {});
               }) == 0u);
    BOOST_TEST(runs == 1);
}

BOOST_AUTO_TEST_CASE(exception_of_the_operation_leaves_the_algorithm_and_ends_the_failures)
{
    int runs = 0;
    BOOST_CHECK_THROW(fail_at_every_step([&](step_failure& fail_in) {
                          ++runs;
                          fail_in([] {
                              if (step_fails())
                                  throw std::runtime_error("defect");
                          });
                      }),
                      std::runtime_error);
    BOOST_TEST(runs == 1);
    BOOST_TEST(!step_fails());
}

BOOST_AUTO_TEST_SUITE_END()
