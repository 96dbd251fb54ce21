// Requests of a server to its clients, with one interface for both eras.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/model/roots.hpp>
#include <linkspan/model/sampling.hpp>

#include "support/contains.hpp"
#include "support/line_client.hpp"
#include "support/name_form.hpp"
#include "support/server_case.hpp"

BOOST_AUTO_TEST_SUITE(server_input_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

// Adds a tool that asks the user for a name, as a coroutine.
void add_asking_tool(server& own)
{
    own.add(any_tool("ask"), [](server_request request) -> asio::awaitable<void> {
        auto asked = name_form();
        auto const answer = co_await request.async_ask<elicitation>(asked, in_tuple);
        if (std::get<0>(answer)) {
            request.fail(std::get<0>(answer));
            co_return;
        }
        auto const& content = std::get<1>(answer).content;
        request.complete(tool_output::text(content.contains("name") ? content.at("name").as_string().c_str() : "-"));
    });
}

// Responds to elicitations with a name.
void respond_with_name(session& calls, std::string name)
{
    calls.set_handler<elicitation>([name = std::move(name)](elicit_request const&, typed_responder<elicitation> reply) {
        elicit_result result;
        result.action = elicit_action::accept;
        result.content["name"] = name;
        reply(result);
    });
}

// Stores the elicitations of a session in `held`, without a response.
void hold_elicitations(session& calls, std::vector<responder>& held)
{
    calls.on_request("elicitation/create",
                     [&held](std::string_view, responder reply) { held.push_back(std::move(reply)); });
}

} // namespace

LINKSPAN_CASE_IN(server_world, elicitation_of_a_coroutine_completes_in_both_eras)
{
    for (auto const version : newest_of_both_eras) {
        add_asking_tool(make(version));
        auto& calls = connect();
        respond_with_name(calls, "Ada");
        co_await calls.async_open();
        auto const result = co_await calls.async_call_tool("ask");
        BOOST_TEST(result.text() == "Ada");
        BOOST_TEST(served->counters().suspended == 0u);
        BOOST_TEST(served->counters().bad_states == 0u);
    }
}

LINKSPAN_CASE_IN(server_world, a_form_has_only_the_fields_of_its_handler)
{
    auto const empty = std::string(R"({"type":"object","properties":{}})");
    for (auto const version : newest_of_both_eras)
        for (auto const& schema : {name_form().requested_schema, std::string()}) {
            make(version).add(any_tool("ask"), [&schema](server_request request) {
                auto form = name_form();
                form.requested_schema = schema;
                auto const held = std::make_shared<server_request>(std::move(request));
                held->async_ask<elicitation>(form, [held](error_code ec, elicit_result const&) {
                    held->complete(tool_output::text(ec ? ec.message() : "asked"));
                });
            });
            auto& calls = connect();
            std::vector<std::string> seen;
            calls.set_handler<elicitation>([&](elicit_request const& request, typed_responder<elicitation> reply) {
                seen.push_back(request.requested_schema);
                reply(elicit_result());
            });
            co_await calls.async_open();
            auto const result = co_await calls.async_call_tool("ask");
            BOOST_TEST(result.text() == "asked");
            BOOST_TEST_REQUIRE(seen.size() == 1u);
            BOOST_TEST(seen[0] == (schema.empty() ? empty : schema));
        }
}

LINKSPAN_CASE_IN(server_world, an_input_that_the_client_does_not_declare_is_not_requested)
{
    for (auto const version : newest_of_both_eras) {
        add_asking_tool(make(version));
        co_await connect().async_open();
        auto const result = co_await client->async_call_tool("ask", in_tuple);
        bool const is_stateless = version == protocol_version::v2026_07_28;
        BOOST_TEST(std::get<0>(result).value() == (is_stateless ? -32021 : -32602));
    }
}

