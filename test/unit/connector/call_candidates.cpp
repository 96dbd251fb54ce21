#include <linkspan/connector/default_policies.hpp>
#include <linkspan/connector/detail/call_candidates.hpp>
#include <linkspan/connector/detail/call_runner.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/catalog_entries.hpp"
#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(call_candidates_test)

using namespace linkspan;
using detail::call_candidates;
using detail::catalog_publisher;
using detail::server_entry;
using detail::server_registry;
using detail::tool_query;

namespace {

using kind = detail::resolution::kind;
using numbers_type = std::vector<unsigned>;
using default_set = policy_set<by_priority, safe_failover, probed_breaker, admit_all, no_budget, qualified>;

struct fixture {
    server_registry::pointer add(std::string key)
    {
        auto server =
            std::make_shared<server_entry>(servers.next_id(), std::move(key), server_options(), context.get_executor());
        servers.register_server(server);
        servers.add(server);
        return server;
    }

    void list(server_registry::pointer const& server, std::string name, std::string schema = "{}")
    {
        tool_list list;
        list.tools.emplace_back();
        list.tools[0].name = std::move(name);
        list.tools[0].input_schema = std::move(schema);
        server->tools.on_listed(std::move(list), policies, {}, false);
        std::vector<catalog_entry> entries;
        for (auto const& one : servers.order())
            entries.insert(entries.end(), one->tools.tools().begin(), one->tools.tools().end());
        published.begin({std::make_shared<std::vector<linkspan::catalog_entry> const>(std::move(entries))}, false);
        BOOST_TEST(published.step());
    }

    detail::resolution resolve() { return candidates.resolve(query, published, servers); }

    // Publishes the interchangeable tool "read" of so many servers that it is not listed, and looks it up. The servers
    // with the numbers in `preferred` have the highest priority.
    void resolve_group(std::set<unsigned> const& preferred)
    {
        std::vector<catalog_entry> entries;
        for (unsigned i = 0; i != detail::min_unlisted; ++i) {
            auto one = test::entry(i, "read");
            one.input = fingerprint::of_input("{}");
            one.replay = replay_class::read_only;
            one.priority = preferred.contains(i) ? 1 : 0;
            entries.push_back(std::move(one));
        }
        published.begin({std::make_shared<std::vector<catalog_entry> const>(std::move(entries))}, false);
        BOOST_TEST(published.step());
        BOOST_TEST((resolve().what == kind::found));
        BOOST_TEST(candidates.is_unlisted());
    }

    // Returns the numbers of the servers of the candidates.
    std::vector<unsigned> numbers() const
    {
        std::vector<unsigned> out;
        for (auto const& candidate : candidates.all())
            out.push_back(static_cast<unsigned>(candidate.server));
        return out;
    }

