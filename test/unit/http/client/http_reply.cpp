#include <linkspan/http/client/http_reply.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <ostream>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(http_reply_test)

namespace data = boost::unit_test::data;
using namespace linkspan;
using namespace std::chrono_literals;
using kind = http_verdict::kind;

static constexpr std::string_view result = R"({"jsonrpc":"2.0","id":7,"result":{}})";
static constexpr std::string_view failure = R"({"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"x"}})";
static constexpr std::string_view refusal = R"({"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"x"}})";
static constexpr std::string_view without_id = R"({"jsonrpc":"2.0","error":{"code":-32020,"message":"x"}})";
static constexpr std::string_view charged = R"({"jsonrpc":"2.0","id":7,"error":{"code":1001,"message":"charged"}})";
static constexpr std::string_view invalid = R"({"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"x"}})";
static constexpr std::string_view own =
    R"({"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"session expired"}})";
static constexpr std::string_view html = "<html>Cannot POST</html>";

static http_post const stateless_call{7, false, protocol_version::v2026_07_28, false};
static http_post const handshake_call{7, false, protocol_version::v2025_11_25, true};
static http_post const probe{7, true, protocol_version::v2026_07_28, false};
static http_post const handshake{7, true, {}, false};

static http_verdict verdict_of(http_post const& what, int status, std::string_view body,
                               std::string_view retry_after = {})
{
    http_reply reply;
    reply.status = status;
    reply.retry_after = retry_after;
    reply.body = body;
    return interpret(what, reply);
}

struct row {
    int status;
    std::string_view body;
    kind what;
    certainty delivery;

    friend std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.status << ' ' << r.body; }
};

// Expected interpretation of each status, with and without a message in the body.
static row const rows[] = {
    {200, result, kind::message, certainty::completed},   {200, failure, kind::message, certainty::completed},
    {200, html, kind::report, certainty::unknown},        {200, "", kind::report, certainty::unknown},
    {202, "", kind::report, certainty::unknown},          {204, "", kind::report, certainty::unknown},
    {302, "", kind::report, certainty::unknown},          {304, "", kind::report, certainty::unknown},
    {400, "", kind::report, certainty::refused},          {400, html, kind::report, certainty::refused},
    {400, failure, kind::message, certainty::unknown},    {400, refusal, kind::message, certainty::refused},
    {400, without_id, kind::message, certainty::refused}, {401, "", kind::report, certainty::refused},
    {401, failure, kind::report, certainty::refused},     {402, "", kind::report, certainty::unknown},
    {403, failure, kind::report, certainty::refused},     {404, "", kind::report, certainty::refused},
    {404, failure, kind::message, certainty::refused},    {405, "", kind::report, certainty::refused},
    {406, "", kind::report, certainty::refused},          {408, "", kind::report, certainty::unknown},
    {400, charged, kind::message, certainty::completed},  {400, invalid, kind::message, certainty::completed},
    {400, own, kind::message, certainty::unknown},        {404, charged, kind::message, certainty::refused},
    {408, refusal, kind::message, certainty::unknown},    {409, "", kind::report, certainty::unknown},
    {409, failure, kind::message, certainty::unknown},    {413, "", kind::report, certainty::refused},
    {415, "", kind::report, certainty::refused},          {421, "", kind::report, certainty::refused},
    {422, "", kind::report, certainty::unknown},          {422, failure, kind::message, certainty::unknown},
    {429, failure, kind::report, certainty::refused},     {500, "", kind::report, certainty::unknown},
    {500, failure, kind::message, certainty::unknown},    {502, html, kind::report, certainty::unknown},
    {503, "", kind::report, certainty::unknown},          {503, failure, kind::message, certainty::unknown},
    {504, "", kind::report, certainty::unknown},          {599, "", kind::report, certainty::unknown},
};

BOOST_DATA_TEST_CASE(http_status_determines_certainty, data::make(rows))
{
    auto const verdict = verdict_of(stateless_call, sample.status, sample.body);
    BOOST_TEST((verdict.what == sample.what));
    BOOST_TEST(to_string(verdict.certainty) == to_string(sample.delivery));
    if (sample.what == kind::report && sample.status != 200)
        BOOST_TEST((verdict.ec == error_code(sample.status, http_category())));
}

BOOST_AUTO_TEST_CASE(status_200_without_a_message_is_malformed)
{
    BOOST_TEST((verdict_of(stateless_call, 200, html).ec == error::malformed_message));
}

BOOST_AUTO_TEST_CASE(response_with_another_id_is_malformed)
{
    auto const verdict = verdict_of(stateless_call, 200, R"({"jsonrpc":"2.0","id":8,"result":{}})");
    BOOST_TEST((verdict.what == kind::report));
    BOOST_TEST((verdict.ec == error::malformed_message));
}

BOOST_AUTO_TEST_CASE(request_as_response_body_is_reported_as_error)
{
    auto const verdict = verdict_of(stateless_call, 200, R"({"jsonrpc":"2.0","id":7,"method":"ping"})");
    BOOST_TEST((verdict.what == kind::report));
}

BOOST_AUTO_TEST_CASE(status_429_or_503_with_retry_after_is_refused)
{
    auto const overloaded = verdict_of(stateless_call, 503, failure, "3");
    BOOST_TEST((overloaded.what == kind::report));
    BOOST_TEST(to_string(overloaded.certainty) == "refused");
    BOOST_TEST((overloaded.retry_after == duration(3s)));
    BOOST_TEST((verdict_of(stateless_call, 429, "", "0").retry_after == duration::zero()));
    auto const until_a_date = verdict_of(stateless_call, 503, "", "Wed, 21 Oct 2026 07:28:00 GMT");
    BOOST_TEST(to_string(until_a_date.certainty) == "refused");
    BOOST_TEST(!until_a_date.retry_after.has_value());
}

