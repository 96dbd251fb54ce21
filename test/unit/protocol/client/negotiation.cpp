#include <linkspan/protocol/client/negotiation.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <bitset>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(negotiation_test)

using linkspan::era;
using linkspan::error;
using linkspan::error_code;
using linkspan::negotiation;
using linkspan::protocol_version;
using kind = linkspan::negotiation::action::kind;
namespace data = boost::unit_test::data;

namespace {

std::string text(negotiation::action const& next)
{
    constexpr std::string_view names[] = {"probe", "initialize", "reopen", "done", "failed", "none"};
    auto out = std::string(names[static_cast<std::size_t>(next.what)]);
    if (next.what == kind::failed)
        out += ' ' +
               (next.ec.category() == linkspan::rpc_category() ? std::to_string(next.ec.value()) : next.ec.message());
    else if (next.what != kind::reopen && next.what != kind::none)
        (out += ' ') += to_string(next.proposed);
    return out;
}

std::string failed(error_code ec) { return "failed " + ec.message(); }

negotiation::options options(std::optional<era> remembered = {}, bool handshake_on_no_response = true)
{
    negotiation::options with;
    with.remembered = remembered;
    with.handshake_on_no_response = handshake_on_no_response;
    return with;
}

negotiation probing(negotiation::options const& with = {})
{
    negotiation machine(with);
    BOOST_TEST_REQUIRE(text(machine.start()) == "probe 2026-07-28");
    return machine;
}

// Returns a machine whose probe was refused. Such a machine does not probe again.
negotiation initializing()
{
    auto machine = probing();
    BOOST_TEST_REQUIRE(text(machine.on_error(-32601, "")) == "initialize 2025-11-25");
    return machine;
}

negotiation with_memory_of_a_handshake()
{
    negotiation machine(options(era::handshake));
    BOOST_TEST_REQUIRE(text(machine.start()) == "initialize 2025-11-25");
    return machine;
}

std::string supported(std::string_view list) { return R"({"requested":"x","supported":)" + std::string(list) + "}"; }

struct row {
    std::string_view text, next;
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.text; }

constexpr std::string_view no_common = "failed client and server have no protocol version in common";

// Results of the probe. Every result other than a DiscoverResult is the response of a handshake-era server that
// responds to any method.
constexpr row discover_results[] = {
    {R"({"supportedVersions":["2026-07-28"],"capabilities":{},"resultType":"complete"})", "done 2026-07-28"},
    {R"({"supportedVersions":["2030-01-01","2026-07-28","2025-11-25"]})", "done 2026-07-28"},
    {R"({"supportedVersions":["2024-11-05","2025-06-18","2025-03-26"]})", "initialize 2025-06-18"},
    {R"({"supportedVersions":["2030-01-01"]})", no_common},
    {R"({"supportedVersions":[20260728,null,{}]})", no_common},
    {R"({"supportedVersions":[]})", no_common},
    {R"({"supportedVersions":"2026-07-28"})", "initialize 2025-11-25"},
    {R"({"supportedVersions":null})", "initialize 2025-11-25"},
    {R"({"tools":[]})", "initialize 2025-11-25"},
    {"{}", "initialize 2025-11-25"},
    {"null", "initialize 2025-11-25"},
};

// Data of an error -32022 in response to a probe in 2026-07-28. This version is probed again only if it is
// the only listed version that the client supports.
constexpr row unsupported_lists[] = {
    {R"({"supported":["2026-07-28"],"requested":"2026-07-28"})", "probe 2026-07-28"},
    {R"({"supported":["2030-01-01"]})", no_common},
    {R"({"supported":["2026-07-28","2025-11-25"]})", "initialize 2025-11-25"},
    {R"({"supported":["2030-01-01","2025-03-26"]})", "initialize 2025-03-26"},
    {R"({"supported":["2024-11-05","2025-06-18"]})", "initialize 2025-06-18"},
    {R"({"supported":[]})", no_common},
    {R"({"supported":[1,["2025-11-25"]]})", no_common},
    {R"({"supported":"2026-07-28"})", "initialize 2025-11-25"},
    {R"({"supported":{"2026-07-28":true}})", "initialize 2025-11-25"},
    {R"({"supported":null})", "initialize 2025-11-25"},
    {R"({"requested":"2026-07-28"})", "initialize 2025-11-25"},
    {R"(["2026-07-28"])", "initialize 2025-11-25"},
    {"null", "initialize 2025-11-25"},
    {"", "initialize 2025-11-25"},
};

constexpr row initialize_results[] = {
    {R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}})", "done 2025-11-25"},
    {R"({"protocolVersion":"2025-06-18"})", "done 2025-06-18"},
    {R"({"protocolVersion":"2025-03-26"})", "done 2025-03-26"},
    {R"({"protocolVersion":"2024-11-05"})", "done 2024-11-05"},
    {R"({"protocolVersion":"2026-07-28"})", no_common},
    {R"({"protocolVersion":"2024-10-07"})", no_common},
    {R"({"protocolVersion":"1.0"})", no_common},
    {R"({"protocolVersion":20251125})", no_common},
    {R"({"protocolVersion":null})", no_common},
    {"{}", no_common},
    {"null", no_common},
};

