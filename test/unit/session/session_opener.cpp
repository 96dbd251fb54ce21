#include <linkspan/session/detail/session_opener.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(session_opener_test)

using linkspan::era;
using linkspan::era_evidence;
using linkspan::error;
using linkspan::error_code;
using linkspan::message_kind;
using linkspan::protocol_version;
using linkspan::time_point;
using linkspan::detail::session_opener;
using kind = session_opener::action::kind;
using namespace std::chrono_literals;

namespace {

constexpr auto start = time_point(100s);
constexpr std::string_view discovered =
    R"({"supportedVersions":["2026-07-28"],"serverInfo":{"name":"s","version":"1"},"capabilities":{"tools":{}}})";
constexpr std::string_view initialized =
    R"({"protocolVersion":"2025-11-25","serverInfo":{"name":"h","version":"2"},"capabilities":{},"instructions":"i"})";

linkspan::session_options options_with(std::optional<era> remembered = {})
{
    linkspan::session_options options;
    options.client_name = "client";
    options.client_version = "1.0";
    options.remembered = remembered;
    return options;
}

// Opener whose transport is open.
struct fixture {
    explicit fixture(std::optional<era> remembered = {}) : opener(options_with(remembered))
    {
        diagnostics.set_reason("unchanged");
        open();
    }

    session_opener opener;
    session_opener::action next{};
    session_opener::request last{};
    linkspan::detail::session_diagnostics diagnostics;

    void open(session_opener::transport_traits const& traits = {}, time_point now = start)
    {
        opener.begin(now);
        opener.on_transport(traits);
        next = opener.on_connected();
        compose();
    }

    // Composes the request that the last action demands.
    void compose()
    {
        if (next.what == kind::probe || next.what == kind::initialize)
            last = opener.next_request(next, R"({"roots":{}})");
    }

    // Passes an outcome to the opener, and returns the kind of its action.
    kind complete(error_code ec, std::string_view body = {}, bool has_response = false)
    {
        linkspan::reply completion;
        completion.result.ec = ec;
        completion.result.has_response = has_response;
        completion.body = body;
        next = opener.on_reply(completion, diagnostics);
        compose();
        return next.what;
    }

    kind respond(std::string_view result) { return complete({}, result, true); }
    kind fail(int code, std::string_view body) { return complete({code, linkspan::rpc_category()}, body, true); }