LINKSPAN_CASE_IN(server_world, requests_to_the_client_of_one_turn_are_sent_together)
{
    for (auto const version : newest_of_both_eras) {
        make(version).add(any_tool("ask"), [](server_request request) {
            auto const held = std::make_shared<server_request>(std::move(request));
            auto const texts = std::make_shared<std::vector<std::string>>();
            auto const next = [held, texts](std::string text) {
                texts->push_back(std::move(text));
                if (texts->size() == 3)
                    held->complete(tool_output::text(texts->at(0) + texts->at(1) + texts->at(2)));
            };
            held->async_ask<elicitation>(name_form(), [next](error_code, elicit_result const& result) {
                next(result.action == elicit_action::accept ? "yes " : "no ");
            });
            sampling_request sample;
            sample.messages = R"([{"role":"user","content":{"type":"text","text":"hi"}}])";
            held->async_ask<sampling>(sample,
                                      [next](error_code, sampling_result const& result) { next(result.text + " "); });
            held->async_ask<roots>(roots_request(), [next](error_code, roots_result const& result) {
                next(result.roots.empty() ? "-" : result.roots[0].uri);
            });
        });
        auto& calls = connect();
        respond_with_name(calls, "Ada");
        calls.set_handler<sampling>([](sampling_request const& wanted, typed_responder<sampling> reply) {
            BOOST_TEST(contains(wanted.messages, "hi"));
            sampling_result result;
            result.text = "model";
            reply(result);
        });
        calls.set_handler<roots>([](roots_request const&, typed_responder<roots> reply) {
            roots_result result;
            result.roots.push_back({"file:///home", ""});
            reply(result);
        });
        co_await calls.async_open();
        auto const result = co_await calls.async_call_tool("ask");
        BOOST_TEST(result.text() == "yes model file:///home");
        BOOST_TEST(served->counters().requests == (version == protocol_version::v2026_07_28 ? 2u : 1u));
    }
}

LINKSPAN_CASE_IN(server_world, a_handler_runs_again_with_all_inputs_so_far)
{
    for (auto const version : newest_of_both_eras) {
        int runs = 0;
        make(version).add(any_tool("ask"), [&runs](server_request request) {
            ++runs;
            auto const first = request.input<elicitation>("first");
            auto const second = request.input<elicitation>("second");
            if (!first)
                return request.require_input({request.to_input<elicitation>("first", name_form())}, "one");
            if (!second)
                return request.require_input({request.to_input<elicitation>("second", name_form())},
                                             std::string(request.state()) + ",two");
            request.complete(tool_output::text(std::string(request.state())));
        });
        auto& calls = connect();
        respond_with_name(calls, "Ada");
        co_await calls.async_open();
        auto const result = co_await calls.async_call_tool("ask");
        BOOST_TEST(result.text() == "one,two");
        BOOST_TEST(runs == 3);
    }
}

LINKSPAN_CASE_IN(server_world, handle_that_requires_input_without_an_effect_still_fails_the_request)
{
    make(protocol_version::v2026_07_28).add(any_tool("ask"), [this](server_request request) {
        auto const kept = std::make_shared<std::optional<server_request>>(std::move(request));
        (*kept)->async_ask<elicitation>(name_form(), [](error_code, elicit_result const&) {});
        asio::post(executor, [kept] { // after the response `input_required`
            (*kept)->require_input({}, "next");
            kept->reset();
        });
    });
    auto& calls = connect();
    respond_with_name(calls, "Ada");
    co_await calls.async_open();
    auto const result = co_await calls.async_call_tool("ask", boost::json::object(), call_options(), in_tuple);
    BOOST_TEST(std::get<0>(result).value() == -32603);
}

LINKSPAN_CASE_IN(server_world, handle_of_an_earlier_run_has_no_effect)
{
    for (auto const version : newest_of_both_eras) {
        std::optional<server_request> kept;
        int runs = 0;
        make(version).add(any_tool("ask"), [&](server_request request) {
            if (++runs == 1) {
                kept.emplace(std::move(request));
                kept->require_input({kept->to_input<elicitation>("name", name_form())}, "one");
                BOOST_TEST(kept->is_over());
                return kept->complete(tool_output::text("too early"));
            }
            kept->require_input({}, "two");
            kept->fail(-32000, "too late");
            kept.reset();
            BOOST_TEST(!request.is_over());
            request.complete(tool_output::text(std::string(request.state())));
        });
        auto& calls = connect();
        respond_with_name(calls, "Ada");
        co_await calls.async_open();
        auto const result = co_await calls.async_call_tool("ask");
        BOOST_TEST(result.text() == "one");
        BOOST_TEST(runs == 2);
        BOOST_TEST(defects.empty());
    }
}

namespace {

constexpr auto with_elicitation = R"({"elicitation":{}})";

// Returns the member `requestState` of a response, with quotes.
std::string state_of(std::string const& response)
{
    return std::string(json_scan::member(json_scan::member(response, "result"), "requestState"));
}

} // namespace

