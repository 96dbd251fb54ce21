#include <linkspan/connector/default_policies.hpp>
#include <linkspan/connector/detail/call_candidates.hpp>
#include <linkspan/connector/detail/call_runner.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(call_candidates_test)

using namespace linkspan;
using detail::call_candidates;
using detail::catalog_publisher;
using detail::server_entry;
using detail::server_registry;
using detail::tool_query;

namespace {

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

    boost::asio::io_context context;
    typed_policy_table<default_set> policies{default_set({}, {}, {}, {}, {}, {})};
    server_registry servers;
    catalog_publisher published;
    tool_query query{"read", {}, nullptr, false};
    call_candidates candidates;
};

using kind = detail::resolution::kind;

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

BOOST_AUTO_TEST_SUITE_END()
