#include <linkspan/protocol/client/request_scheduler.hpp>
#include <linkspan/session/detail/message_writer.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <string_view>

#include "support/idle_request.hpp"

BOOST_AUTO_TEST_SUITE(message_writer_test)

using linkspan::message_kind;
using linkspan::protocol_version;
using linkspan::detail::message_writer;
using linkspan::test::idle_request;

namespace {

constexpr auto handshake = protocol_version::v2025_11_25;
constexpr auto stateless = protocol_version::v2026_07_28;

// A request that has an id, because a scheduler contains it.
struct fixture {
    message_writer writer;
    linkspan::request_scheduler scheduler{1, 1};
    idle_request op;

    fixture()
    {
        op.method = "tools/call";
        op.name = "add";
        op.params = R"("name":"add")";
        op.idle_timeout = op.attempt_timeout = std::chrono::seconds(1);
        scheduler.add(op, linkspan::time_point());
    }

    ~fixture() { scheduler.remove(op); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(message_for_the_transport_has_the_properties_of_the_request, fixture)
{
    auto const message = writer.request(op, {}, handshake);
    BOOST_TEST(message.bytes == R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}})");
    BOOST_TEST(message.id == 1);
    BOOST_TEST((message.kind == message_kind::request));
    BOOST_TEST(message.method == "tools/call");
    BOOST_TEST(message.name == "add");
    BOOST_TEST((message.version == handshake));
    BOOST_TEST(message.mirrored.empty());
}

BOOST_FIXTURE_TEST_CASE(request_contains_further_members_and_a_progress_token, fixture)
{
    op.requests_progress = true;
    op.meta = R"("a":1)";
    auto const text = writer.request(op, R"("requestState":"s")", handshake).bytes;
    BOOST_TEST(text.find(R"("requestState":"s")") != text.npos);
    BOOST_TEST(text.find(R"("progressToken":1)") != text.npos);
    BOOST_TEST(text.find(R"("a":1)") != text.npos);
}

BOOST_FIXTURE_TEST_CASE(request_of_a_stateless_version_contains_the_version_and_the_identity, fixture)
{
    writer.set_protocol_version(stateless, {"client", "1.0", R"({"roots":{}})"});
    auto const text = writer.request(op, {}, stateless).bytes;
    BOOST_TEST(text.find("2026-07-28") != text.npos);
    BOOST_TEST(text.find(R"({"roots":{}})") != text.npos);
    BOOST_TEST(text.find(R"("name":"client")") != text.npos);
    writer.set_protocol_version(handshake, {"client", "1.0", "{}"});
    BOOST_TEST(writer.request(op, {}, handshake).bytes.find("client") == std::string_view::npos);
}

BOOST_FIXTURE_TEST_CASE(message_without_a_negotiated_version_has_none, fixture)
{
    BOOST_TEST(!writer.request(op, {}, std::nullopt).version);
}

BOOST_FIXTURE_TEST_CASE(notification_has_no_id, fixture)
{
    auto const message = writer.notification("notifications/initialized", {}, message_kind::initialized, handshake);
    BOOST_TEST(message.bytes == R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    BOOST_TEST(message.id == 0);
    BOOST_TEST((message.kind == message_kind::initialized));
    BOOST_TEST(message.method == "notifications/initialized");
    BOOST_TEST((message.version == handshake));
}

BOOST_FIXTURE_TEST_CASE(response_contains_the_id_of_the_server_unchanged, fixture)
{
    auto const result = writer.result(R"("a-1")", "{}", handshake);
    BOOST_TEST(result.bytes == R"({"jsonrpc":"2.0","id":"a-1","result":{}})");
    BOOST_TEST((result.kind == message_kind::response));
    BOOST_TEST(result.method.empty());
    BOOST_TEST(result.id == 0);
    auto const failure = writer.failure("7", -32601, "no handler", handshake);
    BOOST_TEST(failure.bytes.find(R"("id":7)") != failure.bytes.npos);
    BOOST_TEST(failure.bytes.find(R"("code":-32601)") != failure.bytes.npos);
    BOOST_TEST(failure.bytes.find(R"("message":"no handler")") != failure.bytes.npos);
    BOOST_TEST((failure.kind == message_kind::response));
    BOOST_TEST((failure.version == handshake));
}

BOOST_AUTO_TEST_SUITE_END()
