#include <linkspan/protocol/message_kind.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(message_kind_test)

using linkspan::kind_of_request;
using linkspan::message_kind;

BOOST_AUTO_TEST_CASE(kind_of_request_follows_from_method)
{
    BOOST_TEST((kind_of_request("initialize") == message_kind::handshake));
    BOOST_TEST((kind_of_request("server/discover") == message_kind::probe));
    BOOST_TEST((kind_of_request("ping") == message_kind::ping));
    BOOST_TEST((kind_of_request("subscriptions/listen") == message_kind::subscription));
    for (auto const* const method : {"", "tools/call", "tools/list", "Ping", "initialized"})
        BOOST_TEST((kind_of_request(method) == message_kind::request), method);
}

BOOST_AUTO_TEST_SUITE_END()
