// Data of error responses: elicitations that a server requires before a call.

#include <linkspan/model/required_elicitations.hpp>

#include "support/connector_case.hpp"
#include "support/contains.hpp"
#include "support/fake_transport.hpp"
#include "support/rpc_error.hpp"

BOOST_AUTO_TEST_SUITE(error_data_test)

using namespace linkspan;
using namespace linkspan::test;

namespace {

struct refusing_world : fake_transport_world {
    refusing_world()
    {
        fake->handlers["tools/list"] = [this](sent_message const& message) {
            fake->result(message, R"("tools":[{"name":"pay","inputSchema":{"type":"object"}}])");
        };
        fake->handlers["tools/call"] = [this](sent_message const& message) {
            fake->deliver(R"({"jsonrpc":"2.0","id":)" + std::to_string(message.id) +
                          R"(,"error":{"code":-32042,"message":"sign in","data":{"elicitations":[{"mode":"url",)"
                          R"("url":"https://a.example/hunter2-planted","message":"m","elicitationId":"e1"}]}}})");
        };
    }
};

} // namespace

LINKSPAN_CASE_IN(refusing_world, required_elicitations_of_a_call_of_a_session_are_returned)
{
    co_await make().async_open();
    auto const [ec, result] = co_await client->async_call_tool("pay", in_tuple);
    BOOST_TEST((ec == rpc(url_elicitation_required)));
    BOOST_TEST(result.detail() == "sign in");
    auto const pages = required_elicitations(ec, result);
    BOOST_TEST_REQUIRE(pages.size() == 1u);
    BOOST_TEST(pages[0].url == "https://a.example/hunter2-planted");
    BOOST_TEST(pages[0].elicitation_id == "e1");
}

LINKSPAN_CASE_IN(refusing_world, required_elicitations_of_a_call_of_a_connector_name_the_server)
{
    connector<transports<fake_transport>> hub(executor);
    server_options with_secret;
    with_secret.secrets.add("hunter2-planted");
    hub.add<fake_transport>("bank", config(), with_secret);
    co_await hub.async_open();
    auto const [ec, result] = co_await hub.async_call("pay", in_tuple);
    BOOST_TEST((ec == rpc(url_elicitation_required)), ec.message());
    auto const pages = required_elicitations(ec, result);
    BOOST_TEST_REQUIRE(pages.size() == 1u);
    BOOST_TEST(pages[0].server == "bank");
    BOOST_TEST(contains(pages[0].url, "https://a.example/"));
    BOOST_TEST(!contains(pages[0].url, "hunter2")); // secrets are redacted in the data too
    hub.close();
    co_await settle(executor);
}

BOOST_AUTO_TEST_SUITE_END()