namespace {

// Two instances of a server with one key, and a tool "ask" whose handler runs again. Each has a client.
struct two_instances : server_world {
    std::optional<server> second;
    std::shared_ptr<line_client> first_client, second_client;
    std::string retry; // members of the params with which a client sends the request again

    // Makes both instances with the options, and begins a request in the first.
    asio::awaitable<void> begin()
    {
        options.state_key = std::string(32, 'k');
        auto const handler = [](server_request request) {
            if (!request.input<elicitation>("name"))
                return request.require_input({request.to_input<elicitation>("name", name_form())}, "kept");
            request.complete(tool_output::text(std::string(request.state())));
        };
        make(protocol_version::v2026_07_28).add(any_tool("ask"), handler);
        second.emplace(executor, implementation{.name = "own", .version = "7"}, options);
        second->add(any_tool("ask"), handler);
        first_client = line_client::open(executor, inproc_to(*served));
        second_client = line_client::open(executor, inproc_to(*second));
        co_await settle(executor);
        auto const required = co_await first_client->ask("tools/call", R"("name":"ask")", with_elicitation);
        retry = R"("name":"ask","inputResponses":{"name":{"action":"accept","content":{"name":"Ada"}}},)"
                R"("requestState":)" +
                state_of(required);
    }

    static asio::awaitable<std::string> ask(line_client& client, std::string params)
    {
        co_return co_await client.ask("tools/call", std::move(params), with_elicitation);
    }

    asio::awaitable<void> end()
    {
        first_client->close();
        second_client->close();
        co_await settle(executor);
    }
};

} // namespace

LINKSPAN_CASE_IN(two_instances, another_instance_with_the_same_key_continues)
{
    co_await begin();
    auto const result = co_await ask(*second_client, retry);
    BOOST_TEST(contains(result, R"("text":"kept")"), result);
    co_await end();
}

LINKSPAN_CASE_IN(two_instances, state_is_accepted_once_by_all_instances_with_a_shared_record)
{
    std::vector<std::string> used;
    options.claim_state = [&](std::string_view id, duration stored_for, std::function<void(bool)> done) {
        BOOST_TEST((stored_for == options.input_timeout + 1s));
        bool const is_first = std::ranges::find(used, id) == used.end();
        used.emplace_back(id);
        asio::post(executor, [done = std::move(done), is_first] { done(is_first); });
    };
    co_await begin();
    BOOST_TEST(used.empty());
    auto const result = co_await ask(*second_client, retry);
    BOOST_TEST(contains(result, R"("text":"kept")"), result);
    auto const again = co_await ask(*first_client, retry);
    BOOST_TEST(contains(again, "-32602"), again);
    BOOST_TEST(served->counters().bad_states == 1u);
    BOOST_TEST(second->counters().bad_states == 0u);
    BOOST_TEST(used.size() == 2u);
    co_await end();
}

LINKSPAN_CASE_IN(two_instances, a_claim_that_fails_or_does_not_end_refuses_the_request)
{
    options.claim_timeout = 5s;
    bool throws = false;
    std::function<void(bool)> held;
    options.claim_state = [&](std::string_view, duration, std::function<void(bool)> done) {
        if (throws)
            throw std::runtime_error("the store is lost");
        held = std::move(done);
    };
    co_await begin();
    BOOST_TEST((co_await ask(*first_client, retry)) == "");
    co_await pass(executor, 5s);
    co_await settle(executor);
    BOOST_TEST(contains(first_client->response(first_client->last_id()), "-32603"));
    BOOST_TEST_REQUIRE(defects.size() == 1u);
    BOOST_TEST(contains(defects[0], "claim_state passed no result within 5000 ms"));
    held(true); // too late
    throws = true;
    BOOST_TEST(contains(co_await ask(*second_client, retry), "-32603"));
    BOOST_TEST_REQUIRE(defects.size() == 2u);
    BOOST_TEST(contains(defects[1], "the store is lost"));
    BOOST_TEST(served->counters().requests == 2u);
    co_await end();
}

LINKSPAN_CASE_IN(two_instances, a_claim_may_complete_during_the_call_and_throw_afterwards)
{
    bool is_first = true, throws = false;
    options.claim_state = [&](std::string_view, duration, std::function<void(bool)> const& done) {
        done(is_first);
        if (throws)
            throw std::runtime_error("late");
    };
    co_await begin();
    throws = true;
    auto const result = co_await ask(*first_client, retry);
    BOOST_TEST(contains(result, R"("text":"kept")"), result);
    BOOST_TEST_REQUIRE(defects.size() == 1u);
    BOOST_TEST(contains(defects[0], "late"));
    is_first = throws = false;
    BOOST_TEST(contains(co_await ask(*second_client, retry), "-32602"));
    BOOST_TEST(second->counters().bad_states == 1u);
    co_await end();
}

