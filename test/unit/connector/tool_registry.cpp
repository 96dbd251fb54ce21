#include <linkspan/connector/default_policies.hpp>
#include <linkspan/connector/detail/tool_registry.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(tool_registry_test)

using namespace linkspan;
using namespace std::chrono_literals;
using detail::tool_registry;

namespace {

constexpr time_point start{1000s};
constexpr char const* object_schema = R"({"type":"object"})";

struct watcher {
    using role = observer_role;
    void on_event(event_view const&) {}
};
using watched_set = policy_set<by_priority, safe_failover, probed_breaker, admit_all, no_budget, qualified, watcher>;

tool make_tool(std::string name, std::string schema = object_schema)
{
    tool one;
    one.name = std::move(name);
    one.input_schema = std::move(schema);
    return one;
}

tool_list list_of(std::vector<tool> tools)
{
    tool_list list;
    list.tools = std::move(tools);
    return list;
}

std::string text_of(std::span<catalog_entry const> entries)
{
    std::string out;
    for (auto const& entry : entries)
        (out += out.empty() ? "" : " ") += entry.tool->name;
    return out;
}

std::string text_of(std::vector<tool_registry::event> const& events)
{
    std::string out;
    for (auto const& one : events)
        (((out += out.empty() ? "" : "; ") += one.name) += ": ") += one.detail;
    return out;
}

struct fixture {
    tool_registry& registry()
    {
        if (!made)
            made.emplace(server_id{3}, key, options);
        return *made;
    }

    tool_registry::change listed(std::vector<tool> tools, time_point now = start)
    {
        return registry().on_listed(list_of(std::move(tools)), policies, now, false);
    }

    // Requests a list. The completion adds `letter` to `completed`.
    bool request(char letter)
    {
        return registry().request([this, letter] { completed += letter; });
    }

