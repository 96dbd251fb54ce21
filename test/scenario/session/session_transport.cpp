// Tests of the opening of a session over a transport that reports refusals itself, such as the HTTP status 404.

#include "support/fake_transport.hpp"
#include "support/rpc_error.hpp"

BOOST_AUTO_TEST_SUITE(session_transport_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

error_code status(int value) { return {value, http_category()}; }

// World with a transport that reports refusals without a JSON-RPC response of the server.
struct refusing_world : fake_transport_world {
    void refuses(std::string const& method, error_code ec, era_evidence shown, std::string first_bytes = {})
    {
        fake->handlers[method] = [this, ec, shown, first_bytes](sent_message const& message) {
            inbound_report what;
            what.id = message.id;
            what.certainty = certainty::refused;
            what.ec = ec;
            what.era = shown;
            fake->report(what, first_bytes);
        };
    }
};

} // namespace

LINKSPAN_CASE_IN(refusing_world, status_typical_of_handshake_era_leads_to_handshake)
{
    refuses("server/discover", status(404), era_evidence::handshake, "<html>");
    co_await make().async_open();
    BOOST_TEST((client->protocol_version() == protocol_version::v2025_11_25));
    BOOST_TEST(fake->methods() == "server/discover initialize notifications/initialized");
    BOOST_TEST(fake->connections == 1u);
    BOOST_TEST(client->diagnostics() == "");
    BOOST_TEST((fake->message("server/discover").version == protocol_version::v2026_07_28));
    BOOST_TEST(!fake->message("initialize").version);
    BOOST_TEST((fake->message("notifications/initialized").version == protocol_version::v2025_11_25));
}

LINKSPAN_CASE_IN(refusing_world, status_on_probe_not_typical_of_handshake_era_fails_the_opening)
{
    for (auto const shown : {era_evidence::stateless, era_evidence::none}) {
        fake->sent.clear();
        refuses("server/discover", status(401), shown, "not signed in");
        auto const [ec] = co_await make().async_open(in_tuple);
        BOOST_TEST(ec == status(401));
        BOOST_TEST(fake->methods() == "server/discover");
        BOOST_TEST((client->state() == session_state::closed));
        BOOST_TEST(client->diagnostics() == "not signed in");
    }
}

LINKSPAN_CASE_IN(refusing_world, refused_handshake_fails_the_opening)
{
    refuses("initialize", status(405), era_evidence::handshake);
    auto const [ec] = co_await make().async_open(in_tuple);
    BOOST_TEST(ec == status(405));
    BOOST_TEST(fake->methods() == "server/discover initialize");
}

LINKSPAN_CASE_IN(fake_transport_world, error_code_of_stateless_era_on_probe_fails_the_opening_without_handshake)
{
    for (int const code : {-32020, -32021})
        for (bool const as_sdk : {false, true}) {
            fake->sent.clear();
            options.handshake_on_any_error = as_sdk;
            fake->handlers["server/discover"] = [&](sent_message const& message) { fake->refuse(message, code); };
            auto const [ec] = co_await make().async_open(in_tuple);
            BOOST_TEST(ec == (as_sdk ? error_code() : rpc(code)));
            BOOST_TEST(fake->count("initialize") == (as_sdk ? 1u : 0u));
        }
}

LINKSPAN_CASE_IN(fake_transport_world,
                 probe_without_response_fails_the_opening_if_transport_has_no_fallback_to_handshake)
{
    fake->handlers.erase("server/discover");
    auto const [ec] = co_await make().async_open(in_tuple);
    BOOST_TEST(ec == make_error_code(error::attempt_timed_out));
    BOOST_TEST((since_start(time) == 10s));
    BOOST_TEST(fake->methods() == "server/discover");
}

LINKSPAN_CASE_IN(fake_transport_world, era_that_transport_does_not_support_is_not_proposed)
{
    fake->supports = [](protocol_version version) { return version == protocol_version::v2025_11_25; };
    co_await make().async_open();
    BOOST_TEST(fake->methods() == "initialize notifications/initialized");
    fake->sent.clear();
    fake->supports = [](protocol_version version) { return version == protocol_version::v2026_07_28; };
    auto const [ec] = co_await make().async_open(in_tuple);
    BOOST_TEST(ec == rpc(-32601));
    BOOST_TEST(fake->methods() == "server/discover");
}

LINKSPAN_CASE_IN(fake_transport_world, each_sent_message_has_its_kind)
{
    fake->handlers["ping"] = [this](sent_message const& message) { fake->result(message, ""); };
    fake->handlers["tools/call"] = [this](sent_message const& message) { fake->result(message, R"("content":[])"); };
    co_await make().async_open();
    co_await client->async_ping();
    co_await client->async_call_tool("add");
    fake->deliver(R"({"jsonrpc":"2.0","id":"q","method":"ping"})");
    co_await settle(executor);
    std::vector<message_kind> kinds;
    for (auto const& message : fake->sent)
        kinds.push_back(message.kind);
    using enum message_kind;
    BOOST_TEST((kinds == std::vector{probe, handshake, initialized, ping, request, response}));

    fake->sent.clear();
    fake->handlers["server/discover"] = [this](sent_message const& message) {
        fake->result(message, R"("supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}})");
    };
    make().on_notification("notifications/tools/list_changed", [](std::string_view) {});
    co_await client->async_open();
    co_await client->async_ping();
    BOOST_TEST(fake->methods() == "server/discover subscriptions/listen server/discover");
    BOOST_TEST((fake->sent[0].kind == probe));
    BOOST_TEST((fake->sent[1].kind == subscription));
    BOOST_TEST((fake->sent[2].kind == probe));
}

BOOST_AUTO_TEST_SUITE_END()
