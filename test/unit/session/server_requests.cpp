#include <linkspan/session/detail/server_requests.hpp>
#include <linkspan/session/hosted_task_limit.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(server_requests_test)

using linkspan::envelope;
using linkspan::protocol_version;
using linkspan::detail::server_requests;
using kind = server_requests::action::kind;

namespace {

constexpr auto handshake = protocol_version::v2025_11_25;

envelope request(std::string_view method, std::string_view raw_id = "1")
{
    envelope out;
    out.what = envelope::kind::request;
    out.method = method;
    out.raw_id = raw_id;
    return out;
}

void ignore(std::string_view, linkspan::responder) {}

struct fixture {
    server_requests requests;

    fixture() { requests.set_handler("roots/list", "{}", ignore); }

    // Adds a request, and returns its number.
    linkspan::detail::server_request_id call(std::string_view raw_id)
    {
        auto const next = requests.on_request(request("roots/list", raw_id), handshake);
        BOOST_TEST((next.what == kind::call));
        return next.id;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(request_with_a_handler_awaits_a_response, fixture)
{
    auto const next = requests.on_request(request("roots/list", R"("a")"), handshake);
    BOOST_TEST((next.what == kind::call));
    BOOST_TEST(next.handler == requests.handler_of("roots/list"));
    BOOST_TEST(next.id != 0U);
    BOOST_TEST(requests.awaits_response(next.id));
    BOOST_TEST(requests.take(next.id) == R"("a")");
    BOOST_TEST(!requests.awaits_response(next.id));
}

BOOST_FIXTURE_TEST_CASE(second_response_finds_no_request, fixture)
{
    auto const id = call("1");
    BOOST_TEST(requests.take(id) == "1");
    BOOST_TEST(requests.take(id).empty());
    BOOST_TEST(requests.take(0).empty());
}

BOOST_FIXTURE_TEST_CASE(ping_is_confirmed_without_a_handler, fixture)
{
    auto const next = requests.on_request(request("ping"), handshake);
    BOOST_TEST((next.what == kind::confirm));
    BOOST_TEST(!requests.awaits_response(1));
}

BOOST_FIXTURE_TEST_CASE(request_without_a_handler_is_refused, fixture)
{
    auto const next = requests.on_request(request("sampling/createMessage"), handshake);
    BOOST_TEST((next.what == kind::refuse));
    BOOST_TEST(next.code == -32601);
    BOOST_TEST(next.message == "the client has no handler for this method");
}

BOOST_FIXTURE_TEST_CASE(request_in_a_stateless_version_is_refused_although_a_handler_exists, fixture)
{
    for (auto const* method : {"roots/list", "sampling/createMessage"}) {
        auto const next = requests.on_request(request(method), protocol_version::v2026_07_28);
        BOOST_TEST((next.what == kind::refuse));
        BOOST_TEST(!next.is_allowed);
        BOOST_TEST(next.code == -32601);
    }
    auto const ping = requests.on_request(request("ping"), protocol_version::v2026_07_28);
    BOOST_TEST((ping.what == kind::confirm));
    BOOST_TEST(!ping.is_allowed);
    BOOST_TEST(!requests.awaits_response(1));
}

BOOST_FIXTURE_TEST_CASE(request_before_the_end_of_the_negotiation_is_accepted, fixture)
{
    BOOST_TEST((requests.on_request(request("ping"), std::nullopt).what == kind::confirm));
    BOOST_TEST((requests.on_request(request("roots/list"), std::nullopt).what == kind::call));
}

BOOST_FIXTURE_TEST_CASE(request_above_the_maximum_is_refused_until_another_has_a_response, fixture)
{
    linkspan::detail::server_request_id last = 0;
    for (std::size_t i = 0; i != server_requests::max_outstanding; ++i)
        last = call(std::to_string(i));
    auto const next = requests.on_request(request("roots/list"), handshake);
    BOOST_TEST((next.what == kind::refuse));
    BOOST_TEST(next.code == -32603);
    BOOST_TEST((requests.on_request(request("ping"), handshake).what == kind::confirm));
    requests.take(last);
    BOOST_TEST(requests.awaits_response(call("again")));
}

BOOST_FIXTURE_TEST_CASE(cancelled_request_awaits_no_response, fixture)
{
    auto const a = call("1");
    auto const b = call(R"("1")"); // another id
    requests.on_cancelled("1");
    BOOST_TEST(!requests.awaits_response(a));
    BOOST_TEST(requests.awaits_response(b));
    requests.on_cancelled("7");
    requests.on_cancelled("");
    BOOST_TEST(requests.take(b) == R"("1")");
}

BOOST_FIXTURE_TEST_CASE(reused_id_of_the_server_has_a_number_of_its_own, fixture)
{
    auto const first = call("1");
    requests.discard();
    auto const second = call("1");
    BOOST_TEST(first != second);
    BOOST_TEST(!requests.awaits_response(first));
    BOOST_TEST(requests.take(first).empty());
    BOOST_TEST(requests.take(second) == "1");
}

BOOST_FIXTURE_TEST_CASE(two_requests_with_one_id_are_cancelled_together, fixture)
{
    auto const a = call("1");
    auto const b = call("1");
    requests.on_cancelled("1");
    BOOST_TEST(!requests.awaits_response(a));
    BOOST_TEST(!requests.awaits_response(b));
}

BOOST_FIXTURE_TEST_CASE(unread_responses_are_limited_until_all_are_written, fixture)
{
    auto const half = server_requests::max_unread_bytes / 2;
    BOOST_TEST(requests.on_response(half));
    BOOST_TEST(requests.on_response(half));
    BOOST_TEST(!requests.on_response(1));
    requests.discard(); // does not affect the responses that were sent
    BOOST_TEST(!requests.on_response(0));
    requests.on_all_written();
    BOOST_TEST(requests.on_response(server_requests::max_unread_bytes));
    BOOST_TEST(!requests.on_response(1));
}

BOOST_FIXTURE_TEST_CASE(handler_can_be_replaced, fixture)
{
    int calls = 0;
    requests.set_handler("roots/list", R"({"listChanged":true})", [&](auto, auto) { ++calls; });
    (*requests.handler_of("roots/list"))("{}", linkspan::responder({}, 0));
    BOOST_TEST(calls == 1);
    BOOST_TEST(!requests.handler_of("roots"));
    BOOST_TEST(requests.capabilities_in(handshake) == R"({"roots":{"listChanged":true}})");
}

BOOST_FIXTURE_TEST_CASE(handler_of_a_notification_is_found_by_its_method, fixture)
{
    std::string seen;
    BOOST_TEST(!requests.notification_handler_of("notifications/message"));
    requests.set_notification_handler("notifications/message", [&](std::string_view params) { seen = params; });
    auto const* const handler = requests.notification_handler_of("notifications/message");
    BOOST_REQUIRE(handler);
    (*handler)("{}");
    BOOST_TEST(seen == "{}");
    BOOST_TEST(!requests.handler_of("notifications/message"));
}

BOOST_AUTO_TEST_CASE(capabilities_follow_the_handlers)
{
    server_requests requests;
    BOOST_TEST(requests.capabilities_in(handshake) == "{}");
    requests.set_handler("sampling/createMessage", R"({"tools":{}})", ignore);
    requests.set_handler("roots/list", "{}", ignore);
    requests.set_handler("vendor/method", "{}", ignore); // has no capability of the protocol
    BOOST_TEST(requests.capabilities_in(handshake) == R"({"roots":{},"sampling":{"tools":{}}})");
}

BOOST_AUTO_TEST_CASE(extensions_and_changes_of_roots_depend_on_the_protocol_version)
{
    server_requests requests;
    constexpr auto stateless = protocol_version::v2026_07_28;
    constexpr std::string_view extensions = R"({"com.example/a":{}})";
    BOOST_TEST(requests.capabilities_in(handshake, extensions) == "{}");
    BOOST_TEST(requests.capabilities_in(stateless, extensions) == R"({"extensions":{"com.example/a":{}}})");
    requests.set_handler("roots/list", R"({"listChanged":true})", ignore);
    BOOST_TEST(requests.capabilities_in(handshake) == R"({"roots":{"listChanged":true}})");
    BOOST_TEST(requests.capabilities_in(stateless, extensions) == R"({"roots":{},"extensions":{"com.example/a":{}}})");
}

BOOST_FIXTURE_TEST_CASE(progress_token_is_known_until_the_response, fixture)
{
    auto with_token = request("roots/list", "1");
    with_token.params = R"({"_meta":{"progressToken":"t"}})";
    auto const id = requests.on_request(with_token, handshake).id;
    BOOST_TEST(requests.progress_token(id) == R"("t")");
    BOOST_TEST(requests.progress_token(call("2")) == ""); // the request has no token
    BOOST_TEST(requests.take(id) == "1");
    BOOST_TEST(requests.progress_token(id) == "");
    BOOST_TEST(requests.progress_token(0) == "");
}

BOOST_FIXTURE_TEST_CASE(related_task_is_known_until_the_response, fixture)
{
    auto of_task = request("roots/list", "1");
    of_task.params = R"({"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}}})";
    auto const id = requests.on_request(of_task, handshake).id;
    BOOST_TEST(requests.related_task(id) == R"("t")");
    of_task.params = R"({"_meta":{"io.modelcontextprotocol/related-task":{"taskId":{}}}})";
    BOOST_TEST(requests.related_task(requests.on_request(of_task, handshake).id) == "");
    BOOST_TEST(requests.related_task(call("2")) == "");
    requests.take(id);
    BOOST_TEST(requests.related_task(id) == "");
}