int const other_codes[] = {-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, -32020, -32021, -1, 0, 404};

} // namespace

BOOST_DATA_TEST_CASE(result_of_the_probe_determines_the_era, data::make(discover_results))
{
    BOOST_TEST(text(probing().on_result(sample.text)) == sample.next);
}

BOOST_AUTO_TEST_CASE(supported_version_that_is_refused_is_proposed_once_more)
{
    auto const contradiction = R"({"supported":["2026-07-28"],"requested":"2026-07-28"})";
    auto machine = probing();
    BOOST_TEST_REQUIRE(text(machine.on_error(-32022, contradiction)) == "probe 2026-07-28");
    auto accepted = machine;
    BOOST_TEST(text(accepted.on_result(R"({"supportedVersions":["2026-07-28"]})")) == "done 2026-07-28");
    BOOST_TEST(text(machine.on_error(-32022, contradiction)) == no_common);
}

BOOST_DATA_TEST_CASE(refused_protocol_version_is_replaced_by_a_supported_one, data::make(unsupported_lists))
{
    BOOST_TEST(text(probing().on_error(-32022, sample.text)) == sample.next);
}

BOOST_DATA_TEST_CASE(other_error_response_to_the_probe_starts_the_handshake, data::make(other_codes))
{
    for (auto const& details : {std::string(), supported(R"(["2026-07-28"])"), supported("[]")})
        BOOST_TEST(text(probing().on_error(sample, details)) == "initialize 2025-11-25");
}

BOOST_DATA_TEST_CASE(response_to_initialize_determines_the_protocol_version, data::make(initialize_results))
{
    BOOST_TEST(text(initializing().on_result(sample.text)) == sample.next);
    BOOST_TEST(text(with_memory_of_a_handshake().on_result(sample.text)) == sample.next);
}

BOOST_AUTO_TEST_CASE(probe_timeout_starts_the_handshake_and_handshake_timeout_fails)
{
    BOOST_TEST(text(probing().on_no_response()) == "initialize 2025-11-25");
    BOOST_TEST(text(initializing().on_no_response()) == failed(error::attempt_timed_out));
}

BOOST_AUTO_TEST_CASE(timeout_or_end_of_connection_during_the_probe_fails_if_it_does_not_indicate_the_era)
{
    auto const http = options({}, false);
    BOOST_TEST(text(probing(http).on_no_response()) == failed(error::attempt_timed_out));
    BOOST_TEST(text(probing(http).on_end(boost::asio::error::connection_refused)) ==
               failed(boost::asio::error::connection_refused));
    BOOST_TEST(text(probing(http).on_error(-32601, "")) == "initialize 2025-11-25");
}