LINKSPAN_CASE_IN(two_instances, a_state_without_a_timeout_is_stored_for_a_year)
{
    duration stored{};
    options.input_timeout = duration::max();
    options.claim_state = [&](std::string_view, duration stored_for, std::function<void(bool)> const& done) {
        stored = stored_for;
        done(true);
    };
    co_await begin();
    co_await ask(*first_client, retry);
    BOOST_TEST((stored == 365 * 24h + 1s));
    co_await end();
}

LINKSPAN_CASE_IN(two_instances, a_claim_may_destroy_the_server)
{
    options.claim_state = [&](std::string_view, duration, std::function<void(bool)> const& done) {
        second.reset();
        done(true);
    };
    co_await begin();
    BOOST_TEST((co_await ask(*second_client, retry)) == "");
    BOOST_TEST(second_client->has_ended);
    BOOST_TEST(defects.empty());
    co_await end();
}

LINKSPAN_CASE_IN(two_instances, a_claim_of_a_cancelled_request_has_no_effect)
{
    std::function<void(bool)> held;
    options.claim_state = [&](std::string_view, duration, std::function<void(bool)> done) { held = std::move(done); };
    co_await begin();
    BOOST_TEST((co_await ask(*first_client, retry)) == "");
    first_client->send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
                       first_client->last_id() + "}}");
    co_await settle(executor);
    held(true);
    co_await settle(executor);
    BOOST_TEST(first_client->response(first_client->last_id()) == "");
    BOOST_TEST(served->counters().cancelled == 1u);
    co_await end();
}