BOOST_AUTO_TEST_CASE(capability_of_elicitation_depends_on_the_protocol_version)
{
    server_requests requests;
    requests.set_handler("elicitation/create", R"({"form":{},"url":{}})", ignore);
    BOOST_TEST(requests.capabilities_in(protocol_version::v2025_03_26) == "{}");
    BOOST_TEST(requests.capabilities_in(protocol_version::v2025_06_18) == R"({"elicitation":{}})");
    BOOST_TEST(requests.capabilities_in(handshake) == R"({"elicitation":{"form":{},"url":{}}})");
    BOOST_TEST(requests.capabilities_in(protocol_version::v2026_07_28) == R"({"elicitation":{"form":{},"url":{}}})");
    requests.set_handler("elicitation/create", R"({"url":{}})", ignore);
    BOOST_TEST(requests.capabilities_in(protocol_version::v2025_06_18) == "{}"); // forms only
    requests.set_handler("elicitation/create", "{}", ignore);
    BOOST_TEST(requests.capabilities_in(protocol_version::v2025_06_18) == R"({"elicitation":{}})");
}

BOOST_AUTO_TEST_CASE(capability_of_sampling_depends_on_the_protocol_version)
{
    server_requests requests;
    requests.set_handler("sampling/createMessage", R"({"tools":{},"context":{}})", ignore);
    BOOST_TEST(requests.capabilities_in(protocol_version::v2025_06_18) == R"({"sampling":{}})");
    for (auto const version : {handshake, protocol_version::v2026_07_28})
        BOOST_TEST(requests.capabilities_in(version) == R"({"sampling":{"tools":{},"context":{}}})");
}

