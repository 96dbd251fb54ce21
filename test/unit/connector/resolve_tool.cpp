#include <linkspan/connector/default_policies.hpp>
#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/resolve_tool.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(resolve_tool_test)

using namespace linkspan;
using detail::call_candidate;
using detail::catalog_publisher;
using detail::resolution;
using detail::server_entry;
using detail::server_registry;
using detail::tool_query;
using kind = resolution::kind;

namespace {

using default_set = policy_set<by_priority, safe_failover, probed_breaker, admit_all, no_budget, qualified>;

// Brings the server into the state.
void set_state(server_entry& server, server_state state)
{
    auto& life = server.life;
    switch (state) {
    case server_state::opening: return life.on_starting();
    case server_state::ready:
        life.on_starting();
        life.on_connected({});
        return life.on_settled();
    case server_state::waiting: BOOST_TEST((life.on_lost({}, 0, false).wait != duration::zero())); return;
    case server_state::closing: BOOST_TEST(life.on_end(server_state::closed)); return;
    case server_state::disabled: life.on_disabled(); [[fallthrough]];
    default: life.on_closing(); BOOST_TEST((life.on_closed(state) || life.state() == state));
    }
}

struct fixture {
    // Adds a server, which has not listed its tools.
    server_registry::pointer add(std::string key, server_state state = server_state::idle,
                                 std::vector<std::string> tags = {})
    {
        server_options options;
        options.tags = std::move(tags);
        options.trust_annotations = true;
        auto server =
            std::make_shared<server_entry>(servers.next_id(), std::move(key), options, context.get_executor());
        set_state(*server, state);
        servers.register_server(server);
        servers.add(server);
        return server;
    }

    // Publishes a catalog in which the server has these tools. A tool is given as its name, or as `NAME:TITLE` with the
    // title of its input schema, so that tools of the same name have different schemas. Without a title, the schema is
    // `{}`. The tool `read` has the hint `read_only`.
    void list(server_registry::pointer const& server, std::vector<std::string> tools)
    {
        tool_list list;
        for (auto const& text : tools) {
            auto const colon = text.find(':');
            auto& one = list.tools.emplace_back();
            one.name = text.substr(0, colon);
            one.input_schema = colon == std::string::npos ? "{}" : R"({"title":")" + text.substr(colon + 1) + R"("})";
            one.annotations.read_only = one.name == "read";
        }
        set_state(*server, server_state::ready);
        server->tools.on_listed(std::move(list), policies, {}, false);
        publish();
    }

    void publish()
    {
        std::vector<catalog_entry> entries;
        for (auto const& server : servers.order())
            entries.insert(entries.end(), server->tools.tools().begin(), server->tools.tools().end());
        published.begin({std::make_shared<std::vector<linkspan::catalog_entry> const>(std::move(entries))},
                        servers.order().size() == 1);
        BOOST_TEST(published.step());
    }

    // Returns the candidates, "unknown", or the error. A candidate is the id of the server and the server's own name of
    // the tool, such as "0.read", followed by `?` if the tools of the server are unknown.
    std::string text_of(resolution const& found) const
    {
        if (found.what == kind::unknown)
            return "unknown";
        if (found.what == kind::failed)
            return found.failure->ec.message() + ": " + found.failure->detail;
        std::string out;
        bool has_unknown = false;
        for (auto const& one : candidates) {
            auto const& server = servers.at(one.server);
            has_unknown = has_unknown || !server->tools.is_known();
            (out += out.empty() ? "" : " ") += std::to_string(static_cast<unsigned>(one.server)) + '.';
            (out += one.tool) += server->tools.is_known() ? "" : "?";
            BOOST_TEST(!one.is_excluded);
        }
        BOOST_TEST(found.has_unknown_tools == has_unknown);
        return out;
    }

    std::string resolve(tool_query const& query)
    {
        return text_of(detail::resolve_tool(query, published, servers, candidates));
    }

    std::string among_unknown(tool_query const& query)
    {
        candidates.clear();
        return text_of(detail::resolve_among_unknown(query, servers, candidates));
    }

    static std::string text(error ec) { return make_error_code(ec).message() + ": "; }

