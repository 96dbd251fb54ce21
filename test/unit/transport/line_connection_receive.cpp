#include <linkspan/transport/line_connection.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "support/connection_fixture.hpp"

namespace line_connection_receive_test {

using linkspan::error;
using namespace connection_fixture;

} // namespace line_connection_receive_test

BOOST_FIXTURE_TEST_SUITE(line_connection_receive_test, fixture)

BOOST_AUTO_TEST_CASE(all_lines_of_one_read_are_received_together)
{
    receive();
    write_at_peer("{\"a\":1}\n[2]\r\n\n\r\n{\"b\":");
    BOOST_TEST(log == "message {\"a\":1}; message [2]; ");
    write_at_peer("2}\n");
    BOOST_TEST(log.ends_with("message {\"b\":2}; "));
}

BOOST_AUTO_TEST_CASE(messages_do_not_depend_on_chunk_boundaries)
{
    constexpr std::string_view stream = "{\"a\":\"é\"}\r\nnoise\n[]\n";
    for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
        fixture here;
        here.receive();
        here.write_at_peer(stream.substr(0, cut));
        here.write_at_peer(stream.substr(cut));
        BOOST_TEST(here.log == "message {\"a\":\"é\"}; unexpected_output noise; message []; ");
    }
}

BOOST_AUTO_TEST_CASE(line_that_is_not_a_message_is_unexpected_output)
{
    receive();
    write_at_peer("Server running on stdio\n{}\n\"text\"\n42\n");
    BOOST_TEST(
        log ==
        "unexpected_output Server running on stdio; message {}; unexpected_output \"text\"; unexpected_output 42; ");
}

BOOST_AUTO_TEST_CASE(message_with_leading_whitespace_is_accepted)
{
    receive();
    write_at_peer(" {\"a\":1}\n\t[2]\n");
    BOOST_TEST(log == "message  {\"a\":1}; message \t[2]; ");
}

BOOST_AUTO_TEST_CASE(messages_that_arrive_between_receives_are_kept)
{
    receive_once();
    write_at_peer("{\"a\":1}\n{\"b\":");
    write_at_peer("2}\n");
    write_at_peer("{\"c\":3}\n");
    BOOST_TEST(log == "message {\"a\":1}; ");
    receive_once();
    receive_once();
    BOOST_TEST(log == "message {\"a\":1}; message {\"b\":2}; message {\"c\":3}; ");
}

BOOST_AUTO_TEST_CASE(read_that_completes_after_a_report_is_kept)
{
    receive_once();
    far.in->close_reader();
    send(1, "{}");
    run();
    write_at_peer("{\"a\":1}\n");
    BOOST_TEST(log == not_sent(1, broken));
    receive_once();
    BOOST_TEST(log.ends_with("message {\"a\":1}; "));
}

BOOST_AUTO_TEST_CASE(large_message_is_kept_alive_by_its_owner)
{
    auto const large = "{\"x\":\"" + std::string(std::size_t{1} << 20, 'x') + "\"}";
    std::shared_ptr<void const> owner;
    std::string_view kept;
    near->async_receive([&](error_code, std::span<inbound const> batch) {
        auto const& message = std::get<linkspan::inbound_message>(batch.front());
        BOOST_TEST_REQUIRE(message.owner != nullptr);
        owner = *message.owner;
        kept = message.bytes;
        receive();
    });
    write_at_peer(large + "\n");
    BOOST_TEST((kept == large));
    for (int i = 0; i != 3; ++i)
        write_at_peer("{\"y\":\"" + std::string(std::size_t{1} << 20, 'y') + "\"}\n");
    BOOST_TEST(log.size() > (3u << 20));
    near.reset();
    run();
    BOOST_TEST((kept == large));
}

BOOST_AUTO_TEST_CASE(large_message_is_sent_completely)
{
    auto const large = "{\"x\":\"" + std::string(std::size_t{1} << 20, 'x') + "\"}";
    read_at_peer();
    send(1, large);
    run();
    BOOST_TEST((at_peer == large + "\n"));
}

BOOST_AUTO_TEST_CASE(small_message_has_no_owner)
{
    near->async_receive([](error_code, std::span<inbound const> batch) {
        BOOST_TEST(std::get<linkspan::inbound_message>(batch.front()).owner == nullptr);
    });
    write_at_peer("{}\n");
}

BOOST_AUTO_TEST_SUITE_END()
