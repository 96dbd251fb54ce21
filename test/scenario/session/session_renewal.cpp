// Renewal of sessions that the server has lost, as reported by a transport.

#include <linkspan/session/logging.hpp>
#include <linkspan/session/session_core.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "support/contains.hpp"
#include "support/fake_transport.hpp"

BOOST_AUTO_TEST_SUITE(session_renewal_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

error_code const lost = error::session_lost;

// A server that loses its session on demand and responds to calls of known sessions.
struct discarding_world : fake_transport_world {
    bool forgotten = false;
    bool forgets_each = false; // loses each renewed session immediately

    discarding_world()
    {
        fake->handlers["initialize"] = [this](sent_message const& message) {
            forgotten = forgets_each && fake->count("initialize") > 1;
            complete_handshake(message);
        };
        fake->handlers["tools/call"] = [this](sent_message const& message) {
            if (forgotten)
                return fake->fail(message, lost);
            fake->result(message, R"("content":[{"type":"text","text":"done"}])");
        };
    }

    // Each handshake offers log messages, and begins a session that the server keeps.
    void offer_log_messages()
    {
        fake->handlers["initialize"] = [this](sent_message const& message) {
            forgotten = false;
            complete_handshake(message, R"("tools":{},"logging":{})");
        };
        fake->handlers["logging/setLevel"] = [this](sent_message const& message) { fake->result(message, ""); };
    }

    std::string calls_since(std::size_t first) const
    {
        std::string out;
        for (auto i = first; i != fake->sent.size(); ++i)
            (out += out.empty() ? "" : " ") += fake->sent[i].method;
        return out;
    }
};

} // namespace

LINKSPAN_CASE_IN(discarding_world, lost_session_is_renewed_and_call_is_resent)
{
    co_await make().async_open();
    forgotten = true;
    auto const before = fake->sent.size();
    auto const result = co_await client->async_call_tool("work");
    BOOST_TEST(result.text() == "done");
    BOOST_TEST(result.attempts().empty());
    BOOST_TEST(calls_since(before) == "tools/call initialize notifications/initialized tools/call");
    BOOST_TEST((fake->message("tools/call", 1).id > fake->message("tools/call", 0).id));
    BOOST_TEST(!fake->message("initialize", 1).version);
    BOOST_TEST(fake->connections == 1u);
    BOOST_TEST((client->state() == session_state::ready));
    BOOST_TEST(client->in_flight() == 0u);
}

LINKSPAN_CASE_IN(discarding_world, calls_of_lost_session_share_renewal_and_new_calls_wait)
{
    co_await make().async_open();
    forgotten = true;
    std::optional<sent_message> handshake;
    fake->handlers["initialize"] = [&](sent_message const& message) { handshake = message; };
    completion_box first, second, third;
    client->async_call_tool("first", {}, first.handler());
    client->async_call_tool("second", {}, second.handler());
    co_await settle(executor);
    BOOST_TEST_REQUIRE(handshake.has_value());
    client->async_call_tool("third", {}, third.handler());
    co_await pass(executor, 2s);
    BOOST_TEST(fake->count("initialize") == 2u); // one renewal for both calls
    BOOST_TEST(fake->count("tools/call") == 2u);
    BOOST_TEST(client->in_flight() == 3u);
    forgotten = false;
    complete_handshake(*handshake);
    co_await settle(executor);
    for (auto const* box : {&first, &second, &third})
        BOOST_TEST((box->count == 1u && !box->ec));
    BOOST_TEST(fake->message("tools/call", 2).name == "first");
    BOOST_TEST(fake->message("tools/call", 3).name == "second");
    BOOST_TEST(fake->message("tools/call", 4).name == "third");
}

// The call was sent in the old session, and its refusal arrives in the new one.
LINKSPAN_CASE_IN(discarding_world, late_refusal_of_lost_session_does_not_renew_again)
{
    co_await make().async_open();
    std::vector<sent_message> calls;
    fake->handlers["tools/call"] = [&](sent_message const& message) { calls.push_back(message); };
    completion_box first, second;
    client->async_call_tool("first", {}, first.handler());
    client->async_call_tool("second", {}, second.handler());
    fake->fail(calls.at(0), lost);
    co_await settle(executor);
    BOOST_TEST_REQUIRE(calls.size() == 3u); // the first call was resent
    fake->fail(calls.at(1), lost);
    co_await settle(executor);
    BOOST_TEST_REQUIRE(calls.size() == 4u);
    BOOST_TEST(fake->count("initialize") == 2u);
    fake->result(calls.at(2), "");
    fake->result(calls.at(3), "");
    co_await settle(executor);
    BOOST_TEST((first.count == 1u && !first.ec && second.count == 1u && !second.ec));
}