LINKSPAN_CASE_IN(server_world, params_of_suspended_requests_have_a_limit_of_bytes)
{
    constexpr std::size_t kib = 1'024;
    options.max_kept_params = 1'000 * kib;
    add_asking_tool(make(protocol_version::v2026_07_28));
    auto const raw = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    auto const call = R"("name":"ask","arguments":{"text":")" + std::string(600 * kib, 'x') + R"("})";
    auto const asked = co_await raw->ask("tools/call", call, with_elicitation);
    BOOST_TEST(contains(asked, R"("resultType":"input_required")"));
    BOOST_TEST(contains(co_await raw->ask("tools/call", call, with_elicitation), "-32603"));
    BOOST_TEST(served->counters().refused == 1u);
    auto const again = call + R"(,"requestState":)" + state_of(asked) +
                       R"(,"inputResponses":{"input-1":{"action":"accept","content":{"name":"Ada"}}})";
    BOOST_TEST(contains(co_await raw->ask("tools/call", again, with_elicitation), R"("text":"Ada")"));
    auto const next = co_await raw->ask("tools/call", call, with_elicitation);
    BOOST_TEST(contains(next, R"("resultType":"input_required")"));
    raw->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(server_world, altered_and_used_states_are_rejected)
{
    add_asking_tool(make(protocol_version::v2026_07_28));
    co_await connect().async_open();
    boost::json::object const params{
        {"name", "ask"}, {"arguments", boost::json::object()}, {"requestState", "altered"}};
    auto const result = co_await client->async_request("tools/call", params, in_tuple);
    BOOST_TEST(std::get<0>(result).value() == -32602);
    BOOST_TEST(served->counters().bad_states == 1u);
}

LINKSPAN_CASE_IN(server_world, input_that_does_not_arrive_ends_its_request_after_the_timeout)
{
    options.input_timeout = 1min;
    add_asking_tool(make(protocol_version::v2025_11_25));
    auto& calls = connect();
    std::vector<responder> held;
    hold_elicitations(calls, held);
    co_await calls.async_open();
    call_options patient;
    patient.idle_timeout = duration::max();
    auto const started = since_start(time);
    auto const result = co_await calls.async_call_tool("ask", boost::json::object(), patient, in_tuple);
    BOOST_TEST(std::get<0>(result).value() == -32603);
    BOOST_TEST((since_start(time) - started == 1min));
    held.clear();
}

LINKSPAN_CASE_IN(server_world, a_client_that_never_returns_costs_its_request_until_the_timeout)
{
    options.input_timeout = 1min;
    bool ended = false;
    make(protocol_version::v2026_07_28).add(any_tool("ask"), [&](server_request request) -> asio::awaitable<void> {
        auto asked = name_form();
        auto const answer = co_await request.async_ask<elicitation>(asked, in_tuple);
        ended = std::get<0>(answer) == asio::error::timed_out;
    });
    auto& calls = connect();
    std::vector<responder> held;
    hold_elicitations(calls, held);
    co_await calls.async_open();
    completion_box waiting;
    calls.async_call_tool("ask", waiting.handler());
    co_await settle(executor);
    BOOST_TEST(served->counters().suspended == 1u);
    BOOST_TEST(!ended);
    co_await pass(executor, 1min);
    co_await settle(executor);
    BOOST_TEST(ended);
    BOOST_TEST(served->counters().suspended == 0u);
    client.reset();
    held.clear();
    co_await settle(executor);
    BOOST_TEST(waiting.count == 1u);
    BOOST_TEST(waiting.ec);
}

LINKSPAN_CASE_IN(server_world, a_suspended_request_that_expires_releases_the_functions_of_its_handler)
{
    options.input_timeout = 1min;
    std::weak_ptr<server_request> handle;
    make(protocol_version::v2026_07_28).add(any_tool("ask"), [&](server_request request) {
        auto const shared = std::make_shared<server_request>(std::move(request));
        handle = shared;
        shared->on_cancelled([shared] {}); // a cycle until the request is over
        shared->async_ask<elicitation>(name_form(), [shared](error_code, elicit_result const&) {});
    });
    auto& calls = connect();
    std::vector<responder> held;
    hold_elicitations(calls, held);
    co_await calls.async_open();
    completion_box waiting;
    calls.async_call_tool("ask", waiting.handler());
    co_await settle(executor);
    BOOST_TEST(!handle.expired());
    co_await pass(executor, 2min);
    BOOST_TEST(handle.expired());
    client.reset();
    held.clear();
    co_await settle(executor);
    BOOST_TEST(waiting.count == 1u);
}

LINKSPAN_CASE_IN(server_world, a_handler_that_ends_its_own_wait_responds_when_the_client_returns)
{
    std::optional<server_request> asking;
    make(protocol_version::v2026_07_28).add(any_tool("ask"), [&](server_request request) {
        asking.emplace(std::move(request));
        asking->async_ask<elicitation>(name_form(), [](error_code, elicit_result const&) {});
    });
    auto& calls = connect();
    std::vector<responder> held;
    hold_elicitations(calls, held);
    co_await calls.async_open();
    completion_box waiting;
    calls.async_call_tool("ask", waiting.handler());
    co_await settle(executor);
    BOOST_TEST(served->counters().suspended == 1u);
    asking->complete(tool_output::text("no more time"));
    BOOST_TEST(asking->is_over());
    BOOST_TEST(served->counters().suspended == 1u);
    asking.reset();
    BOOST_TEST_REQUIRE(held.size() == 1u);
    held[0](raw_json(R"({"action":"accept"})"));
    co_await settle(executor);
    BOOST_TEST(waiting.count == 1u);
    BOOST_TEST(!waiting.ec, waiting.ec.message());
    BOOST_TEST(waiting.result.text() == "no more time");
    BOOST_TEST(served->counters().suspended == 0u);
    BOOST_TEST(served->counters().bad_states == 0u);
}

LINKSPAN_CASE_IN(server_world, the_end_of_a_connection_cancels_its_requests_that_wait_for_input)
{
    std::vector<error_code> ended;
    make(protocol_version::v2026_07_28).add(any_tool("ask"), [&](server_request request) -> asio::awaitable<void> {
        auto asked = name_form();
        auto const answer = co_await request.async_ask<elicitation>(asked, in_tuple);
        ended.push_back(std::get<0>(answer));
    });
    auto const first = line_client::open(executor, inproc_to(*served));
    auto const second = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    auto const waits = time.pending();
    co_await first->ask("tools/call", R"("name":"ask")", with_elicitation);
    auto const required = co_await second->ask("tools/call", R"("name":"ask")", with_elicitation);
    BOOST_TEST(served->counters().suspended == 2u);
    first->close();
    co_await settle(executor);
    BOOST_TEST(served->counters().suspended == 1u);
    BOOST_TEST_REQUIRE(ended.size() == 1u);
    BOOST_TEST((ended[0] == asio::error::operation_aborted));
    BOOST_TEST(time.pending() == waits + 1);
    auto const retry =
        R"("name":"ask","inputResponses":{"input-1":{"action":"decline"}},"requestState":)" + state_of(required);
    co_await second->ask("tools/call", retry, with_elicitation);
    BOOST_TEST_REQUIRE(ended.size() == 2u);
    BOOST_TEST(!ended[1], ended[1].message());
    // A program that serves its standard streams ends when nothing waits.
    BOOST_TEST(time.pending() == waits);
    second->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(server_world, the_state_of_a_suspended_handler_is_rejected_by_another_instance)
{
    options.state_key = std::string(32, 'k');
    add_asking_tool(make(protocol_version::v2026_07_28));
    server second(executor, implementation{.name = "own", .version = "7"}, options);
    add_asking_tool(second);
    auto const first_client = line_client::open(executor, inproc_to(*served));
    auto const second_client = line_client::open(executor, inproc_to(second));
    co_await settle(executor);
    auto const required = co_await first_client->ask("tools/call", R"("name":"ask")", with_elicitation);
    co_await second_client->ask("tools/call", R"("name":"ask")", with_elicitation); // has the same number
    auto const retry =
        R"("name":"ask","inputResponses":{"input-1":{"action":"decline"}},"requestState":)" + state_of(required);
    auto const stolen = co_await second_client->ask("tools/call", retry, with_elicitation);
    BOOST_TEST(contains(stolen, R"("code":-32602)"), stolen);
    auto const own = co_await first_client->ask("tools/call", retry, with_elicitation);
    BOOST_TEST(contains(own, R"("resultType":"complete")"), own);
    auto const again = co_await first_client->ask("tools/call", retry, with_elicitation);
    BOOST_TEST(contains(again, R"("code":-32602)"), again);
    first_client->close();
    second_client->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(server_world, the_description_of_the_client_remains_valid_after_input)
{
    make(protocol_version::v2026_07_28).add(any_tool("ask"), [](server_request request) -> asio::awaitable<void> {
        auto const& described = request.client();
        auto asked = name_form();
        co_await request.async_ask<elicitation>(asked, in_tuple);
        request.complete(tool_output::text(described.identity.name));
    });
    auto& calls = connect();
    respond_with_name(calls, "Ada");
    co_await calls.async_open();
    BOOST_TEST((co_await calls.async_call_tool("ask")).text() == "linkspan");
}

LINKSPAN_CASE_IN(server_world, handlers_of_resources_and_prompts_require_input)
{
    for (auto const version : newest_of_both_eras) {
        auto& own = make(version);
        int runs = 0;
        // Returns the name that the user has entered; empty: the input is required.
        auto const name_of = [&runs](server_request& request) {
            ++runs;
            auto const answer = request.input<elicitation>("name");
            if (!answer)
                request.require_input({request.to_input<elicitation>("name", name_form())}, "kept");
            return answer ? std::string(answer->content.at("name").as_string()) : std::string();
        };
        own.add(resource{.uri = "file:///r", .name = "r"}, [name_of](server_request request) {
            if (auto const name = name_of(request); !name.empty())
                request.complete(std::vector{resource_contents{.uri = "file:///r", .text = name}});
        });
        own.add(prompt{.name = "p"}, [name_of](server_request request) {
            if (auto const name = name_of(request); !name.empty())
                request.complete(prompt_result{std::string(request.state()), {{"user", text_content{name, {}, {}}}}});
        });
        auto& calls = connect();
        respond_with_name(calls, "Ada");
        co_await calls.async_open();
        boost::json::object const uri{{"uri", "file:///r"}}, name{{"name", "p"}};
        auto const read = co_await calls.async_request("resources/read", uri);
        BOOST_TEST(contains(read.raw(), R"({"uri":"file:///r","text":"Ada"})"), read.raw());
        auto const got = co_await calls.async_request("prompts/get", name);
        BOOST_TEST(contains(got.raw(), R"("text":"Ada")"), got.raw());
        BOOST_TEST(contains(got.raw(), R"("description":"kept")"), got.raw());
        BOOST_TEST(runs == 4); // each handler runs again with its input
        BOOST_TEST(defects.empty());
    }
}

LINKSPAN_CASE_IN(server_world, required_inputs_must_have_different_keys)
{
    for (auto const version : {protocol_version::v2025_11_25, protocol_version::v2026_07_28}) {
        make(version).add(any_tool("ask"), [](server_request request) {
            auto const input = request.to_input<elicitation>("same", name_form());
            request.require_input({input, input});
        });
        auto& calls = connect();
        respond_with_name(calls, "Ada");
        co_await calls.async_open();
        auto const result = co_await calls.async_call_tool("ask", boost::json::object(), call_options(), in_tuple);
        BOOST_TEST(std::get<0>(result).value() == -32603);
        BOOST_TEST(defects.back() == "tools/call: two required inputs have the same key");
    }
}

LINKSPAN_CASE_IN(server_world, a_handler_may_run_again_with_a_state_only)
{
    for (auto const version : newest_of_both_eras) {
        make(version).add(any_tool("twice"), [](server_request request) {
            if (request.state().empty())
                return request.require_input({}, "once");
            request.complete(tool_output::text(std::string(request.state())));
        });
        co_await connect().async_open();
        BOOST_TEST((co_await client->async_call_tool("twice")).text() == "once");
    }
}

namespace {

// A stateless server with a tool "ask", whose handler completes its request while the request waits for input.
struct early_outcome : server_world {
    std::optional<server_request> held;
    std::vector<error_code> asked; // outcomes of the requests to the client
    std::shared_ptr<line_client> raw;
    std::string required; // response with the state

    asio::awaitable<void> begin()
    {
        make(protocol_version::v2026_07_28).add(any_tool("ask"), [this](server_request request) {
            held.emplace(std::move(request));
            held->async_ask<elicitation>(name_form(),
                                         [this](error_code ec, elicit_result const&) { asked.push_back(ec); });
        });
        raw = line_client::open(executor, inproc_to(*served));
        co_await settle(executor);
        co_await ask_again();
    }

    // Sends a request without a state.
    asio::awaitable<void> ask_again()
    {
        required = co_await raw->ask("tools/call", R"("name":"ask")", with_elicitation);
        BOOST_TEST(contains(required, R"("resultType":"input_required")"), required);
    }

    // Returns the response to the request with the state and the input.
    asio::awaitable<std::string> retry(std::string state)
    {
        auto params = R"("name":"ask","inputResponses":{"input-1":{"action":"decline"}},"requestState":)" + state;
        co_return co_await raw->ask("tools/call", std::move(params), with_elicitation);
    }

    asio::awaitable<void> end()
    {
        held.reset();
        raw->close();
        co_await settle(executor);
    }
};

} // namespace

LINKSPAN_CASE_IN(early_outcome, a_result_of_a_request_that_waits_for_input_is_sent_once_when_the_client_returns)
{
    co_await begin();
    held->complete(tool_output::text("early"));
    held->complete(tool_output::text("second")); // no effect
    held.reset();
    co_await settle(executor);
    BOOST_TEST_REQUIRE(asked.size() == 1u); // the request is not continued
    BOOST_TEST((asked[0] == asio::error::operation_aborted));
    auto const result = co_await retry(state_of(required));
    BOOST_TEST(contains(result, R"("text":"early")"), result);
    BOOST_TEST(contains(result, R"("resultType":"complete")"), result);
    BOOST_TEST(contains(result, R"("id":)" + raw->last_id()), result);
    auto const again = co_await retry(state_of(required));
    BOOST_TEST(contains(again, R"("code":-32602)"), again);
    BOOST_TEST(served->counters().bad_states == 1u);
    BOOST_TEST(asked.size() == 1u);
    co_await end();
}

LINKSPAN_CASE_IN(early_outcome, an_error_of_a_request_that_waits_for_input_is_sent_when_the_client_returns)
{
    co_await begin();
    held->fail(-32050, "too \"late\"", raw_json(R"({"after":5})"));
    auto const failed = co_await retry(state_of(required));
    BOOST_TEST(contains(failed, R"("error":{"code":-32050,"message":"too \"late\"","data":{"after":5}})"), failed);
    BOOST_TEST(served->counters().suspended == 0u);
    co_await end();
}

LINKSPAN_CASE_IN(early_outcome, a_handle_that_is_destroyed_while_its_request_waits_for_input_sends_an_error)
{
    co_await begin();
    held.reset();
    auto const failed = co_await retry(state_of(required));
    BOOST_TEST(contains(failed, R"("code":-32603)"), failed);
    co_await end();
}

LINKSPAN_CASE_IN(early_outcome, an_outcome_is_stored_until_the_timeout_of_the_input)
{
    options.input_timeout = 1min;
    co_await begin();
    auto const waits = time.pending();
    co_await pass(executor, 30s);
    held->complete(tool_output::text("early"));
    co_await pass(executor, 29s);
    BOOST_TEST(served->counters().suspended == 1u);
    BOOST_TEST(time.pending() == waits);
    co_await pass(executor, 1s);
    BOOST_TEST(served->counters().suspended == 0u);
    BOOST_TEST(time.pending() == waits - 1);
    auto const late = co_await retry(state_of(required));
    BOOST_TEST(contains(late, R"("code":-32602)"), late);
    co_await end();
}

LINKSPAN_CASE_IN(early_outcome, outcomes_count_for_the_limit_of_kept_bytes_until_they_are_sent)
{
    constexpr std::size_t kib = 1'024;
    options.max_kept_params = 1'000 * kib;
    co_await begin();
    auto const first = required;
    held->complete(tool_output::text(std::string(600 * kib, 'x')));
    BOOST_TEST(served->counters().refused == 0u);
    held.reset();
    co_await ask_again();
    held->complete(tool_output::text(std::string(600 * kib, 'y')));
    BOOST_TEST(served->counters().refused == 1u);
    held.reset();
    auto const discarded = co_await retry(state_of(required));
    BOOST_TEST(contains(discarded, R"("code":-32603,"message":"The result was discarded)"), discarded);
    BOOST_TEST(contains(co_await retry(state_of(first)), std::string(600 * kib, 'x')));
    co_await ask_again();
    held->complete(tool_output::text(std::string(600 * kib, 'z')));
    BOOST_TEST(contains(co_await retry(state_of(required)), std::string(600 * kib, 'z')));
    co_await end();
}

LINKSPAN_CASE_IN(early_outcome, the_end_of_the_connection_discards_an_outcome)
{
    co_await begin();
    auto const waits = time.pending();
    held->complete(tool_output::text("early"));
    raw->close();
    co_await settle(executor);
    BOOST_TEST(served->counters().suspended == 0u);
    BOOST_TEST(served->counters().cancelled == 0u);
    BOOST_TEST(time.pending() == waits - 1);
    co_await end();
}

LINKSPAN_CASE_IN(early_outcome, a_stop_discards_an_outcome)
{
    co_await begin();
    held->complete(tool_output::text("early"));
    completion_box stopped;
    served->async_stop(1min, [&](error_code ec) { stopped.ec = ec, ++stopped.count; });
    BOOST_TEST(served->counters().suspended == 0u);
    co_await settle(executor);
    BOOST_TEST(stopped.count == 1u);
    BOOST_TEST(!stopped.ec);
    co_await end();
}

LINKSPAN_CASE_IN(server_world, a_cancelled_request_cancels_its_requests_to_the_client)
{
    add_asking_tool(make(protocol_version::v2025_11_25));
    auto const raw = line_client::open(executor, inproc_to(*served));
    co_await settle(executor);
    co_await raw->ask_in_session("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},)"
                                               R"("clientInfo":{"name":"c","version":"1"}})");
    co_await raw->ask_in_session("tools/call", R"({"name":"ask"})");
    BOOST_TEST(contains(raw->messages.back(), "elicitation/create"), raw->messages.back());
    raw->send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + raw->last_id() + "}}");
    co_await settle(executor);
    BOOST_TEST(contains(raw->messages.back(), R"("method":"notifications/cancelled","params":{"requestId":1})"),
               raw->messages.back());
    raw->close();
    co_await settle(executor);
}

LINKSPAN_CASE_IN(server_world, several_stops_complete_together)
{
    std::optional<server_request> held;
    make(protocol_version::v2025_11_25).add(any_tool("hold"), [&](server_request request) {
        held.emplace(std::move(request));
    });
    auto& calls = connect();
    co_await calls.async_open();
    completion_box outstanding;
    calls.async_call_tool("hold", outstanding.handler());
    co_await settle(executor);
    std::vector<error_code> stopped;
    served->async_stop(1min, [&](error_code ec) { stopped.push_back(ec); });
    served->async_stop(1min, [&](error_code ec) { stopped.push_back(ec); });
    co_await pass(executor, 1s);
    BOOST_TEST(stopped.empty());
    auto const refused = co_await calls.async_call_tool("hold", in_tuple);
    BOOST_TEST(std::get<0>(refused).value() == -32603);
    held->complete(tool_output::text("done"));
    held.reset();
    co_await settle(executor);
    BOOST_TEST(outstanding.result.text() == "done");
    BOOST_TEST_REQUIRE(stopped.size() == 2u);
    BOOST_TEST((!stopped[0] && !stopped[1]));
}

BOOST_AUTO_TEST_SUITE_END()