BOOST_AUTO_TEST_CASE(server_that_exits_on_the_probe_is_reopened_for_the_handshake)
{
    auto machine = probing();
    BOOST_TEST(!machine.is_reopening());
    BOOST_TEST(text(machine.on_end(error::stream_ended)) == "reopen");
    BOOST_TEST(machine.is_reopening());
    BOOST_TEST(text(machine.on_reopened()) == "initialize 2025-11-25");
    BOOST_TEST(!machine.is_reopening());
    BOOST_TEST(text(machine.on_result(R"({"protocolVersion":"2025-06-18"})")) == "done 2025-06-18");
}

BOOST_AUTO_TEST_CASE(server_that_exits_again_fails_the_negotiation)
{
    auto during_handshake = probing();
    during_handshake.on_end(error::stream_ended);
    during_handshake.on_reopened();
    BOOST_TEST(text(during_handshake.on_end(error::truncated_line)) == failed(error::truncated_line));

    auto while_opening = probing();
    while_opening.on_end(error::stream_ended);
    BOOST_TEST(text(while_opening.on_end(error::truncated_line)) == failed(error::truncated_line));

    BOOST_TEST(text(initializing().on_end(error::stream_ended)) == failed(error::stream_ended));
}

BOOST_AUTO_TEST_CASE(responses_during_reopening_return_no_action)
{
    auto machine = probing();
    machine.on_end(error::stream_ended);
    BOOST_TEST(text(machine.on_result(R"({"supportedVersions":["2026-07-28"]})")) == "none");
    BOOST_TEST(text(machine.on_error(-32601, "")) == "none");
    BOOST_TEST(text(machine.on_reopened()) == "initialize 2025-11-25");
    BOOST_TEST(text(machine.on_reopened()) == "none");
}

// Refused handshakes

BOOST_AUTO_TEST_CASE(refused_handshake_is_repeated_with_newest_version_named_by_the_server)
{
    for (int const code : {-32602, -32022}) {
        auto machine = initializing();
        BOOST_TEST(text(machine.on_error(code, supported(R"(["2024-11-05","2025-03-26"])"))) ==
                   "initialize 2025-03-26");
        BOOST_TEST(text(machine.on_error(code, supported(R"(["2024-11-05"])"))) == "initialize 2024-11-05");
        BOOST_TEST(text(machine.on_error(code, supported(R"(["2025-03-26"])"))) == no_common);
    }
}

BOOST_AUTO_TEST_CASE(refused_version_that_the_server_lists_is_not_proposed_again)
{
    auto const list = supported(R"(["2025-11-25","2025-06-18","2025-03-26"])");
    for (int const code : {-32602, -32022}) {
        auto machine = initializing();
        BOOST_TEST(text(machine.on_error(code, list)) == "initialize 2025-06-18");
        BOOST_TEST(text(machine.on_error(code, list)) == "initialize 2025-03-26");
        BOOST_TEST(text(machine.on_error(code, list)) == no_common);
    }
}

BOOST_AUTO_TEST_CASE(probe_refused_after_handshake_is_followed_by_listed_version_that_was_not_proposed)
{
    auto machine = with_memory_of_a_handshake();
    BOOST_TEST(text(machine.on_error(-32602, "")) == "probe 2026-07-28");
    BOOST_TEST(text(machine.on_error(-32022, supported(R"(["2025-11-25","2024-11-05"])"))) == "initialize 2024-11-05");
}

BOOST_AUTO_TEST_CASE(refused_handshake_without_common_version_fails)
{
    for (int const code : {-32602, -32022})
        for (auto const list : {R"(["2025-11-25"])", R"(["2026-07-28"])", R"(["2030-01-01"])", "[]"})
            BOOST_TEST(text(initializing().on_error(code, supported(list))) == no_common, list);
    BOOST_TEST(text(initializing().on_error(-32022, "")) == no_common);
}