    boost::asio::io_context context;
    typed_policy_table<default_set> policies{default_set({}, {}, {}, {}, {}, {})};
    server_registry servers;
    catalog_publisher published;
    std::vector<call_candidate> candidates;
};

tool_query on(std::string_view target, std::string_view tool)
{
    tool_query query;
    query.target = target;
    query.tool = tool;
    return query;
}

tool_query named(std::string_view tool, selector const* which = nullptr)
{
    tool_query query;
    query.tool = tool;
    query.which = which;
    return query;
}

} // namespace

// Names that are searched for on all servers

BOOST_FIXTURE_TEST_CASE(name_without_a_known_tool_is_unknown, fixture)
{
    BOOST_TEST(resolve(named("read")) == "unknown");
    list(add("a"), {"write"});
    BOOST_TEST(resolve(named("read")) == "unknown");
    BOOST_TEST(candidates.empty());
}

BOOST_FIXTURE_TEST_CASE(candidates_are_the_servers_with_interchangeable_tools, fixture)
{
    list(add("a"), {"read", "write"});
    list(add("b"), {"read"});
    BOOST_TEST(resolve(named("read")) == "0.read 1.read");
    BOOST_TEST((candidates[0].replay == replay_class::read_only));
    BOOST_TEST(resolve(named("write")) == "0.write"); // replaces the candidates
    BOOST_TEST((candidates[0].replay == replay_class::never));
    auto const exposed = policies.expose("b", "read");
    BOOST_TEST(resolve(named(exposed)) == "1.read");
}

BOOST_FIXTURE_TEST_CASE(tools_that_are_not_interchangeable_are_ambiguous, fixture)
{
    list(add("a"), {"read:x"});
    list(add("b", server_state::idle, {"eu"}), {"read:y"});
    auto const expected = text(error::ambiguous_tool) + "'read' is ambiguous; expected one of " +
                          policies.expose("a", "read") + ", " + policies.expose("b", "read");
    BOOST_TEST(resolve(named("read")) == expected);
    selector eu, us;
    eu.all_of = {"eu"};
    us.all_of = {"us"};
    BOOST_TEST(resolve(named("read", &eu)) == "1.read");
    BOOST_TEST(resolve(named("read", &us)) == expected);
}

BOOST_FIXTURE_TEST_CASE(selector_by_tags_yields_no_candidate_for_an_unambiguous_tool_if_no_server_matches, fixture)
{
    list(add("a"), {"read"});
    selector eu;
    eu.all_of = {"eu"};
    BOOST_TEST(resolve(named("read", &eu)) == "");
}

BOOST_FIXTURE_TEST_CASE(removed_server_is_not_a_candidate, fixture)
{
    auto const a = add("a");
    list(a, {"read"});
    list(add("b"), {"read"});
    servers.remove(a); // the catalog still has its tools
    BOOST_TEST(resolve(named("read")) == "1.read");
}

BOOST_FIXTURE_TEST_CASE(own_name_is_an_exposed_name_if_the_policy_accepts_it, fixture)
{
    list(add("a"), {"read"});
    auto query = named("read");
    query.is_exposed = true;
    auto const accepts = policies.accepts_own_name("read");
    BOOST_TEST(resolve(query) == (accepts ? "0.read" : "unknown"));
    auto const exposed = policies.expose("a", "read");
    query.tool = exposed;
    BOOST_TEST(resolve(query) == "0.read");
}

// Names of tools on a given server, the target

BOOST_FIXTURE_TEST_CASE(target_with_the_tool_is_the_only_candidate, fixture)
{
    list(add("a"), {"read:x"});
    list(add("b"), {"read:y"});
    BOOST_TEST(resolve(on("b", "read")) == "1.read");
    BOOST_TEST(resolve(on("b", "write")) == "unknown");
}

BOOST_FIXTURE_TEST_CASE(target_with_unknown_tools_is_a_candidate_with_replay_class_never, fixture)
{
    add("a");
    BOOST_TEST(resolve(on("a", "read")) == "0.read?");
    BOOST_TEST((candidates[0].replay == replay_class::never));
}

