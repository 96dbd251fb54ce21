#include <linkspan/connector/default_policies.hpp>
#include <linkspan/connector/detail/tool_list_update.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(tool_list_update_test)

using namespace linkspan;
using detail::tool_list_update;
using detail::tool_snapshot;

namespace {

using policies_of_test = policy_set<by_priority, safe_failover, probed_breaker, admit_all, no_budget, qualified>;

tool make_tool(std::string name, std::string schema = "{}")
{
    tool one;
    one.name = std::move(name);
    one.input_schema = std::move(schema);
    return one;
}

struct fixture {
    tool_list_update update(std::vector<tool> tools, tool_snapshot former = nullptr)
    {
        return {std::move(tools), listed, former, server, policies};
    }

    // Stores a list in steps of one tool, and returns the number of steps.
    std::size_t store(std::vector<tool> tools)
    {
        auto made = update(std::move(tools));
        std::size_t steps = 1;
        while (!made.step(1))
            ++steps;
        is_changed = made.is_changed();
        listed = made.take();
        return steps;
    }

    std::string const key = "files";
    server_options const options;
    detail::listed_server const server{server_id{3}, key, options, nullptr};
    typed_policy_table<policies_of_test> policies{policies_of_test({}, {}, {}, {}, {}, {})};
    tool_snapshot listed;
    bool is_changed = false;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(step_processes_at_most_the_given_number_of_tools, fixture)
{
    auto first = update({make_tool("a"), make_tool("b"), make_tool("c")});
    BOOST_TEST(!first.step(2));
    BOOST_TEST(first.step(2));
    BOOST_TEST(first.is_changed());
    BOOST_TEST(first.take()->size() == 3u);
    BOOST_TEST(store({make_tool("a"), make_tool("b"), make_tool("c")}) ==
               3u); // another size: stored without comparison
}

BOOST_FIXTURE_TEST_CASE(equal_list_is_compared_and_keeps_the_snapshot, fixture)
{
    store({make_tool("a"), make_tool("b")});
    auto const before = listed;
    BOOST_TEST(store({make_tool("a"), make_tool("b")}) == 2u);
    BOOST_TEST(!is_changed);
    BOOST_TEST(listed == before);
}

BOOST_FIXTURE_TEST_CASE(list_is_stored_from_its_first_tool_after_the_first_difference, fixture)
{
    store({make_tool("a"), make_tool("b"), make_tool("c")});
    auto const before = listed;
    BOOST_TEST(store({make_tool("a"), make_tool("b"), make_tool("other")}) == 5u); // two compared, three stored
    BOOST_TEST(is_changed);
    BOOST_REQUIRE(listed->size() == 3u);
    BOOST_TEST(listed->front().tool == before->front().tool);
    BOOST_TEST(listed->back().tool->name == "other");
}

BOOST_FIXTURE_TEST_CASE(empty_list_has_no_snapshot, fixture)
{
    BOOST_TEST(store({}) == 1u);
    BOOST_TEST(!is_changed);
    store({make_tool("a")});
    BOOST_TEST(store({}) == 1u);
    BOOST_TEST(is_changed);
    BOOST_TEST(!listed);
}

BOOST_FIXTURE_TEST_CASE(former_list_is_reused_but_not_compared, fixture)
{
    store({make_tool("a")});
    auto const former = std::exchange(listed, nullptr);
    auto again = update({make_tool("a")}, former);
    BOOST_TEST(again.step(1));
    BOOST_TEST(again.is_changed());
    BOOST_TEST(again.take()->front().tool == former->front().tool);
}

BOOST_AUTO_TEST_CASE(failed_allocation_in_a_step_keeps_the_listed_tools)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        fixture server;
        server.store({make_tool("a tool with a long name"), make_tool("b")});
        auto const before = server.listed;
        auto made = server.update({make_tool("a tool with a long name"), make_tool("another long name of a tool")});
        failing([&] {
            while (!made.step(1))
                continue;
            server.listed = made.take();
        });
        BOOST_TEST(before->size() == 2u);
        BOOST_TEST(before->back().tool->name == "b");
        BOOST_TEST(server.listed->size() == 2u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