BOOST_DATA_TEST_CASE(other_error_response_to_the_handshake_fails_with_its_code, data::make(other_codes))
{
    BOOST_TEST(text(initializing().on_error(sample, "")) == "failed " + std::to_string(sample));
}

// Remembered eras

BOOST_AUTO_TEST_CASE(server_remembered_as_stateless_is_probed_and_can_fall_back)
{
    BOOST_TEST(text(probing(options(era::stateless)).on_error(-32601, "")) == "initialize 2025-11-25");
    BOOST_TEST(text(probing(options(era::stateless)).on_end(error::stream_ended)) == "reopen");
}

BOOST_AUTO_TEST_CASE(remembered_handshake_refused_with_stateless_versions_is_followed_by_a_probe)
{
    for (int const code : {-32602, -32022}) {
        auto machine = with_memory_of_a_handshake();
        BOOST_TEST(text(machine.on_error(code, supported(R"(["2026-07-28"])"))) == "probe 2026-07-28");
        BOOST_TEST(text(machine.on_result(R"({"supportedVersions":["2026-07-28"]})")) == "done 2026-07-28");
    }
}

BOOST_AUTO_TEST_CASE(remembered_handshake_refused_with_any_code_is_followed_by_a_probe)
{
    for (int const code : {-32022, -32601, -32602, -32603, -32000}) {
        auto machine = with_memory_of_a_handshake();
        BOOST_TEST(text(machine.on_error(code, "")) == "probe 2026-07-28");
        BOOST_TEST(text(machine.on_result(R"({"supportedVersions":["2026-07-28"]})")) == "done 2026-07-28");
    }
    auto neither = with_memory_of_a_handshake();
    neither.on_error(-32603, "");
    BOOST_TEST(text(neither.on_error(-32601, "")) == "failed -32603");
}

// Refusals by the transport

namespace {

negotiation::options over_http(std::optional<era> remembered = {})
{
    auto with = options(remembered, false);
    with.handshake_on_any_error = false;
    return with;
}

std::bitset<linkspan::protocol_versions.size()> only(std::initializer_list<protocol_version> carried)
{
    std::bitset<linkspan::protocol_versions.size()> out;
    for (auto const one : carried)
        out.set(static_cast<std::size_t>(one));
    return out;
}

error_code const refused(400, linkspan::http_category());

} // namespace

BOOST_DATA_TEST_CASE(stateless_only_error_response_does_not_start_the_handshake, data::make({-32020, -32021}))
{
    BOOST_TEST(text(probing(over_http()).on_error(sample, "")) == "failed " + std::to_string(sample));
    auto as_sdk = over_http();
    as_sdk.handshake_on_any_error = true;
    BOOST_TEST(text(probing(as_sdk).on_error(sample, "")) == "initialize 2025-11-25");
}

BOOST_DATA_TEST_CASE(other_error_response_over_http_starts_the_handshake,
                     data::make({-32601, -32000, -32603, -32602, -32022, -32001, 404}))
{
    BOOST_TEST(text(probing(over_http()).on_error(sample, "")) == "initialize 2025-11-25");
}

BOOST_AUTO_TEST_CASE(era_evidence_of_the_transport_is_used)
{
    BOOST_TEST(text(probing(over_http()).on_refused(era::handshake, refused)) == "initialize 2025-11-25");
    BOOST_TEST(text(probing(over_http()).on_refused(era::stateless, refused)) == failed(refused));
    BOOST_TEST(text(probing(over_http()).on_refused({}, refused)) == failed(refused));
    for (std::optional<era> const shown : {std::optional<era>(), std::optional(era::handshake)}) {
        auto handshake = initializing();
        BOOST_TEST(text(handshake.on_refused(shown, refused)) == failed(refused));
        BOOST_TEST(text(handshake.on_refused(shown, refused)) == "none");
    }
}