LINKSPAN_CASE_IN(discarding_world, second_loss_of_session_completes_attempt)
{
    forgets_each = true;
    co_await make().async_open();
    forgotten = true;
    completion_box box;
    client->async_call_tool("work", {}, box.handler());
    co_await settle(executor);
    BOOST_TEST(box.ec == lost);
    BOOST_TEST((box.delivery() == certainty::refused));
    BOOST_TEST(fake->count("tools/call") == 2u);
    BOOST_TEST(fake->count("initialize") == 2u);
    BOOST_TEST((client->state() == session_state::ready));
    forgets_each = false; // each call may renew the session once
    auto const result = co_await client->async_call_tool("work");
    BOOST_TEST(result.text() == "done");
}

LINKSPAN_CASE_IN(discarding_world, failed_renewal_closes_session)
{
    co_await make().async_open();
    forgotten = true;
    fake->handlers["initialize"] = [this](sent_message const& message) { fake->refuse(message, -32603); };
    fake->handlers["server/discover"] = fake->handlers["initialize"];
    fake->diagnostics = "last words";
    completion_box box;
    client->async_call_tool("work", {}, box.handler());
    co_await settle(executor);
    BOOST_TEST(box.ec == lost);
    BOOST_TEST((box.delivery() == certainty::refused));
    BOOST_TEST((client->state() == session_state::closed));
    BOOST_TEST(client->diagnostics().find("server discarded the session") == 0u);
    BOOST_TEST(client->diagnostics().find("last words") != std::string::npos);
    auto const [ec, none] = co_await client->async_call_tool("work", {}, in_tuple);
    BOOST_TEST(ec == make_error_code(error::not_connected));
}

LINKSPAN_CASE_IN(discarding_world, renewal_without_response_closes_session_after_timeout)
{
    co_await make().async_open();
    forgotten = true;
    fake->handlers.erase("initialize");
    completion_box box, patient;
    client->async_call_tool("work", {}, box.handler());
    co_await settle(executor);
    call_options waits;
    waits.idle_timeout = 1h;
    client->async_call_tool("work", {}, waits, patient.handler());
    co_await pass(executor, 29s);
    BOOST_TEST((client->state() == session_state::ready));
    co_await pass(executor, 1s);
    BOOST_TEST((client->state() == session_state::closed));
    BOOST_TEST((box.count == 1u && box.delivery() == certainty::refused));
    BOOST_TEST(patient.ec == lost);
    BOOST_TEST((patient.delivery() == certainty::not_sent));
}

LINKSPAN_CASE_IN(discarding_world, timeouts_of_call_apply_during_renewal)
{
    co_await make().async_open();
    forgotten = true;
    fake->handlers.erase("initialize");
    completion_box box;
    call_options hurried;
    hurried.idle_timeout = 3s;
    client->async_call_tool("work", {}, hurried, box.handler());
    co_await pass(executor, 3s);
    BOOST_TEST(box.ec == make_error_code(error::attempt_timed_out));
    BOOST_TEST((box.delivery() == certainty::refused));
    BOOST_TEST(fake->count("notifications/cancelled") == 0u); // the server has not accepted the call
    BOOST_TEST((client->state() == session_state::ready));
}

LINKSPAN_CASE_IN(discarding_world, call_can_be_cancelled_during_renewal)
{
    co_await make().async_open();
    forgotten = true;
    std::optional<sent_message> handshake;
    fake->handlers["initialize"] = [&](sent_message const& message) { handshake = message; };
    boost::asio::cancellation_signal signal;
    completion_box box;
    client->async_call_tool("work", {}, boost::asio::bind_cancellation_slot(signal.slot(), box.handler()));
    co_await settle(executor);
    signal.emit(boost::asio::cancellation_type::total); // the tool was not executed
    co_await settle(executor);
    BOOST_TEST(box.ec == error_code(boost::asio::error::operation_aborted));
    BOOST_TEST((box.delivery() == certainty::refused));
    BOOST_TEST_REQUIRE(handshake.has_value());
    complete_handshake(*handshake);
    co_await settle(executor);
    BOOST_TEST(fake->count("tools/call") == 1u);
    BOOST_TEST(client->in_flight() == 0u);
}

LINKSPAN_CASE_IN(discarding_world, session_can_be_closed_shut_down_or_lost_during_renewal)
{
    for (int const how : {0, 1, 2}) {
        fake->handlers["initialize"] = [this](sent_message const& message) { complete_handshake(message); };
        forgotten = false;
        co_await make().async_open();
        forgotten = true;
        fake->handlers.erase("initialize");
        completion_box sent, queued;
        client->async_call_tool("work", {}, sent.handler());
        co_await settle(executor);
        client->async_call_tool("work", {}, queued.handler());
        if (how == 0)
            client->close();
        else if (how == 1)
            co_await client->async_shutdown();
        else
            fake->end();
        co_await settle(executor);
        BOOST_TEST((client->state() == session_state::closed));
        BOOST_TEST((sent.count == 1u && sent.delivery() == certainty::refused), how);
        BOOST_TEST((queued.count == 1u && queued.delivery() == certainty::not_sent), how);
        client.reset();
        co_await settle(executor);
    }
}