    // Opens the session in the era `handshake`.
    void negotiate_handshake()
    {
        respond("{}");
        BOOST_TEST((respond(initialized) == kind::done));
        opener.on_negotiated(next.proposed);
    }
};

struct remembered_fixture : fixture {
    remembered_fixture() : fixture(era::handshake) {}
};

session_opener::transport_traits http()
{
    session_opener::transport_traits out;
    out.handshake_on_no_response = false;
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(opener_that_was_not_used_has_no_version)
{
    session_opener const opener(options_with());
    BOOST_TEST(!opener.version());
    BOOST_TEST(!opener.proposed());
    BOOST_TEST(!opener.connected());
    BOOST_TEST(opener.identity().name == "client");
    BOOST_TEST(opener.identity().version == "1.0");
    BOOST_TEST(opener.server().capabilities == "{}");
}

BOOST_FIXTURE_TEST_CASE(first_request_is_a_probe_with_its_own_timeout, fixture)
{
    BOOST_TEST((next.what == kind::probe));
    BOOST_TEST(last.method == "server/discover");
    BOOST_TEST((last.kind == message_kind::probe));
    BOOST_TEST(last.params.empty());
    BOOST_TEST((last.deadline == start + 10s));
    BOOST_TEST((opener.proposed() == protocol_version::v2026_07_28));
    BOOST_TEST(opener.identity().capabilities == R"({"roots":{}})");
    BOOST_TEST(opener.connected());
}

BOOST_FIXTURE_TEST_CASE(result_of_the_probe_determines_a_stateless_version, fixture)
{
    BOOST_TEST((respond(discovered) == kind::done));
    BOOST_TEST(!opener.version());
    opener.on_negotiated(next.proposed);
    BOOST_TEST((opener.version() == protocol_version::v2026_07_28));
    BOOST_TEST(opener.server().name == "s");
    BOOST_TEST(opener.server().version == "1");
    BOOST_TEST(opener.server().capabilities == R"({"tools":{}})");
    BOOST_TEST(opener.server().instructions.empty());
    BOOST_TEST(diagnostics.reason() == "unchanged");
}

BOOST_FIXTURE_TEST_CASE(other_result_of_the_probe_leads_to_the_handshake, fixture)
{
    BOOST_TEST((respond("{}") == kind::initialize));
    BOOST_TEST(last.method == "initialize");
    BOOST_TEST((last.kind == message_kind::handshake));
    BOOST_TEST(last.params.find(R"("protocolVersion":"2025-11-25")") != last.params.npos);
    BOOST_TEST(last.params.find(R"("capabilities":{"roots":{}})") != last.params.npos);
    BOOST_TEST(last.params.find(R"("name":"client")") != last.params.npos);
    BOOST_TEST((last.deadline == start + 30s));
    BOOST_TEST(!opener.proposed());
    BOOST_TEST((respond(initialized) == kind::done));
    BOOST_TEST((next.proposed == protocol_version::v2025_11_25));
    BOOST_TEST(opener.server().name == "h");
    BOOST_TEST(opener.server().instructions == "i");
}

BOOST_FIXTURE_TEST_CASE(error_response_replaces_the_diagnostics, fixture)
{
    BOOST_TEST((fail(-32601, R"({"code":-32601,"message":"no \"method\""})") == kind::initialize));
    BOOST_TEST(diagnostics.reason() == R"(no "method")");
    BOOST_TEST((fail(-32603, R"({"code":-32603})") == kind::failed));
    BOOST_TEST(diagnostics.reason().empty());
    BOOST_TEST((next.ec == error_code(-32603, linkspan::rpc_category())));
}

BOOST_FIXTURE_TEST_CASE(error_response_can_name_the_supported_versions, fixture)
{
    auto const body = R"({"code":-32022,"message":"m","data":{"supported":["2025-06-18"]}})";
    BOOST_TEST((fail(-32022, body) == kind::initialize));
    BOOST_TEST((next.proposed == protocol_version::v2025_06_18));
}

BOOST_FIXTURE_TEST_CASE(timeout_of_the_probe_leads_to_the_handshake, fixture)
{
    BOOST_TEST((complete(error::deadline_exceeded) == kind::initialize));
    BOOST_TEST((complete(error::deadline_exceeded) == kind::failed));
    BOOST_TEST((next.ec == error::attempt_timed_out));
    BOOST_TEST(diagnostics.reason() == "unchanged");
}

BOOST_FIXTURE_TEST_CASE(malformed_response_to_the_probe_leads_to_the_handshake, fixture)
{
    BOOST_TEST((complete(error::malformed_message, "text", true) == kind::initialize));
    BOOST_TEST((complete(error::malformed_message) == kind::failed));
    BOOST_TEST((next.ec == error::malformed_message));
}

BOOST_FIXTURE_TEST_CASE(end_of_the_connection_during_the_probe_requires_another_transport, fixture)
{
    BOOST_TEST((opener.on_end(error::stream_ended).what == kind::reopen));
    next = opener.on_connected();
    BOOST_TEST((next.what == kind::initialize));
    compose();
    BOOST_TEST((opener.on_end(error::stream_ended).what == kind::failed));
}

BOOST_FIXTURE_TEST_CASE(failure_of_the_transport_is_the_end_of_the_connection, fixture)
{
    BOOST_TEST((complete(error::stream_ended) == kind::reopen));
}

BOOST_AUTO_TEST_CASE(transport_without_fallback_fails_if_the_probe_has_no_response)
{
    fixture with;
    with.open(http());
    BOOST_TEST((with.complete(error::deadline_exceeded) == kind::failed));
    with.open(http());
    BOOST_TEST((with.complete(error::stream_ended) == kind::failed));
}

BOOST_AUTO_TEST_CASE(reserved_codes_lead_to_the_handshake_by_the_transport_or_the_option)
{
    auto const body = R"({"code":-32020,"message":"m"})";
    fixture pipe;
    BOOST_TEST((pipe.fail(-32020, body) == kind::initialize));
    fixture over_http;
    over_http.open(http());
    BOOST_TEST((over_http.fail(-32020, body) == kind::failed));
    auto options = options_with();
    options.handshake_on_any_error = true;
    over_http.opener = session_opener(options);
    over_http.open(http());
    BOOST_TEST((over_http.fail(-32020, body) == kind::initialize));
}

BOOST_FIXTURE_TEST_CASE(refusal_of_the_transport_can_indicate_the_era, fixture)
{
    BOOST_TEST((opener.on_refused(era_evidence::handshake, error::stream_ended).what == kind::initialize));
    open();
    BOOST_TEST((opener.on_refused(era_evidence::none, error::stream_ended).what == kind::failed));
    open();
    BOOST_TEST((opener.on_refused(era_evidence::stateless, error::stream_ended).what == kind::failed));
}

BOOST_FIXTURE_TEST_CASE(refused_handshake_of_a_remembered_era_leads_to_a_probe, remembered_fixture)
{
    BOOST_TEST((next.what == kind::initialize));
    BOOST_TEST((opener.on_refused(era_evidence::stateless, error::stream_ended).what == kind::probe));
}

BOOST_AUTO_TEST_CASE(versions_that_the_transport_does_not_carry_are_not_proposed)
{
    fixture with;
    session_opener::transport_traits traits;
    traits.carried.reset();
    traits.carried.set(static_cast<std::size_t>(protocol_version::v2024_11_05));
    with.open(traits);
    BOOST_TEST((with.next.what == kind::initialize));
    BOOST_TEST((with.next.proposed == protocol_version::v2024_11_05));
}

BOOST_FIXTURE_TEST_CASE(era_is_remembered_for_the_next_opening, fixture)
{
    negotiate_handshake();
    open();
    BOOST_TEST((next.what == kind::initialize));
    BOOST_TEST(!opener.version());
}

BOOST_FIXTURE_TEST_CASE(failed_opening_with_a_transport_discards_the_era, remembered_fixture)
{
    opener.on_failed();
    open();
    BOOST_TEST((next.what == kind::probe));
}

BOOST_FIXTURE_TEST_CASE(failed_opening_without_a_transport_keeps_the_era, remembered_fixture)
{
    opener.begin(start);
    BOOST_TEST(!opener.connected());
    opener.on_transport({});
    opener.on_failed();
    open();
    BOOST_TEST((next.what == kind::initialize));
}

BOOST_FIXTURE_TEST_CASE(renewal_is_a_handshake_that_keeps_the_version, fixture)
{
    negotiate_handshake();
    next = opener.begin_renewal({}, start + 1h);
    BOOST_TEST((next.what == kind::initialize));
    BOOST_TEST((opener.version() == protocol_version::v2025_11_25));
    compose();
    BOOST_TEST((last.deadline == start + 1h + 30s));
    BOOST_TEST((respond(R"({"protocolVersion":"2025-06-18"})") == kind::done));
    opener.on_negotiated(next.proposed);
    BOOST_TEST((opener.version() == protocol_version::v2025_06_18));
    BOOST_TEST(opener.server().name.empty()); // the new description replaces the old one
}

BOOST_FIXTURE_TEST_CASE(timeouts_count_from_the_start_of_the_opening, fixture)
{
    open({}, start + 5s);
    BOOST_TEST((last.deadline == start + 15s));
    respond("{}");
    BOOST_TEST((last.deadline == start + 35s));
}

BOOST_AUTO_TEST_CASE(probe_is_bounded_by_the_timeout_of_the_opening)
{
    auto options = options_with();
    options.startup_timeout = 3s;
    fixture with;
    with.opener = session_opener(options);
    with.open();
    BOOST_TEST((with.last.deadline == start + 3s));
    options.startup_timeout = options.probe_timeout = linkspan::duration::max();
    with.opener = session_opener(options);
    with.open();
    BOOST_TEST((with.last.deadline == time_point::max()));
}

BOOST_FIXTURE_TEST_CASE(description_can_be_in_the_metadata_of_the_result, fixture)
{
    respond(R"({"supportedVersions":["2026-07-28"],"ttlMs":2000,"cacheScope":"public",)"
            R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"m","version":"3"}}})");
    BOOST_TEST(opener.server().name == "m");
    BOOST_TEST(opener.server().version == "3");
    BOOST_TEST(opener.server().capabilities.empty());
    BOOST_TEST((opener.server().ttl == 2s));
    BOOST_TEST(opener.server().is_public);
}