BOOST_AUTO_TEST_CASE(remembered_handshake_refused_by_the_transport_is_followed_by_a_probe)
{
    for (auto const shown : {era::handshake, era::stateless}) {
        negotiation machine(over_http(era::handshake));
        machine.start();
        BOOST_TEST(text(machine.on_refused(shown, refused)) == "probe 2026-07-28");
        BOOST_TEST(text(machine.on_error(-32601, "")) == failed(refused));
    }
    negotiation down(over_http(era::handshake)); // the failure is no evidence of the era
    down.start();
    BOOST_TEST(text(down.on_refused({}, refused)) == failed(refused));
}

BOOST_AUTO_TEST_CASE(protocol_version_unsupported_by_the_transport_is_not_proposed)
{
    auto with = over_http();
    with.carried = only({protocol_version::v2024_11_05, protocol_version::v2025_03_26});
    negotiation old(with);
    BOOST_TEST(text(old.start()) == "initialize 2025-03-26");
    BOOST_TEST(text(old.on_result(R"({"protocolVersion":"2025-06-18"})")) == no_common);

    with.carried = only({protocol_version::v2026_07_28});
    for (std::optional<era> const remembered : {std::optional<era>(), std::optional(era::stateless)}) {
        with.remembered = remembered;
        BOOST_TEST(text(probing(with).on_error(-32601, "")) == "failed -32601");
        BOOST_TEST(text(probing(with).on_refused(era::handshake, refused)) == failed(refused));
        BOOST_TEST(text(probing(with).on_result("{}")) == no_common);
        BOOST_TEST(text(probing(with).on_result(R"({"supportedVersions":["2025-11-25"]})")) == no_common);
    }
    with.carried = only({});
    negotiation none(with);
    BOOST_TEST(text(none.start()) == no_common);
}

// Arbitrary sequences of events

BOOST_AUTO_TEST_CASE(every_event_after_completion_returns_no_action)
{
    auto done = probing();
    done.on_result(R"({"supportedVersions":["2026-07-28"]})");
    auto failed = initializing();
    failed.on_no_response();
    for (auto* over : {&done, &failed}) {
        BOOST_TEST(text(over->on_result(R"({"protocolVersion":"2025-11-25","supportedVersions":["2026-07-28"]})")) ==
                   "none");
        BOOST_TEST(text(over->on_error(-32022, supported(R"(["2025-11-25"])"))) == "none");
        BOOST_TEST(text(over->on_no_response()) == "none");
        BOOST_TEST(text(over->on_end(error::stream_ended)) == "none");
        BOOST_TEST(text(over->on_reopened()) == "none");
        BOOST_TEST(!over->is_reopening());
    }
}

BOOST_AUTO_TEST_CASE(any_sequence_of_events_terminates_with_at_most_one_repeated_proposal)
{
    std::mt19937 random(20'260'728);
    auto const below = [&random](std::size_t n) { return random() % n; };
    constexpr std::string_view known[] = {"2026-07-28", "2025-11-25", "2025-06-18", "2024-11-05", "2030-01-01"};
    auto const list = [&] {
        std::string out = below(8) == 0 ? "null" : "[]";
        for (auto n = below(3); n > 0 && out != "null"; --n)
            out.insert(out.size() - 1, (out == "[]" ? "\"" : ",\"") + std::string(known[below(5)]) + "\"");
        return out;
    };
    constexpr int codes[] = {-32022, -32022, -32602, -32602, -32601, -32603};
    std::optional<era> const memories[] = {{}, era::handshake, era::stateless};
    for (int round = 0; round < 5'000; ++round) {
        negotiation machine(options(memories[below(3)], below(2) == 0));
        auto next = machine.start();
        std::set<std::string> seen;
        std::string trail;
        int repeated = 0; // probes of a version that the server refused and listed as supported
        auto const step = [&]() -> negotiation::action {
            switch (below(9)) {
            case 0: return machine.on_result(R"({"supportedVersions":)" + list() + "}");
            case 1: return machine.on_result(R"({"protocolVersion":")" + std::string(known[below(5)]) + "\"}");
            case 2: return machine.on_no_response();
            case 3: return machine.on_end(error::stream_ended);
            case 4: return machine.on_reopened();
            case 5: return machine.on_refused(memories[below(3)], error::not_connected);
            default: return machine.on_error(codes[below(std::size(codes))], supported(list()));
            }
        };
        for (int events = 0; next.what != kind::done && next.what != kind::failed; next = step()) {
            BOOST_TEST_REQUIRE(++events < 1'000);
            if (next.what == kind::none)
                continue;
            (trail += text(next)) += "; ";
            if (!seen.insert(text(next)).second)
                BOOST_TEST((next.what == kind::probe && ++repeated == 1), trail);
            auto const opening = next.what == kind::probe ? era::stateless : era::handshake;
            BOOST_TEST((next.what == kind::reopen || traits_of(next.proposed).era == opening), trail);
        }
        BOOST_TEST(next.ec.failed() == (next.what == kind::failed), trail);
        BOOST_TEST(text(step()) == "none", trail);
    }
}