LINKSPAN_CASE_IN(discarding_world, renewal_triggers_list_changed_handler)
{
    std::size_t notifications = 0;
    make().on_notification("notifications/tools/list_changed", [&](std::string_view) { ++notifications; });
    co_await client->async_open();
    forgotten = true;
    BOOST_TEST(notifications == 0u);
    co_await client->async_call_tool("work");
    BOOST_TEST(notifications == 1u);
}

LINKSPAN_CASE_IN(discarding_world, renewal_adopts_new_era_of_server)
{
    co_await make().async_open();
    forgotten = true;
    fake->handlers["initialize"] = [this](sent_message const& message) { fake->refuse(message, -32022); };
    fake->handlers["server/discover"] = [this](sent_message const& message) {
        forgotten = false;
        fake->result(message, R"("supportedVersions":["2026-07-28"],"capabilities":{"tools":{}})");
    };
    auto const result = co_await client->async_call_tool("work");
    BOOST_TEST(result.text() == "done");
    BOOST_TEST((client->protocol_version() == protocol_version::v2026_07_28));
    BOOST_TEST((fake->message("tools/call", 1).version == protocol_version::v2026_07_28));
    BOOST_TEST(fake->message("tools/call", 1).bytes.find("io.modelcontextprotocol/protocolVersion") !=
               std::string::npos);
}

LINKSPAN_CASE_IN(discarding_world, refused_log_level_causes_no_renewal)
{
    offer_log_messages();
    bool is_refused = false;
    fake->handlers["logging/setLevel"] = [&](sent_message const& message) {
        is_refused ? fake->fail(message, lost) : fake->result(message, "");
    };
    co_await make().async_open();
    co_await async_set_log_level(*client, log_level::error);
    is_refused = true;
    client->close();
    co_await client->async_open();
    co_await pass(executor, 1min);
    BOOST_TEST(fake->count("initialize") == 2u);
    BOOST_TEST(fake->count("logging/setLevel") == 2u);
    BOOST_TEST((client->state() == session_state::ready));
}

LINKSPAN_CASE_IN(discarding_world, log_level_is_requested_before_calls_that_are_sent_again)
{
    options.max_in_flight = 1;
    options.max_queued = 1;
    offer_log_messages();
    co_await make().async_open();
    co_await async_set_log_level(*client, log_level::error);
    forgotten = true;
    auto const before = fake->sent.size();
    completion_box first, second;
    client->async_call_tool("work", {}, first.handler());
    client->async_call_tool("work", {}, second.handler());
    co_await settle(executor);
    BOOST_TEST(first.count + second.count == 2u);
    BOOST_TEST(calls_since(before) ==
               "tools/call initialize notifications/initialized logging/setLevel tools/call tools/call");
}

LINKSPAN_CASE_IN(discarding_world, last_of_several_log_levels_is_requested)
{
    std::vector<sent_message> requests;
    offer_log_messages();
    fake->handlers["logging/setLevel"] = [&](sent_message const& message) { requests.push_back(message); };
    auto const hub_level = [&](log_level level) {
        auto const& core = linkspan::detail::session_access::core(*client);
        core->set_log_level(level);
        core->request_log_level();
    };
    co_await make().async_open();
    hub_level(log_level::error);
    hub_level(log_level::info);
    hub_level(log_level::debug);
    co_await settle(executor);
    BOOST_TEST_REQUIRE(requests.size() == 1u); // the first one is outstanding
    fake->result(requests.at(0), "");
    co_await settle(executor);
    BOOST_TEST_REQUIRE(requests.size() == 2u);
    BOOST_TEST(contains(requests.at(1).params(), "\"debug\""));
    fake->result(requests.at(1), "");
    co_await settle(executor);
    BOOST_TEST(requests.size() == 2u);
}

LINKSPAN_CASE_IN(discarding_world, log_level_is_requested_again_after_a_renewal)
{
    offer_log_messages();
    co_await make().async_open();
    co_await async_set_log_level(*client, log_level::error);
    BOOST_TEST(fake->count("logging/setLevel") == 1u);
    forgotten = true;
    co_await client->async_call_tool("work");
    co_await settle(executor);
    BOOST_TEST(fake->count("logging/setLevel") == 2u);
    BOOST_TEST(contains(fake->message("logging/setLevel", 1).params(), "\"error\""));
}

BOOST_AUTO_TEST_SUITE_END()