    std::string completed;
    std::string const key = "files";
    server_options options; // before the first call of registry()
    typed_policy_table<watched_set> policies{watched_set({}, {}, {}, {}, {}, {}, {})};
    std::optional<tool_registry> made;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(tools_are_unknown_before_the_first_list, fixture)
{
    BOOST_TEST(!registry().is_known());
    BOOST_TEST(registry().tools().empty());
    BOOST_TEST(registry().former_tools().empty());
    BOOST_TEST(!registry().last_error());
    BOOST_TEST(!registry().is_listing());
    BOOST_TEST(!registry().is_stale(start + 1000h));
}

BOOST_FIXTURE_TEST_CASE(list_sets_the_tools_with_their_names_and_options, fixture)
{
    options.priority = 5;
    options.tags = {"eu"};
    auto const change = listed({make_tool("read"), make_tool("write")});
    BOOST_TEST(change.is_changed);
    BOOST_TEST(text_of(change.events) == "");
    BOOST_TEST(change.problem_text == "");
    BOOST_TEST(registry().is_known());
    BOOST_TEST(text_of(registry().tools()) == "read write");
    auto const& first = registry().tools()[0];
    BOOST_TEST((first.server == server_id{3}));
    BOOST_TEST(first.server_key == "files");
    BOOST_TEST(first.priority == 5);
    BOOST_REQUIRE(first.tags);
    BOOST_TEST((*first.tags == std::vector<std::string>{"eu"}));
    BOOST_TEST(first.exposed == qualified().expose("files", "read"));
    BOOST_TEST(first.input.has_value());
    BOOST_TEST((first.replay == replay_class::never));
}

BOOST_FIXTURE_TEST_CASE(list_that_equals_the_last_one_changes_nothing, fixture)
{
    listed({make_tool("read")});
    auto const* const before = registry().tools()[0].tool.get();
    BOOST_TEST(!listed({make_tool("read")}).is_changed);
    BOOST_TEST(registry().tools()[0].tool.get() == before);
    BOOST_TEST(listed({make_tool("read", R"({"type":"object","title":"x"})")}).is_changed);
    BOOST_TEST(listed({}).is_changed);
    BOOST_TEST(registry().is_known());
}

BOOST_FIXTURE_TEST_CASE(unchanged_tools_of_a_changed_list_keep_their_object_and_fingerprint, fixture)
{
    constexpr char const* other_schema = R"({"type":"object","title":"x"})";
    std::map<std::string, catalog_entry, std::less<>> before;
    auto const store = [&] {
        before.clear();
        for (auto const& entry : registry().tools())
            before.emplace(entry.tool->name, entry);
    };
    // Names of the tools that share the object of the tool with the same name in the last list.
    auto const shared = [&] {
        std::string out;
        for (auto const& entry : registry().tools())
            if (auto const last = before.find(entry.tool->name);
                last != before.end() && last->second.tool == entry.tool && last->second.input == entry.input)
                (out += out.empty() ? "" : " ") += entry.tool->name;
        return out;
    };
    listed({make_tool("a"), make_tool("b"), make_tool("c"), make_tool("d")});
    store();
    BOOST_TEST(listed({make_tool("a"), make_tool("b", other_schema), make_tool("c"), make_tool("d")}).is_changed);
    BOOST_TEST(shared() == "a c d");
    BOOST_TEST((registry().tools()[1].input == fingerprint::of_input(other_schema)));
    store();
    listed({make_tool("d"), make_tool("new"), make_tool("c"), make_tool("b", other_schema)}); // in another order
    BOOST_TEST(text_of(registry().tools()) == "d new c b");
    BOOST_TEST(shared() == "d c b");
    BOOST_TEST((registry().tools()[1].input == fingerprint::of_input(object_schema)));
    store();
    auto described = make_tool("c");
    described.description = "other";
    listed({make_tool("d"), described});
    BOOST_TEST(shared() == "d");
    BOOST_TEST(registry().tools()[1].tool->description == "other");
    store();
    registry().drop(); // the tools of the last connection are known until the first list of the next one
    listed({make_tool("d"), described});
    BOOST_TEST(shared() == "d c");
}

// The size of the steps of a list has no effect on the result: each list is stored with steps of one tool, of two tools
// and so on, and compared with a list that is stored at once.
BOOST_AUTO_TEST_CASE(list_that_is_stored_in_steps_has_the_same_effect)
{
    constexpr char const* other_schema = "true";
    std::vector<std::vector<tool>> const lists{
        {},
        {make_tool("a")},
        {make_tool("a"), make_tool("b"), make_tool("c")},
        {make_tool("a"), make_tool("b"), make_tool("c", other_schema)},
        {make_tool("c"), make_tool("a"), make_tool("b", other_schema), make_tool("d")},
        {make_tool("a"), make_tool("b"), make_tool("c"), make_tool("d"), make_tool("pinned")},
    };
    for (auto const& before : lists)
        for (auto const& after : lists)
            for (std::size_t max_tools = 1; max_tools <= 6; ++max_tools) {
                fixture at_once, in_steps;
                for (auto* const server : {&at_once, &in_steps}) {
                    server->options.pins = {{"pinned", "sha256:0"}};
                    server->options.when_pins_break = pin_mode::reject;
                    server->listed(before);
                }
                auto const expected = at_once.listed(after, start + 1s);
                auto& registry = in_steps.registry();
                auto const known = registry.snapshot();
                auto made = registry.begin_list(list_of(after), in_steps.policies);
                std::size_t steps = 1;
                for (; !made.step(max_tools); ++steps)
                    BOOST_TEST((registry.snapshot() == known)); // the list is not in effect before its end
                BOOST_TEST(steps <= 1 + 3 * after.size() / max_tools); // pins, comparison, entries
                auto const change = registry.on_listed(std::move(made), start + 1s, false);
                BOOST_TEST(change.is_changed == expected.is_changed);
                BOOST_TEST((change.events == expected.events));
                BOOST_TEST(text_of(registry.tools()) == text_of(at_once.registry().tools()));
                for (std::size_t i = 0; i != registry.tools().size(); ++i) {
                    auto const &entry = registry.tools()[i], &wanted = at_once.registry().tools()[i];
                    BOOST_TEST((*entry.tool == *wanted.tool && entry.input == wanted.input));
                }
            }
}

BOOST_FIXTURE_TEST_CASE(tools_are_compared_with_pins_in_steps, fixture)
{
    options.pins = {{"a", "sha256:0"}, {"missing", "sha256:0"}};
    options.when_pins_break = pin_mode::reject;
    auto list = registry().begin_list(list_of({make_tool("a"), make_tool("b"), make_tool("c")}), policies);
    std::size_t steps = 1;
    while (!list.step(1))
        ++steps;
    BOOST_TEST(steps == 5u); // three comparisons, and two tools that are stored
    auto const change = registry().on_listed(std::move(list), start, false);
    BOOST_TEST(text_of(registry().tools()) == "b c");
    BOOST_REQUIRE(change.events.size() == 3u);
    BOOST_TEST(change.events[0].name == "pin_broken");
    BOOST_TEST(change.events[1].name == "pin_broken");
    BOOST_TEST(change.events[2].name == "unusable_tool");
}

BOOST_FIXTURE_TEST_CASE(list_with_a_repeated_name_has_the_fingerprint_of_each_tool, fixture)
{
    listed({make_tool("a"), make_tool("a", "true"), make_tool("b")});
    listed({make_tool("b"), make_tool("a", "true"), make_tool("a")});
    BOOST_TEST(text_of(registry().tools()) == "b a a");
    BOOST_TEST((registry().tools()[1].input == fingerprint::of_input("true")));
    BOOST_TEST((registry().tools()[2].input == fingerprint::of_input(object_schema)));
}

BOOST_FIXTURE_TEST_CASE(replay_class_is_declared_or_follows_trusted_annotations, fixture)
{
    options.trust_annotations = true;
    options.tools["declared"].replay = replay_class::keyed;
    options.tools["declared"].group = "g";
    auto reading = make_tool("reading");
    reading.annotations.read_only = true;
    auto idempotent = make_tool("idempotent");
    idempotent.annotations.idempotent = true;
    idempotent.annotations.destructive = true;
    auto harmless = idempotent;
    harmless.name = "harmless";
    harmless.annotations.destructive = false;
    auto declared = idempotent;
    declared.name = "declared";
    listed({reading, idempotent, harmless, declared, make_tool("plain")});
    auto const& tools = registry().tools();
    BOOST_TEST((tools[0].replay == replay_class::read_only));
    BOOST_TEST((tools[1].replay == replay_class::idempotent));
    BOOST_TEST(tools[1].replay_on_same_server);
    BOOST_TEST((tools[2].replay == replay_class::idempotent));
    BOOST_TEST(!tools[2].replay_on_same_server);
    BOOST_TEST((tools[3].replay == replay_class::keyed));
    BOOST_TEST(!tools[3].replay_on_same_server);
    BOOST_TEST(tools[3].group == "g");
    BOOST_TEST((tools[4].replay == replay_class::never));
}

BOOST_FIXTURE_TEST_CASE(annotations_without_trust_do_not_determine_the_replay_class, fixture)
{
    auto reading = make_tool("reading");
    reading.annotations.read_only = true;
    listed({reading});
    BOOST_TEST((registry().tools()[0].replay == replay_class::never));
}

BOOST_FIXTURE_TEST_CASE(dropped_tools_are_kept_as_former_tools_until_the_next_list, fixture)
{
    BOOST_TEST(!registry().drop());
    listed({make_tool("read")});
    BOOST_TEST(registry().drop());
    BOOST_TEST(!registry().is_known());
    BOOST_TEST(registry().tools().empty());
    BOOST_TEST(text_of(registry().former_tools()) == "read");
    BOOST_TEST(!registry().drop()); // no tools are left
    BOOST_TEST(text_of(registry().former_tools()) == "read");
    BOOST_TEST(listed({make_tool("read")}).is_changed);
    BOOST_TEST(registry().former_tools().empty());
    registry().drop();
    listed({}); // equals the empty list
    BOOST_TEST(registry().former_tools().empty());
}

BOOST_FIXTURE_TEST_CASE(tools_of_a_server_that_offers_none_are_known, fixture)
{
    BOOST_TEST(!registry().on_no_tools());
    BOOST_TEST(registry().is_known());
    listed({make_tool("read")});
    BOOST_TEST(registry().on_no_tools());
    BOOST_TEST(registry().is_known());
    BOOST_TEST(registry().tools().empty());
    BOOST_TEST(!registry().is_stale(start + 1000h));
}

BOOST_FIXTURE_TEST_CASE(list_is_stale_after_its_time_and_while_no_request_is_outstanding, fixture)
{
    struct row {
        std::optional<duration> sent;
        bool has_notifications;
        duration fresh;
    };
    for (auto const& [sent, has_notifications, fresh] :
         {row{std::nullopt, false, 300s}, row{10s, false, 10s}, row{0s, false, 1s}, row{0s, true, 300s},
          row{1ms, true, 1s}, row{1000h, false, 24h}}) {
        auto list = list_of({make_tool("read")});
        list.ttl = sent;
        registry().on_listed(std::move(list), policies, start, has_notifications);
        BOOST_TEST(!registry().is_stale(start + fresh - 1ns));
        BOOST_TEST(registry().is_stale(start + fresh));
        (void)registry().on_list_started(start);
        BOOST_TEST(!registry().is_stale(start + fresh));
        BOOST_TEST(!registry().on_list_ended());
    }
    registry().drop();
    BOOST_TEST(!registry().is_stale(start + 1000h));
}

BOOST_FIXTURE_TEST_CASE(failed_list_requests_postpone_the_next_one, fixture)
{
    auto const fail = [this](time_point now) {
        (void)registry().on_list_started(now);
        (void)registry().on_list_completed(error::attempt_timed_out, false, now);
        (void)registry().on_list_ended();
    };
    auto const waits = [this](time_point now, duration span) {
        return !registry().is_stale(now + span - 1ns) && registry().is_stale(now + span);
    };
    fail(start);
    BOOST_TEST(!registry().is_stale(start + 1000h)); // the tools are unknown
    listed({make_tool("read")});
    auto now = start + 300s;
    for (auto const wait : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
        BOOST_TEST(registry().is_stale(now));
        fail(now);
        BOOST_TEST(waits(now, wait));
        now += wait;
    }
    listed({make_tool("read")}, now);
    fail(now); // the list is fresh
    BOOST_TEST(waits(now, 300s));
    registry().on_opening(); // the failures of the last connection do not count
    fail(now + 300s);
    BOOST_TEST(waits(now + 300s, 1s));
}

BOOST_FIXTURE_TEST_CASE(unusable_tools_are_reported_once, fixture)
{
    auto list = list_of({make_tool("read")});
    list.dropped = 2;
    list.unusable.push_back({diagnostic::severity::error, "odd", {}, "the reason"});
    auto const first = registry().on_listed(list, policies, start, false);
    BOOST_TEST(first.events.size() == 1u);
    BOOST_TEST(first.events[0].name == "unusable_tool");
    BOOST_TEST(first.problem_text == "2 tools without a name were dropped; unusable tools: 1");
    BOOST_TEST(registry().on_listed(list, policies, start, false).events.empty());
    list.unusable.clear();
    list.dropped = 0;
    auto const last = registry().on_listed(list, policies, start, false);
    BOOST_TEST(last.events.empty());
    BOOST_TEST(last.problem_text == "");
}

BOOST_FIXTURE_TEST_CASE(non_object_schema_is_reported_if_the_list_changes, fixture)
{
    BOOST_TEST(text_of(listed({make_tool("odd", R"({"type":"array"})")}).events) == "non_object_schema: odd");
    BOOST_TEST(text_of(listed({make_tool("odd", R"({"type":"array"})")}).events) == "");
}

BOOST_FIXTURE_TEST_CASE(tool_that_differs_from_its_pin_stays_in_mode_warn, fixture)
{
    options.pins = {{"read", "0123"}};
    auto const first = listed({make_tool("read")});
    BOOST_REQUIRE(first.events.size() == 1u);
    BOOST_TEST(first.events[0].name == "pin_broken");
    BOOST_TEST(text_of(registry().tools()) == "read");
    BOOST_TEST(listed({make_tool("read")}).events.empty());
    BOOST_TEST(!registry().rejects_unlisted("read"));
}

BOOST_FIXTURE_TEST_CASE(tool_that_differs_from_its_pin_is_excluded_in_mode_refuse, fixture)
{
    options.pins = {{"read", "0123"}};
    options.when_pins_break = pin_mode::reject;
    BOOST_TEST(registry().rejects_unlisted("read"));
    BOOST_TEST(!registry().rejects_unlisted("write"));
    auto const first = listed({make_tool("read"), make_tool("write")});
    BOOST_TEST(text_of(registry().tools()) == "write");
    BOOST_REQUIRE(first.events.size() == 2u);
    BOOST_TEST(first.events[0].name == "pin_broken");
    BOOST_TEST(first.events[1].name == "unusable_tool");
    BOOST_TEST(first.problem_text == "unusable tools: 1");
    BOOST_TEST(!registry().rejects_unlisted("read")); // the tools are known
}

BOOST_FIXTURE_TEST_CASE(comparison_with_pins_finds_tools_that_the_pin_mode_excludes, fixture)
{
    auto const read = make_tool("read");
    auto const found = schema_fingerprint(read);
    options.pins = {{"read", "0123"}};
    options.when_pins_break = pin_mode::reject;
    listed({read});
    std::vector<tool_pin> pins{{"read", found}};
    BOOST_TEST(registry().compare(pins).empty());
    pins = {{"read", "4567"}, {"write", "89"}};
    auto const differences = registry().compare(pins);
    BOOST_REQUIRE(differences.size() == 2u);
    BOOST_TEST(differences[0].found == found);
    BOOST_TEST(differences[1].found == "");
}

BOOST_FIXTURE_TEST_CASE(request_during_a_list_request_waits_for_the_next_one, fixture)
{
    BOOST_TEST(request('a'));
    auto const first = registry().on_list_started(start);
    BOOST_TEST(registry().is_listing());
    BOOST_TEST(!request('b'));
    BOOST_TEST(!request('c'));
    for (auto const& done : first)
        done();
    BOOST_TEST(completed == "a");
    BOOST_TEST(registry().on_list_ended());
    BOOST_TEST(!registry().is_listing());
    for (auto const& done : registry().on_list_started(start))
        done();
    BOOST_TEST(completed == "abc");
    BOOST_TEST(!registry().on_list_ended());
    BOOST_TEST(request('d'));
}

BOOST_FIXTURE_TEST_CASE(taken_requesters_require_no_further_request, fixture)
{
    (void)registry().on_list_started(start);
    BOOST_TEST(!request('a'));
    for (auto const& done : registry().take_requesters())
        done();
    BOOST_TEST(completed == "a");
    BOOST_TEST(registry().take_requesters().empty());
    BOOST_TEST(!registry().on_list_ended());
}

BOOST_FIXTURE_TEST_CASE(last_error_is_that_of_the_last_list_request, fixture)
{
    error_code const reset = boost::asio::error::connection_reset;
    BOOST_TEST(!registry().on_list_completed(reset, false, start));
    BOOST_TEST(registry().last_error() == reset);
    listed({make_tool("read")});
    BOOST_TEST(!registry().last_error());
    registry().on_earlier_list_completed(reset);
    BOOST_TEST(registry().last_error() == reset);
    BOOST_TEST(!registry().on_list_completed({}, false, start));
    BOOST_TEST(!registry().last_error());
}

BOOST_FIXTURE_TEST_CASE(notifications_are_combined_until_a_list_request_starts, fixture)
{
    BOOST_TEST((registry().on_list_changed(start) == start));
    BOOST_TEST(!registry().on_list_changed(start));
    (void)registry().on_list_started(start);
    BOOST_TEST((registry().on_list_changed(start) == start + 1s));
    registry().on_opening();
    BOOST_TEST((registry().on_list_changed(start) == start));
}

BOOST_FIXTURE_TEST_CASE(failed_list_after_a_notification_is_repeated, fixture)
{
    registry().on_list_changed(start);
    (void)registry().on_list_started(start);
    auto const again = registry().on_list_completed(error::attempt_timed_out, false, start);
    BOOST_REQUIRE(again);
    BOOST_TEST((*again > start));
}

BOOST_AUTO_TEST_CASE(failed_allocation_while_list_is_stored_has_no_effect)
{
    auto const list_with = [](std::vector<tool> tools) {
        tools.push_back(make_tool("pinned", R"({"title":"other"})"));
        auto list = list_of(std::move(tools));
        list.unusable.push_back({diagnostic::severity::error, "broken", {}, "a text that needs an allocation"});
        return list;
    };
    linkspan::test::fail_each_allocation([&](auto& failing) {
        fixture server;
        server.options.pins = {{"pinned", "sha256:0"}};
        server.options.when_pins_break = pin_mode::reject;
        server.listed({make_tool("read")});
        auto const before = server.registry().snapshot();
        auto list = list_with({make_tool("read"), make_tool("write", "true")});
        tool_registry::change made;
        bool const is_listed =
            failing([&] { made = server.registry().on_listed(std::move(list), server.policies, start + 400s, false); });
        if (is_listed)
            return;
        BOOST_TEST((server.registry().snapshot() == before));
        BOOST_TEST(text_of(server.registry().tools()) == "read");
        BOOST_TEST(server.registry().is_stale(start + 300s));
        // The same list has the same effect as without the failure.
        auto again = server.registry().on_listed(list_with({make_tool("read"), make_tool("write", "true")}),
                                                 server.policies, start + 400s, false);
        BOOST_TEST(again.is_changed);
        BOOST_TEST(text_of(server.registry().tools()) == "read write");
        BOOST_TEST(text_of(again.events) != "");
    });
}

BOOST_AUTO_TEST_CASE(failed_allocation_of_requester_keeps_the_others)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        fixture server;
        server.request('a');
        tool_registry::requester second = [&] { server.completed += 'b'; };
        bool const is_added = failing([&] { static_cast<void>(server.registry().request(std::move(second))); });
        for (auto const& done : server.registry().on_list_started(start))
            done();
        BOOST_TEST(server.completed == (is_added ? "ab" : "a"));
    });
}

BOOST_AUTO_TEST_SUITE_END()
