// Failing allocations in the messages that `served_client` receives, with a server and its client.

#include <linkspan/server/detail/served_client.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "support/quiet_server.hpp"

BOOST_AUTO_TEST_SUITE(served_client_test)

using namespace linkspan;
using namespace linkspan::test;

namespace {

// A server with a session of the protocol version that has batches.
struct batch_server : quiet_server {
    batch_server() : quiet_server({})
    {
        connect({}, protocol_version::v2025_03_26);
        wire->receive(R"({"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-03-26",)"
                      R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})");
        wire->receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        run();
        wire->sent.clear();
    }

    // Returns the number of messages of the server.
    std::size_t messages() const { return static_cast<std::size_t>(std::ranges::count(wire->sent, '\n')); }
};

} // namespace

BOOST_AUTO_TEST_CASE(each_element_of_a_batch_has_one_response_after_each_failed_allocation)
{
    constexpr std::string_view batch =
        R"([1,[],{"jsonrpc":"2.0","id":"the first id that is not short"},)"
        R"({"jsonrpc":"2.0","id":"the second id that is not short","method":"ping"},)"
        R"({"jsonrpc":"2.0","id":"the third id that is not short","method":"unknown/method"},)"
        R"({"jsonrpc":"2.0","method":"notifications/unknown"},"text",[[]]])";
    fail_each_allocation([&](step_failure& fail_in) {
        batch_server own;
        BOOST_TEST(fail_in([&] { own.wire->receive(batch); }));
        own.run();
        BOOST_TEST(own.messages() == 7u);
        BOOST_TEST(own.wire->receives.has_value() == own.client->is_in_session());
        for (auto const* const id : {"first", "second", "third"})
            BOOST_TEST(own.wire->count(R"("id":"the )" + std::string(id) + " id that is not short\"") == 1u);
        BOOST_TEST(own.wire->count(R"("id":null)") == 4u);
    });
}

BOOST_AUTO_TEST_CASE(invalid_message_has_one_error_response_after_each_failed_allocation)
{
    for (std::string_view const message :
         {R"(neither an object nor an array)", R"({"jsonrpc":"2.0","id":"an id that is not short"})"})
        fail_each_allocation([&](step_failure& fail_in) {
            batch_server own;
            BOOST_TEST(fail_in([&] { own.wire->receive(message); }));
            BOOST_TEST(own.messages() == 1u);
            BOOST_TEST(own.wire->count(R"("error")") == 1u);
        });
}

BOOST_AUTO_TEST_CASE(request_to_the_client_times_out_or_is_not_stored_after_each_failed_allocation)
{
    fail_each_allocation(
        [&](step_failure& fail_in) {
            batch_server own;
            std::size_t timeouts = 0;
            auto const in_use = std::make_shared<int>();
            linkspan::detail::client_request what;
            what.method = "roots/list";
            what.params = "{}";
            what.done = [&timeouts, use = in_use](error_code ec, std::string_view) {
                timeouts += ec == asio::error::timed_out ? 1 : 0;
            };
            bool const is_stored = fail_in([&] { own.client->ask(std::move(what), {}); });
            what = {};
            own.pass(own.core->options().input_timeout);
            BOOST_TEST(timeouts == (is_stored ? 1u : 0u));
            BOOST_TEST(in_use.use_count() == 1);
        },
        failing::one_or_handler);
}

BOOST_AUTO_TEST_SUITE_END()