BOOST_AUTO_TEST_CASE(retry_after_is_read_in_seconds_and_capped)
{
    BOOST_TEST((read_retry_after("120") == duration(120s)));
    BOOST_TEST((read_retry_after("99999999999999999999") == duration(24h)));
    BOOST_TEST((read_retry_after("86401") == duration(24h)));
    for (auto const text : {"", "-1", "1.5", " 1", "1 ", "soon"})
        BOOST_TEST(!read_retry_after(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(status_404_with_session_is_session_lost)
{
    auto const lost = verdict_of(handshake_call, 404, failure);
    BOOST_TEST((lost.what == kind::report));
    BOOST_TEST((lost.ec == error::session_lost));
    BOOST_TEST(to_string(lost.certainty) == "refused");
    auto no_session = handshake_call;
    no_session.has_session = false;
    BOOST_TEST((verdict_of(no_session, 404, "").ec == error_code(404, http_category())));
    BOOST_TEST((verdict_of(handshake, 404, "").ec == error_code(404, http_category())));
}

BOOST_AUTO_TEST_CASE(session_error_text_with_status_400_is_session_lost)
{
    auto const session_error =
        R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid Session ID provided"},)"
        R"("id":null})";
    BOOST_TEST((verdict_of(handshake_call, 400, session_error).ec == error::session_lost));
    auto const other =
        R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: unsupported version"},"id":null})";
    BOOST_TEST((verdict_of(handshake_call, 400, other).what == kind::message));
    BOOST_TEST((verdict_of(stateless_call, 400, session_error).what == kind::message));
    BOOST_TEST((verdict_of(handshake_call, 400, own).what == kind::message)); // the response has the id of the request
}

struct opening_row {
    int status;
    std::string_view body;
    era_evidence era;

    friend std::ostream& operator<<(std::ostream& out, opening_row const& r)
    {
        return out << r.status << ' ' << r.body;
    }
};

// Expected era for refusals of the probe without a message in the body.
static opening_row const opening_rows[] = {
    {400, "", era_evidence::handshake},
    {400, html, era_evidence::handshake},
    {404, html, era_evidence::handshake},
    {405, "", era_evidence::handshake},
    {400, R"({"a":1})", era_evidence::handshake},
    {401, "", era_evidence::none},
    {403, "", era_evidence::none},
    {406, "", era_evidence::none},
    {500, "", era_evidence::none},
    {503, "", era_evidence::none},
    {200, html, era_evidence::none},
};

BOOST_DATA_TEST_CASE(refused_probe_determines_the_era, data::make(opening_rows))
{
    BOOST_TEST((verdict_of(probe, sample.status, sample.body).era == sample.era));
    BOOST_TEST((verdict_of(stateless_call, sample.status, sample.body).era == era_evidence::none));
}

BOOST_AUTO_TEST_CASE(error_response_to_the_probe_is_passed_to_the_negotiation)
{
    BOOST_TEST((verdict_of(probe, 400, without_id).what == kind::message));
    BOOST_TEST((verdict_of(probe, 404, R"({"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":""}})").what ==
                kind::message));
    BOOST_TEST((verdict_of(probe, 500, failure).what == kind::message));
}

// A refused handshake is evidence for HTTP+SSE even if the body is an error response.
BOOST_AUTO_TEST_CASE(refused_handshake_is_evidence_of_the_handshake_era)
{
    for (auto const status : {400, 404, 405}) {
        auto const verdict = verdict_of(handshake, status, refusal);
        BOOST_TEST((verdict.what == kind::message));
        BOOST_TEST((verdict.era == era_evidence::handshake));
        BOOST_TEST((verdict_of(probe, status, refusal).era == era_evidence::none));
        for (auto const* const code : {"-32020", "-32021", "-32022"}) {
            auto const stateless =
                R"({"jsonrpc":"2.0","id":7,"error":{"message":"","code":)" + std::string(code) + "}}";
            BOOST_TEST((verdict_of(handshake, status, stateless).era == era_evidence::none), code);
        }
    }
    BOOST_TEST((verdict_of(handshake, 200, refusal).era == era_evidence::none));
    BOOST_TEST((verdict_of(handshake, 500, refusal).era == era_evidence::none));
}

BOOST_AUTO_TEST_CASE(response_to_notification_is_accepted_or_reported)
{
    http_post const notification{0, false, protocol_version::v2025_11_25, true};
    for (auto const status : {200, 202, 204})
        BOOST_TEST((verdict_of(notification, status, "").what == kind::accepted));
    auto const refused = verdict_of(notification, 400, "");
    BOOST_TEST((refused.what == kind::report));
    BOOST_TEST((refused.ec == error_code(400, http_category())));
}

BOOST_AUTO_TEST_CASE(media_type_is_compared_without_case_and_parameters)
{
    BOOST_TEST(is_media_type("text/event-stream", "text/event-stream"));
    BOOST_TEST(is_media_type("Text/Event-Stream ; charset=utf-8", "text/event-stream"));
    BOOST_TEST(!is_media_type("text/event-streams", "text/event-stream"));
    BOOST_TEST(!is_media_type("", "text/event-stream"));
}

BOOST_AUTO_TEST_SUITE_END()