BOOST_FIXTURE_TEST_CASE(target_that_is_missing_or_disabled_fails, fixture)
{
    BOOST_TEST(resolve(on("a", "read")) == text(error::unknown_server) + "'a'; known servers: ");
    add("files", server_state::disabled);
    BOOST_TEST(resolve(on("fles", "read")) == text(error::unknown_server) + "'fles'; similar names: files");
    BOOST_TEST(resolve(on("else", "read")) == text(error::unknown_server) + "'else'; known servers: files");
    BOOST_TEST(resolve(on("files", "read")) == text(error::server_disabled) + "server 'files'");
}

BOOST_FIXTURE_TEST_CASE(error_for_an_unknown_server_lists_ten_servers, fixture)
{
    for (char c = 'A'; c != 'M'; ++c)
        add(std::string(4, c));
    BOOST_TEST(resolve(on("xyz", "read")) == text(error::unknown_server) +
                                                 "'xyz'; known servers: AAAA, BBBB, CCCC, DDDD, EEEE, FFFF, GGGG, "
                                                 "HHHH, IIII, JJJJ and 2 more");
}

// A selector with an order

BOOST_FIXTURE_TEST_CASE(ordered_servers_are_candidates_independently_of_the_schemas_of_their_tools, fixture)
{
    list(add("a"), {"read:x"});
    list(add("b"), {"read:y"});
    add("c");
    selector which;
    which.servers = {"c", "b", "a"};
    BOOST_TEST(resolve(named("read", &which)) == "2.read? 1.read 0.read");
}

BOOST_FIXTURE_TEST_CASE(ordered_servers_without_the_tool_are_skipped, fixture)
{
    list(add("a"), {"write"});
    list(add("b", server_state::idle, {"eu"}), {"read"});
    add("c", server_state::disabled);
    selector which;
    which.servers = {"a", "b", "c"};
    BOOST_TEST(resolve(named("read", &which)) == "1.read");
    which.none_of = {"eu"};
    BOOST_TEST(resolve(named("read", &which)) == "unknown");
    which.servers = {"b", "unheard"};
    BOOST_TEST(resolve(named("read", &which)) == text(error::unknown_server) + "'unheard'; known servers: a, b, c");
}

// Servers whose tools are unknown

BOOST_FIXTURE_TEST_CASE(servers_with_unknown_tools_are_candidates_depending_on_their_state, fixture)
{
    BOOST_TEST(among_unknown(named("read")) == "unknown");
    add("idle");
    add("opening", server_state::opening);
    add("ready", server_state::ready);
    add("waiting", server_state::waiting);
    add("disabled", server_state::disabled);
    add("closed", server_state::closed);
    BOOST_TEST(among_unknown(named("read")) == "0.read? 1.read? 2.read? 3.read? 5.read?");
    list(add("known"), {"write"});
    BOOST_TEST(among_unknown(named("read")) == "0.read? 1.read? 2.read?");
}

BOOST_FIXTURE_TEST_CASE(servers_with_unknown_tools_are_selected_by_tags_and_never_for_a_target_or_an_order, fixture)
{
    add("a", server_state::idle, {"eu"});
    add("b");
    selector eu, order;
    eu.all_of = {"eu"};
    order.servers = {"a"};
    BOOST_TEST(among_unknown(named("read", &eu)) == "0.read?");
    BOOST_TEST(among_unknown(named("read", &order)) == "unknown");
    BOOST_TEST(among_unknown(on("a", "read")) == "unknown");
}

BOOST_FIXTURE_TEST_CASE(own_name_is_the_given_name_until_the_tools_are_known, fixture)
{
    auto const a = add("a");
    call_candidate candidate;
    candidate.server = a->id;
    auto query = named("read");
    BOOST_TEST(detail::determine_own_name(query, *a, *published.latest(), candidate));
    BOOST_TEST(candidate.tool == "read");
    query.is_exposed = true; // the server does not know the exposed name
    BOOST_TEST(!detail::determine_own_name(query, *a, *published.latest(), candidate));

    list(a, {"read"});
    auto const exposed = policies.expose("a", "read");
    query.tool = exposed;
    BOOST_TEST(detail::determine_own_name(query, *a, *published.latest(), candidate));
    BOOST_TEST(candidate.tool == "read");
    BOOST_TEST((candidate.replay == replay_class::read_only));
    query = named("write");
    BOOST_TEST(!detail::determine_own_name(query, *a, *published.latest(), candidate));
    query = named("read");
    BOOST_TEST(detail::determine_own_name(query, *a, *published.latest(), candidate));
}