    boost::asio::io_context context;
    typed_policy_table<default_set> policies{default_set({}, {}, {}, {}, {}, {})};
    server_registry servers;
    catalog_publisher published;
    tool_query query{"read", {}, nullptr, false};
    call_candidates candidates;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(catalog_of_the_look_up_is_kept_after_a_later_publication, fixture)
{
    auto const a = add("a");
    list(a, "read");
    BOOST_TEST((resolve().what == kind::found));
    auto const* const tools = &candidates.tools();
    BOOST_TEST(tools == published.latest().get());
    a->tools.drop();
    list(a, "write");
    BOOST_TEST(&candidates.tools() == tools);
    BOOST_REQUIRE(candidates.all().size() == 1u);
    BOOST_TEST(candidates.all()[0].tool == "read"); // owned by the earlier catalog
    BOOST_TEST(!candidates.has_unknown_tools());
}

BOOST_FIXTURE_TEST_CASE(candidate_with_listed_tool_is_prepared_unchanged, fixture)
{
    auto const a = add("a");
    list(a, "read");
    resolve();
    auto const* const candidate = candidates.prepare(query, *a, published.latest());
    BOOST_REQUIRE(candidate);
    BOOST_TEST(candidate->tool == "read");
}

BOOST_FIXTURE_TEST_CASE(candidate_with_unknown_tools_is_excluded_if_its_list_does_not_contain_the_tool, fixture)
{
    auto const a = add("a");
    auto const b = add("b");
    BOOST_TEST((resolve().what == kind::unknown));
    BOOST_TEST((candidates.resolve_among_unknown(query, servers).what == kind::found));
    BOOST_TEST(candidates.has_unknown_tools());
    list(a, "read");
    list(b, "write");
    auto const* const first = candidates.prepare(query, *a, published.latest());
    BOOST_REQUIRE(first);
    BOOST_TEST(!candidates.prepare(query, *b, published.latest()));
    BOOST_TEST(candidates.all()[1].is_excluded);
}

BOOST_FIXTURE_TEST_CASE(names_of_later_catalogs_stay_valid_after_further_catalogs, fixture)
{
    auto const a = add("a");
    auto const b = add("b");
    candidates.resolve_among_unknown(query, servers);
    list(a, "read");
    std::weak_ptr<catalog const> const earlier = published.latest();
    candidates.prepare(query, *a, published.latest());
    a->tools.drop();
    list(b, "read");
    candidates.prepare(query, *b, published.latest());
    BOOST_TEST(!earlier.expired()); // owns the name of the first candidate
    BOOST_TEST(candidates.all()[0].tool == "read");
    candidates.clear();
    BOOST_TEST(earlier.expired());
    BOOST_TEST(candidates.all().empty());
    BOOST_TEST(!candidates.has_unknown_tools());
}

BOOST_FIXTURE_TEST_CASE(rejected_arguments_exclude_the_servers_with_the_same_schema, fixture)
{
    auto const a = add("a");
    auto const b = add("b");
    auto const c = add("c");
    list(a, "read", R"({"title":"x"})");
    list(b, "read", R"({"title":"y"})");
    list(c, "read", R"({"title":"x"})");
    selector which;
    which.servers = {"a", "b", "c"};
    query.which = &which;
    resolve();
    BOOST_TEST(!candidates.on_rejected_arguments(a->id, *published.latest()));
    BOOST_TEST(candidates.all()[0].is_excluded);
    BOOST_TEST(!candidates.all()[1].is_excluded);
    BOOST_TEST(candidates.all()[2].is_excluded);
    BOOST_TEST(candidates.on_rejected_arguments(b->id, *published.latest()));
}

BOOST_FIXTURE_TEST_CASE(sample_has_two_different_servers_of_the_highest_priority, fixture)
{
    resolve_group({3, 5, 8});
    std::set<numbers_type> seen;
    for (std::uint64_t high = 0; high != 2; ++high)
        for (std::uint64_t low = 0; low != 3; ++low) {
            candidates.list_sample(high << 32 | low, {}); // replaces the earlier sample
            auto sample = numbers();
            std::ranges::sort(sample);
            seen.insert(sample);
        }
    BOOST_TEST((seen == std::set<numbers_type>{{3, 5}, {3, 8}, {5, 8}}));
    BOOST_TEST(candidates.is_unlisted());
}

BOOST_FIXTURE_TEST_CASE(sample_of_the_only_server_of_the_highest_priority_has_another_server, fixture)
{
    resolve_group({3});
    for (std::uint64_t draw = 0; draw != detail::min_unlisted; ++draw) {
        candidates.list_sample(draw, {});
        auto const sample = numbers();
        BOOST_TEST_REQUIRE(sample.size() == 2u);
        BOOST_TEST(sample[0] == 3u);
        BOOST_TEST(sample[1] != 3u);
    }
}

BOOST_FIXTURE_TEST_CASE(sample_has_two_of_the_servers_that_were_available, fixture)
{
    resolve_group({});
    candidates.list_all();
    auto const owner = candidates.shared_tools(); // of the names in `known`
    std::vector<detail::call_candidate> const known{candidates.all()[2], candidates.all()[4]};
    resolve_group({});
    candidates.list_sample(1, known);
    BOOST_TEST(numbers() == (numbers_type{4, 2}), boost::test_tools::per_element());
    candidates.list_sample(0, std::span(known).first(1));
    BOOST_TEST(numbers() == (numbers_type{2}), boost::test_tools::per_element());
    BOOST_TEST(candidates.is_unlisted());
}

BOOST_FIXTURE_TEST_CASE(all_candidates_of_a_group_replace_the_sample, fixture)
{
    resolve_group({3});
    BOOST_TEST(candidates.all().empty());
    BOOST_TEST(candidates.first_name() == "read");
    candidates.list_sample(7, {});
    candidates.list_all();
    BOOST_TEST(!candidates.is_unlisted());
    BOOST_TEST(candidates.all().size() == detail::min_unlisted);
    auto const listed = numbers();
    BOOST_TEST(std::set<unsigned>(listed.begin(), listed.end()).size() == detail::min_unlisted);
    for (auto const& candidate : candidates.all())
        BOOST_TEST(candidate.tool == "read");
    candidates.list_all(); // no effect
    BOOST_TEST(numbers() == listed, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(candidates_that_are_listed_stay_unchanged, fixture)
{
    auto const a = add("a");
    list(a, "read");
    resolve();
    BOOST_TEST(!candidates.is_unlisted());
    candidates.list_all();
    BOOST_TEST(candidates.all().size() == 1u);
}

BOOST_AUTO_TEST_CASE(group_is_listed_again_after_a_failed_allocation)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        fixture of;
        of.resolve_group({3, 5});
        if (!failing([&] { of.candidates.list_sample(0, {}); }))
            of.candidates.list_sample(0, {});
        auto const sample = of.numbers();
        BOOST_TEST(sample.size() == 2u);
        if (!failing([&] { of.candidates.list_all(); })) {
            BOOST_TEST(of.candidates.is_unlisted());
            BOOST_TEST(of.numbers() == sample, boost::test_tools::per_element());
            of.candidates.list_all();
        }
        BOOST_TEST(!of.candidates.is_unlisted());
        BOOST_TEST(of.candidates.all().size() == detail::min_unlisted);
    });
}

BOOST_AUTO_TEST_CASE(rejected_arguments_exclude_servers_of_a_group_after_a_failed_allocation)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        fixture of;
        of.resolve_group({});
        bool are_all_excluded = false;
        auto const rejects = [&] {
            are_all_excluded = of.candidates.on_rejected_arguments(server_id{3}, *of.published.latest());
        };
        if (!failing(rejects)) {
            BOOST_TEST(of.candidates.is_unlisted());
            rejects();
        }
        BOOST_TEST(are_all_excluded); // the tools have one schema
        BOOST_TEST(of.candidates.all().size() == detail::min_unlisted);
    });
}

BOOST_AUTO_TEST_CASE(candidate_is_prepared_again_after_a_failed_allocation)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        fixture of;
        auto const a = of.add("a");
        of.candidates.resolve_among_unknown(of.query, of.servers);
        of.list(a, "read");
        detail::call_candidate const* candidate = nullptr;
        auto const prepares = [&] { candidate = of.candidates.prepare(of.query, *a, of.published.latest()); };
        if (!failing(prepares)) {
            BOOST_TEST(!of.candidates.all()[0].is_excluded);
            prepares();
        }
        BOOST_REQUIRE(candidate);
        BOOST_TEST(candidate->tool == "read");
    });
}

BOOST_AUTO_TEST_SUITE_END()