BOOST_FIXTURE_TEST_CASE(events_after_the_end_of_the_negotiation_have_no_effect, fixture)
{
    negotiate_handshake();
    BOOST_TEST((opener.on_end(error::stream_ended).what == kind::none));
    BOOST_TEST((opener.on_refused(era_evidence::handshake, error::stream_ended).what == kind::none));
    BOOST_TEST((complete(error::deadline_exceeded) == kind::none));
}

BOOST_AUTO_TEST_CASE(opening_is_continued_after_a_failed_allocation_in_each_event)
{
    std::string const name(40, 'n'); // longer than the small buffer of a string
    auto const described =
        R"("serverInfo":{"name":")" + name + R"(","version":")" + name + R"("},"capabilities":{"tools":{}})";
    linkspan::test::fail_each_allocation([&](auto& failing) {
        linkspan::detail::session_diagnostics diagnostics;
        session_opener opener(options_with());
        opener.begin(start);
        opener.on_transport({});
        session_opener::action next{};
        auto const pass = [&](auto const& event) {
            if (!failing([&] { next = event(); }))
                next = event();
        };
        auto const request = [&] {
            session_opener::request out{};
            auto const compose = [&] { out = opener.next_request(next, R"({"roots":{"listChanged":true}})"); };
            if (!failing(compose))
                compose();
            return std::string(out.method) + " " + std::string(out.params);
        };
        auto const respond = [&](std::string_view body, error_code ec = {}) {
            linkspan::reply completion;
            completion.result.ec = ec;
            completion.result.has_response = true;
            completion.body = body;
            pass([&] { return opener.on_reply(completion, diagnostics); });
        };
        pass([&] { return opener.on_connected(); });
        BOOST_TEST(request() == "server/discover ");
        respond(R"({"code":-32601,"message":"no such method, which is a long message"})",
                {-32601, linkspan::rpc_category()});
        BOOST_TEST((next.what == kind::initialize));
        BOOST_TEST(request().find(R"({"roots":{"listChanged":true}})") != std::string::npos);
        BOOST_TEST(opener.server().name.empty());
        respond(R"({"protocolVersion":"2025-11-25",)" + described + "}");
        BOOST_TEST_REQUIRE((next.what == kind::done));
        opener.on_negotiated(next.proposed);
        BOOST_TEST((opener.version() == protocol_version::v2025_11_25));
        BOOST_TEST(opener.server().name == name);
        BOOST_TEST(opener.server().version == name);
        pass([&] { return opener.begin_renewal({}, start); });
        BOOST_TEST((next.what == kind::initialize));
        BOOST_TEST((opener.version() == protocol_version::v2025_11_25));
    });
}

BOOST_AUTO_TEST_SUITE_END()