// Errors

BOOST_FIXTURE_TEST_CASE(exposed_name_belongs_to_the_disconnected_server_that_had_it, fixture)
{
    auto const a = add("a");
    list(a, {"read"});
    list(add("b"), {"read"});
    auto const exposed = policies.expose("a", "read");
    BOOST_TEST(!detail::disconnected_owner(exposed, servers, policies)); // connected
    a->tools.drop();
    BOOST_TEST(!detail::disconnected_owner(exposed, servers, policies));
    set_state(*a, server_state::waiting);
    BOOST_TEST(detail::disconnected_owner(exposed, servers, policies) == a.get());
    BOOST_TEST(!detail::disconnected_owner(policies.expose("b", "read"), servers, policies));
    BOOST_TEST(!detail::disconnected_owner(policies.expose("a", "write"), servers, policies)); // was not listed
}

BOOST_FIXTURE_TEST_CASE(exposed_name_belongs_to_the_server_with_the_longest_prefix_if_its_tools_are_unknown, fixture)
{
    auto const a = add("a", server_state::failed);
    auto const longer = add("a__b", server_state::failed);
    BOOST_TEST(detail::disconnected_owner(policies.expose("a__b", "read"), servers, policies) == longer.get());
    BOOST_TEST(detail::disconnected_owner(policies.expose("a", "read"), servers, policies) == a.get());
    BOOST_TEST(!detail::disconnected_owner(policies.expose("c", "read"), servers, policies));
    BOOST_TEST(!detail::disconnected_owner("read", servers, policies));
    set_state(*longer, server_state::idle); // a call starts the server
    BOOST_TEST(!detail::disconnected_owner(policies.expose("a__b", "read"), servers, policies));
}

BOOST_FIXTURE_TEST_CASE(text_for_an_unknown_tool_names_similar_tools_and_the_searched_servers, fixture)
{
    BOOST_TEST(detail::unknown_tool_text(named("raed"), *published.latest(), servers) == "'raed'; searched: none");
    list(add("a"), {"read"});
    list(add("b"), {"write"});
    add("c");
    auto const any = detail::unknown_tool_text(named("raed"), *published.latest(), servers);
    BOOST_TEST(any.starts_with("'raed'; similar names: read"));
    BOOST_TEST(any.ends_with("; searched: a, b"));
    auto const one = detail::unknown_tool_text(on("b", "xyzzy"), *published.latest(), servers);
    BOOST_TEST(one == "'xyzzy' on server 'b'; searched: b");
}

BOOST_AUTO_TEST_CASE(resolution_after_a_failed_allocation_is_correct)
{
    fixture world;
    auto const first = world.add("files");
    auto const second = world.add("web");
    world.add("later"); // its tools are unknown
    world.list(first, {"read:1", "write_with_a_long_name:1"});
    world.list(second, {"read:2", "search"});
    selector ordered;
    ordered.servers = {"web", "later", "files"};
    tool_query const queries[] = {named("write_with_a_long_name"),
                                  named("read"),
                                  named("none", &ordered),
                                  named("read", &ordered),
                                  on("files", "read"),
                                  on("later", "read"),
                                  on("nowhere", "read")};
    for (auto const& query : queries) {
        auto const expected = world.resolve(query);
        linkspan::test::fail_each_allocation([&](auto& failing) {
            std::vector<call_candidate> fresh;
            world.published.find("another name, which replaces the match that find() keeps");
            failing([&] { detail::resolve_tool(query, world.published, world.servers, fresh); });
            BOOST_TEST(world.resolve(query) == expected);
        });
    }
}

BOOST_AUTO_TEST_SUITE_END()