BOOST_AUTO_TEST_CASE(failed_allocation_leaves_no_request)
{
    std::string const id = '"' + std::string(40, 'i') + '"', token = '"' + std::string(40, 't') + '"';
    auto const params =
        R"({"_meta":{"progressToken":)" + token + R"(,"io.modelcontextprotocol/related-task":{"taskId":)" + id + "}}}";
    auto asked = request("roots/list", id);
    asked.params = params;
    linkspan::test::fail_each_allocation([&](auto& failing) {
        server_requests requests;
        requests.set_handler("roots/list", "{}", ignore);
        server_requests::action next{kind::refuse};
        if (!failing([&] { next = requests.on_request(asked, handshake); })) {
            BOOST_TEST(!requests.awaits_response(1));
            next = requests.on_request(asked, handshake);
        }
        BOOST_TEST((next.what == kind::call));
        BOOST_TEST(requests.awaits_response(next.id));
        BOOST_TEST(requests.progress_token(next.id) == token);
        BOOST_TEST(requests.related_task(next.id) == id);
        linkspan::test::failing_allocation const none(0); // a response needs no memory
        BOOST_TEST(requests.take(next.id).size() == id.size());
    });
}

BOOST_AUTO_TEST_CASE(failed_allocation_keeps_the_handler)
{
    std::string const capability = R"({"listChanged":true,"vendor":")" + std::string(40, 'v') + "\"}";
    linkspan::test::fail_each_allocation([&](auto& failing) {
        server_requests requests;
        requests.set_handler("roots/list", "{}", ignore);
        bool const is_set = failing([&] { requests.set_handler("roots/list", capability, ignore); });
        BOOST_TEST(requests.capabilities_in(handshake) ==
                   (is_set ? R"({"roots":{"listChanged":true}})" : R"({"roots":{}})"));
        BOOST_TEST(!!*requests.handler_of("roots/list"));
    });
}

BOOST_AUTO_TEST_CASE(request_that_is_continued_as_a_task_is_not_cancelled_with_its_id)
{
    server_requests requests(linkspan::detail::host_tasks(1));
    requests.set_handler("sampling/createMessage", "{}", ignore);
    BOOST_TEST(!requests.tasks_in(std::nullopt));
    BOOST_TEST(!requests.tasks_in(protocol_version::v2026_07_28));
    BOOST_TEST(!server_requests().tasks_in(handshake));
    auto* const tasks = requests.tasks_in(handshake);
    BOOST_REQUIRE(tasks);
    auto const of_task = requests.on_request(request("sampling/createMessage", "1"), handshake).id;
    BOOST_TEST(!requests.tasks_of(of_task));
    BOOST_TEST(!tasks->begin(of_task, R"({"task":{}})", {}).empty());
    BOOST_TEST(requests.tasks_of(of_task) == tasks);
    auto const other = requests.on_request(request("sampling/createMessage", "2"), handshake).id;
    requests.on_cancelled("1");
    requests.on_cancelled("2");
    BOOST_TEST(requests.awaits_response(of_task));
    BOOST_TEST(!requests.awaits_response(other));
    requests.discard();
    BOOST_TEST(!requests.tasks_of(of_task));
    BOOST_TEST(!requests.awaits_response(of_task));
}

BOOST_AUTO_TEST_SUITE_END()
