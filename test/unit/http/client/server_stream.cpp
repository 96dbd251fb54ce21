#include <linkspan/http/client/detail/server_stream.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(server_stream_test)

using linkspan::era_evidence;
using linkspan::error;
using linkspan::error_code;
using linkspan::http_framing;
using linkspan::http_post;
using linkspan::http_verdict;
using linkspan::protocol_version;
using linkspan::detail::server_stream;

namespace {

http_post initialize() { return {1, true, {}, false}; }

http_verdict refusal(era_evidence era = era_evidence::handshake)
{
    http_verdict out;
    out.era = era;
    out.ec = error_code(405, linkspan::http_category());
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(framing_determines_whether_the_stream_carries_all_messages)
{
    BOOST_TEST(!server_stream(http_framing::streamable, "/mcp").carries_messages());
    BOOST_TEST(!server_stream(http_framing::automatic, "/mcp").carries_messages());
    BOOST_TEST(server_stream(http_framing::sse, "/sse").carries_messages());
}

BOOST_AUTO_TEST_CASE(server_determines_the_target_of_post)
{
    server_stream stream(http_framing::sse, "/sse");
    BOOST_TEST(stream.post_target() == "/sse");
    stream.on_endpoint("/messages?id=1");
    BOOST_TEST(stream.post_target() == "/messages?id=1");
}

BOOST_AUTO_TEST_CASE(refused_initialize_leads_to_http_with_sse)
{
    server_stream stream(http_framing::automatic, "/mcp");
    BOOST_TEST(stream.fall_back(initialize(), refusal()));
    BOOST_TEST(stream.carries_messages());
    BOOST_TEST(!stream.fall_back(initialize(), refusal())); // the stream is being opened already
}

BOOST_AUTO_TEST_CASE(refusal_that_does_not_indicate_the_handshake_is_a_result)
{
    server_stream stream(http_framing::automatic, "/mcp");
    BOOST_TEST(!stream.fall_back(initialize(), refusal(era_evidence::none)));
    BOOST_TEST(!stream.fall_back(initialize(), refusal(era_evidence::stateless)));
    BOOST_TEST(!stream.carries_messages());
}

BOOST_AUTO_TEST_CASE(refusal_of_another_request_is_a_result)
{
    server_stream stream(http_framing::automatic, "/mcp");
    BOOST_TEST(!stream.fall_back({1, true, protocol_version::v2026_07_28, false}, refusal())); // the probe
    BOOST_TEST(!stream.fall_back({1, false, protocol_version::v2025_11_25, true}, refusal())); // a call
}

BOOST_AUTO_TEST_CASE(transport_with_a_fixed_framing_does_not_fall_back)
{
    for (auto const framing : {http_framing::streamable, http_framing::sse})
        BOOST_TEST(!server_stream(framing, "/mcp").fall_back(initialize(), refusal()));
}

BOOST_AUTO_TEST_CASE(failed_fallback_returns_the_refusal)
{
    server_stream stream(http_framing::automatic, "/mcp");
    BOOST_TEST(stream.fall_back(initialize(), refusal()));
    auto const& result = stream.on_fallback_failed();
    BOOST_TEST((result.ec == refusal().ec));
    BOOST_TEST((result.era == era_evidence::handshake));
    BOOST_TEST(!stream.carries_messages());
    BOOST_TEST(stream.fall_back(initialize(), refusal())); // of another handshake
}

BOOST_AUTO_TEST_CASE(reason_of_the_end_is_never_empty)
{
    BOOST_TEST((server_stream::reason_of_end(error::attempt_timed_out, 200, true) == error::attempt_timed_out));
    BOOST_TEST((server_stream::reason_of_end({}, 200, true) == error::stream_ended));
    BOOST_TEST((server_stream::reason_of_end({}, 200, false) == error::malformed_http));
    BOOST_TEST((server_stream::reason_of_end({}, 404, false) == error_code(404, linkspan::http_category())));
}

BOOST_AUTO_TEST_CASE(error_of_receives_is_set_by_the_end)
{
    server_stream stream(http_framing::sse, "/sse");
    BOOST_TEST(!stream.end());
    stream.on_end(error::stream_ended);
    BOOST_TEST((stream.end() == error::stream_ended));
}

BOOST_AUTO_TEST_SUITE_END()
