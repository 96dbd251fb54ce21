#include <linkspan/transport/line_connection.hpp>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/connection_fixture.hpp"

namespace line_connection_test {

using linkspan::abandon_result;
using linkspan::error;
using namespace connection_fixture;

} // namespace line_connection_test

BOOST_FIXTURE_TEST_SUITE(line_connection_test, fixture)

// Sending

BOOST_AUTO_TEST_CASE(messages_are_written_as_lines_after_send_returns)
{
    read_at_peer();
    send(1, R"({"a":1})");
    send(0, R"({"b":2})");
    send(2, R"({"c":3})");
    BOOST_TEST(near->queued_bytes() == 24u);
    BOOST_TEST(far.in->bytes_written() == 0u);
    run();
    BOOST_TEST(at_peer == "{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n");
    BOOST_TEST(near->queued_bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(request_is_reported_as_not_sent_exactly_if_its_line_end_was_not_accepted)
{
    constexpr std::pair<request_id, std::string_view> lines[] = {
        {1, "{}"}, {0, "{\"n\":0}"}, {2, "{\"m\":1}"}, {3, "[]"}};
    for (std::size_t const capacity : {1u, 2u, 5u, 1'000u})
        for (std::size_t cut = 0; cut <= 22; ++cut) {
            fixture here;
            here.far.in->capacity(capacity);
            here.far.in->cut_after(cut, [&here] { here.far.close(); });
            here.read_at_peer();
            here.receive();
            std::string expected;
            std::size_t end = 0;
            for (auto const& [id, line] : lines) {
                here.send(id, line);
                if ((end += line.size() + 1) > cut && id != 0) // id 0: a notification, which is not reported
                    expected += not_sent(id, broken);
            }
            BOOST_TEST_REQUIRE(end == 22u);
            here.run();
            expected += ended(error::stream_ended);
            BOOST_TEST_CONTEXT("capacity " << capacity << ", cut after " << cut)
                BOOST_TEST(here.log == expected);
        }
}

BOOST_AUTO_TEST_CASE(bytes_beyond_the_capacity_of_the_pipe_are_queued)
{
    far.in->capacity(5);
    for (request_id id = 1; id != 4; ++id)
        send(id, R"({"a":1})");
    run();
    BOOST_TEST(near->queued_bytes() == 24u - 5u);
    send(4, "{}");
    run();
    BOOST_TEST(near->queued_bytes() == 24u - 5u + 3u);
    read_at_peer();
    run();
    BOOST_TEST(at_peer == "{\"a\":1}\n{\"a\":1}\n{\"a\":1}\n{}\n");
    BOOST_TEST(near->queued_bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(message_sent_while_receiving_is_written)
{
    read_at_peer();
    near->async_receive([this](error_code, std::span<inbound const>) { send(0, "{}"); });
    write_at_peer("{\"id\":1}\n");
    BOOST_TEST(at_peer == "{}\n");
}

BOOST_AUTO_TEST_CASE(reading_continues_after_a_failed_write)
{
    receive();
    run();
    far.in->close_reader();
    send(1, "{}");
    run();
    send(2, "{}");
    run();
    BOOST_TEST(log == not_sent(1, broken) + not_sent(2, broken));
    write_at_peer("{\"id\":0}\n");
    BOOST_TEST(log.ends_with("message {\"id\":0}; "));
}

BOOST_AUTO_TEST_CASE(queued_request_is_reported_after_the_last_messages_of_the_peer)
{
    far.in->capacity(1);
    receive();
    send(1, "{}");
    run();
    write_at_peer("{\"last\":1}\n");
    far.out->close_writer();
    run();
    BOOST_TEST(log == "message {\"last\":1}; " + not_sent(1, error::stream_ended) + ended(error::stream_ended));
}

// Cancellation

BOOST_AUTO_TEST_CASE(request_abandoned_before_its_transmission_is_not_written)
{
    read_at_peer();
    receive();
    for (request_id id = 1; id != 4; ++id)
        send(id, R"({"id":)" + std::to_string(id) + "}");
    BOOST_TEST((near->abandon(2) == abandon_result::not_sent));
    BOOST_TEST((near->abandon(2) == abandon_result::peer_not_notified));
    run();
    BOOST_TEST(at_peer == "{\"id\":1}\n{\"id\":3}\n");
    BOOST_TEST(log.empty());
}

BOOST_AUTO_TEST_CASE(request_abandoned_after_its_first_byte_is_written_completely)
{
    far.in->capacity(4);
    send(1, "{}");
    send(2, R"({"a":1})");
    run();
    BOOST_TEST((near->abandon(1) == abandon_result::peer_not_notified));
    BOOST_TEST((near->abandon(2) == abandon_result::peer_not_notified));
    BOOST_TEST((near->abandon(3) == abandon_result::peer_not_notified));
    read_at_peer();
    run();
    BOOST_TEST(at_peer == "{}\n{\"a\":1}\n");
}

// End of the connection

BOOST_AUTO_TEST_CASE(end_of_stream_follows_the_messages_and_is_repeated)
{
    for (auto const& [bytes, end] :
         {std::pair("{}\n", error::stream_ended), std::pair("{}\n{\"cut", error::truncated_line)}) {
        fixture here;
        here.receive();
        here.write_at_peer(bytes);
        here.far.out->close_writer();
        here.run();
        here.receive_once();
        BOOST_TEST(here.log == "message {}; " + ended(end) + ended(end));
    }
}

BOOST_AUTO_TEST_CASE(line_over_the_limit_ends_the_stream)
{
    receive();
    write_at_peer("{}\n" + std::string(linkspan::line_framing::default_max_line + 1, 'x'));
    BOOST_TEST(log == "message {}; " + ended(error::line_too_long));
}

BOOST_AUTO_TEST_CASE(maximum_line_size_is_configurable)
{
    fixture here(4);
    here.receive();
    here.write_at_peer("{ }\n{  }\n{   }\n");
    BOOST_TEST(here.log == "message { }; message {  }; " + ended(error::line_too_long));
}

BOOST_AUTO_TEST_CASE(close_completes_outstanding_receive_once_in_a_later_turn)
{
    receive();
    run();
    near->close();
    near->close();
    BOOST_TEST(log.empty());
    run();
    BOOST_TEST(log == ended(aborted));
    receive_once();
    BOOST_TEST(log == ended(aborted) + ended(aborted));
}

BOOST_AUTO_TEST_CASE(destruction_completes_outstanding_receive)
{
    receive();
    run();
    near.reset();
    BOOST_TEST(log.empty());
    run();
    BOOST_TEST(log == ended(aborted));
}

BOOST_AUTO_TEST_CASE(queued_requests_are_reported_once_at_close)
{
    far.in->capacity(4);
    send(1, "{}");
    send(2, "{}");
    run();
    send(3, "{}");
    near->close();
    send(4, "{}");
    send(0, "{}");
    receive();
    run();
    BOOST_TEST(log == not_sent(2, aborted) + not_sent(3, aborted) + not_sent(4, aborted) + ended(aborted));
}

BOOST_AUTO_TEST_CASE(shutdown_writes_queued_messages_and_then_completes_the_receive)
{
    read_at_peer();
    receive();
    send(1, "{}");
    bool done = false;
    near->async_shutdown([&](error_code ec) {
        BOOST_TEST(!ec);
        done = true;
    });
    BOOST_TEST(!done);
    run();
    BOOST_TEST(done);
    BOOST_TEST(at_peer == "{}\n");
    BOOST_TEST(log == ended(aborted));
}

// Rules for all asynchronous functions

BOOST_AUTO_TEST_CASE(handlers_run_on_their_associated_executor)
{
    auto const strand = asio::make_strand(context);
    int runs = 0;
    auto const count = [&](auto&&...) { runs += strand.running_in_this_thread() ? 1 : 0; };
    near->async_receive(asio::bind_executor(strand, count));
    write_at_peer("{}\n");
    near->async_shutdown(asio::bind_executor(strand, count));
    run();
    near->async_receive(asio::bind_executor(strand, count));
    run();
    BOOST_TEST(runs == 3);
}

BOOST_AUTO_TEST_CASE(failed_open_completes_with_its_error_in_a_later_turn)
{
    inproc_config config;
    config.connect = [](asio::any_io_executor const&, memory_end const&) {
        return error_code(asio::error::connection_refused);
    };
    inproc refused(context.get_executor(), config);
    std::optional<error_code> seen;
    refused.async_open([&](error_code ec) { seen = ec; });
    BOOST_TEST(!seen);
    run();
    BOOST_TEST(seen.value() == error_code(asio::error::connection_refused));
}

BOOST_AUTO_TEST_SUITE_END()