BOOST_AUTO_TEST_CASE(malformed_response_to_probe_starts_handshake_and_to_handshake_fails)
{
    auto probe = probing();
    BOOST_TEST(text(probe.on_unreadable(error::malformed_message)) == "initialize 2025-11-25");
    auto handshake = initializing();
    BOOST_TEST(text(handshake.on_unreadable(error::malformed_message)) == failed(error::malformed_message));
    BOOST_TEST(text(handshake.on_unreadable(error::malformed_message)) == "none");
    negotiation idle(options());
    BOOST_TEST(text(idle.on_unreadable(error::malformed_message)) == "none");
}

BOOST_AUTO_TEST_CASE(negotiation_is_continued_after_a_failed_allocation_in_each_event)
{
    using event = std::function<negotiation::action(negotiation&)>;
    event const start = [](negotiation& of) { return of.start(); };
    event const ends = [](negotiation& of) { return of.on_end(error::stream_ended); };
    event const reopens = [](negotiation& of) { return of.on_reopened(); };
    auto const refuses = [](int code, std::string_view data) -> event {
        return [code, data](negotiation& of) { return of.on_error(code, data); };
    };
    auto const responds = [](std::string_view result) -> event {
        return [result](negotiation& of) { return of.on_result(result); };
    };
    struct course {
        std::optional<linkspan::era> remembered;
        std::vector<event> events;
        protocol_version expected;
    };
    std::vector<course> const courses{
        {{}, {start, ends, reopens, responds(R"({"protocolVersion":"2025-06-18"})")}, protocol_version::v2025_06_18},
        {linkspan::era::handshake,
         {start, refuses(-32602, R"({"supported":["2025-06-18"]})"), refuses(-1, ""),
          refuses(-32022, R"({"supported":["2026-07-28"]})"), responds(R"({"supportedVersions":["2026-07-28"]})")},
         protocol_version::v2026_07_28},
        {{},
         {start, refuses(-32601, ""), refuses(-32602, R"({"supported":["2025-03-26"]})"),
          responds(R"({"protocolVersion":"2025-03-26"})")},
         protocol_version::v2025_03_26}};
    for (auto const& each : courses)
        linkspan::test::fail_each_allocation([&](auto& failing) {
            negotiation::options with;
            with.remembered = each.remembered;
            negotiation machine(with), undisturbed(with);
            negotiation::action next{negotiation::action::kind::none, {}, {}};
            for (auto const& pass : each.events) {
                if (!failing([&] { next = pass(machine); }))
                    next = pass(machine);
                auto const expected = pass(undisturbed);
                BOOST_TEST((next.what == expected.what));
                BOOST_TEST((next.proposed == expected.proposed));
            }
            BOOST_TEST((next.what == negotiation::action::kind::done));
            BOOST_TEST((next.proposed == each.expected));
        });
}

BOOST_AUTO_TEST_SUITE_END()
