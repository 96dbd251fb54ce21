#include <linkspan/test/virtual_time.hpp>
#include <linkspan/transport/inproc.hpp>
#include <linkspan/transport/line_connection.hpp>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using linkspan::error;
using linkspan::error_code;
using linkspan::inbound;
using linkspan::inproc;
using linkspan::inproc_config;
using linkspan::memory_end;
using linkspan::memory_stream;
using linkspan::outbound;
using linkspan::request_id;
using linkspan::withdrawal;
using linkspan::test::virtual_time;
namespace asio = boost::asio;

namespace {

using texts = std::vector<std::string>;

std::string text(inbound const& item)
{
    if (auto const* message = std::get_if<linkspan::inbound_message>(&item))
        return "message " + std::string(message->bytes);
    if (auto const* notice = std::get_if<linkspan::inbound_notice>(&item))
        return "noise " + std::string(notice->text);
    auto const& report = std::get<linkspan::inbound_report>(item);
    return std::string(to_string(report.how)) + ' ' + std::to_string(report.id) + ' ' + report.ec.message();
}

std::string ended(error_code ec) { return "end " + ec.message(); }

std::string not_sent(request_id id, error_code ec) { return "not_sent " + std::to_string(id) + ' ' + ec.message(); }

error_code const broken = asio::error::broken_pipe;
error_code const aborted = asio::error::operation_aborted;

// A connection, and the other end of it, which reads when it is told to.
struct both_ends {
    asio::io_context context{1};
    virtual_time& time = virtual_time::install(context);
    memory_end far;
    std::optional<memory_stream> peer;
    std::string at_peer; // all that the peer has read
    std::array<char, 1'000> peer_buffer;
    std::unique_ptr<inproc> near;
    texts log; // all that came in
    bool goes_on = true;

    both_ends()
    {
        inproc_config config;
        config.connect = [this](asio::any_io_executor const& executor, memory_end end) {
            far = end;
            peer.emplace(executor, std::move(end));
            return error_code();
        };
        near = std::make_unique<inproc>(context.get_executor(), config);
        near->async_open([](error_code ec) { BOOST_TEST(!ec); });
        run();
    }

    ~both_ends()
    {
        near.reset();
        far.close();
        run();
        context.poll();
        BOOST_TEST(context.stopped(), "operations are left");
    }

    void run() { time.run_until_idle(); }

    void receive()
    {
        near->async_receive([this](error_code ec, std::span<inbound const> batch) {
            for (auto const& item : batch)
                log.push_back(text(item));
            if (ec)
                log.push_back(ended(ec));
            else if (goes_on)
                receive();
        });
    }

    void receive_once()
    {
        goes_on = false;
        receive();
        run();
    }

    void send(request_id id, std::string_view line)
    {
        outbound message;
        message.id = id;
        message.bytes = line;
        near->send(message);
    }

    void read_at_peer()
    {
        peer->async_read_some(asio::buffer(peer_buffer), [this](error_code ec, std::size_t size) {
            at_peer.append(peer_buffer.data(), size);
            if (!ec)
                read_at_peer();
        });
    }

    void write_at_peer(std::string_view bytes)
    {
        error_code ec;
        while (!bytes.empty() && !ec) {
            bytes.remove_prefix(peer->write_some(asio::buffer(bytes), ec));
            run();
        }
        BOOST_TEST(!ec);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(line_connection_test, both_ends)

// Sending

BOOST_AUTO_TEST_CASE(messages_go_out_as_lines_at_the_end_of_the_turn)
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

BOOST_AUTO_TEST_CASE(a_request_is_reported_exactly_when_its_line_end_was_not_accepted)
{
    constexpr std::pair<request_id, std::string_view> lines[] = {
        {1, "{}"}, {0, "{\"n\":0}"}, {2, "{\"m\":1}"}, {3, "[]"}};
    for (std::size_t const capacity : {1, 2, 5, 1'000})
        for (std::size_t cut = 0; cut <= 22; ++cut) {
            both_ends here;
            here.far.in->capacity(capacity);
            here.far.in->cut_after(cut, [&here] { here.far.close(); });
            here.read_at_peer();
            here.receive();
            texts expected;
            std::size_t end = 0;
            for (auto const& [id, line] : lines) {
                here.send(id, line);
                if ((end += line.size() + 1) > cut && id != 0)
                    expected.push_back(not_sent(id, broken));
            }
            BOOST_TEST_REQUIRE(end == 22u);
            here.run();
            expected.push_back(ended(error::stream_ended));
            BOOST_TEST_CONTEXT("capacity " << capacity << ", cut after " << cut)
                BOOST_TEST(here.log == expected, boost::test_tools::per_element());
        }
}

BOOST_AUTO_TEST_CASE(what_a_slow_peer_has_no_room_for_waits)
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

BOOST_AUTO_TEST_CASE(an_answer_that_is_given_while_receiving_goes_out)
{
    read_at_peer();
    near->async_receive([this](error_code, std::span<inbound const>) { send(0, "{}"); });
    write_at_peer("{\"id\":1}\n");
    BOOST_TEST(at_peer == "{}\n");
}

BOOST_AUTO_TEST_CASE(after_a_failed_write_reading_goes_on)
{
    receive();
    run();
    far.in->close_reader();
    send(1, "{}");
    run();
    send(2, "{}");
    run();
    BOOST_TEST(log == (texts{not_sent(1, broken), not_sent(2, broken)}), boost::test_tools::per_element());
    write_at_peer("{\"id\":0}\n");
    BOOST_TEST(log.back() == "message {\"id\":0}");
}

BOOST_AUTO_TEST_CASE(a_request_that_waits_when_the_peer_leaves_is_reported_after_its_last_messages)
{
    far.in->capacity(1);
    receive();
    send(1, "{}");
    run();
    write_at_peer("{\"last\":1}\n");
    far.out->close_writer();
    run();
    BOOST_TEST(log == (texts{"message {\"last\":1}", not_sent(1, error::stream_ended), ended(error::stream_ended)}),
               boost::test_tools::per_element());
}

// Withdrawing

BOOST_AUTO_TEST_CASE(a_request_that_was_not_written_is_withdrawn_without_a_trace)
{
    read_at_peer();
    receive();
    for (request_id id = 1; id != 4; ++id)
        send(id, R"({"id":)" + std::to_string(id) + "}");
    BOOST_TEST((near->abandon(2) == withdrawal::unsent));
    BOOST_TEST((near->abandon(2) == withdrawal::untold));
    run();
    BOOST_TEST(at_peer == "{\"id\":1}\n{\"id\":3}\n");
    BOOST_TEST(log.empty());
}

BOOST_AUTO_TEST_CASE(a_request_that_was_written_in_part_or_whole_is_not_withdrawn)
{
    far.in->capacity(4);
    send(1, "{}");
    send(2, R"({"a":1})");
    run();
    BOOST_TEST((near->abandon(1) == withdrawal::untold));
    BOOST_TEST((near->abandon(2) == withdrawal::untold));
    BOOST_TEST((near->abandon(3) == withdrawal::untold));
    read_at_peer();
    run();
    BOOST_TEST(at_peer == "{}\n{\"a\":1}\n");
}

// Receiving

BOOST_AUTO_TEST_CASE(all_lines_of_a_read_come_together)
{
    receive();
    write_at_peer("{\"a\":1}\n[2]\r\n\n\r\n{\"b\":");
    BOOST_TEST(log == (texts{"message {\"a\":1}", "message [2]"}), boost::test_tools::per_element());
    write_at_peer("2}\n");
    BOOST_TEST(log.back() == "message {\"b\":2}");
}

BOOST_AUTO_TEST_CASE(every_cut_of_a_stream_gives_the_same_messages)
{
    constexpr std::string_view stream = "{\"a\":\"é\"}\r\nnoise\n[]\n";
    for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
        both_ends here;
        here.receive();
        here.write_at_peer(stream.substr(0, cut));
        here.write_at_peer(stream.substr(cut));
        BOOST_TEST(here.log == (texts{"message {\"a\":\"é\"}", "noise noise", "message []"}),
                   boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(a_line_that_is_no_message_is_noise)
{
    receive();
    write_at_peer("Server running on stdio\n{}\n\"text\"\n42\n");
    BOOST_TEST(log == (texts{"noise Server running on stdio", "message {}", "noise \"text\"", "noise 42"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(blanks_before_a_message_do_not_make_it_noise)
{
    receive();
    write_at_peer(" {\"a\":1}\n\t[2]\n");
    BOOST_TEST(log == (texts{"message  {\"a\":1}", "message \t[2]"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(messages_that_come_while_no_receive_is_out_are_not_lost)
{
    receive_once();
    write_at_peer("{\"a\":1}\n{\"b\":");
    write_at_peer("2}\n");
    write_at_peer("{\"c\":3}\n");
    BOOST_TEST(log == texts{"message {\"a\":1}"}, boost::test_tools::per_element());
    receive_once();
    receive_once();
    BOOST_TEST(log == (texts{"message {\"a\":1}", "message {\"b\":2}", "message {\"c\":3}"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_read_that_ends_after_a_report_was_received_is_kept)
{
    receive_once();
    far.in->close_reader();
    send(1, "{}");
    run();
    write_at_peer("{\"a\":1}\n");
    BOOST_TEST(log == texts{not_sent(1, broken)}, boost::test_tools::per_element());
    receive_once();
    BOOST_TEST(log.back() == "message {\"a\":1}");
}

BOOST_AUTO_TEST_CASE(a_large_message_is_kept_by_its_owner_alone)
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
    BOOST_TEST(log.size() == 3u);
    near.reset();
    run();
    BOOST_TEST((kept == large));
}

BOOST_AUTO_TEST_CASE(a_large_message_is_sent_whole)
{
    auto const large = "{\"x\":\"" + std::string(std::size_t{1} << 20, 'x') + "\"}";
    read_at_peer();
    send(1, large);
    run();
    BOOST_TEST((at_peer == large + "\n"));
}

BOOST_AUTO_TEST_CASE(a_small_message_has_no_owner)
{
    near->async_receive([](error_code, std::span<inbound const> batch) {
        BOOST_TEST(std::get<linkspan::inbound_message>(batch.front()).owner == nullptr);
    });
    write_at_peer("{}\n");
}

// The end

BOOST_AUTO_TEST_CASE(the_end_comes_after_the_messages_and_stays)
{
    for (auto const& [bytes, end] :
         {std::pair("{}\n", error::stream_ended), std::pair("{}\n{\"cut", error::line_cut)}) {
        both_ends here;
        here.receive();
        here.write_at_peer(bytes);
        here.far.out->close_writer();
        here.run();
        here.receive_once();
        BOOST_TEST(here.log == (texts{"message {}", ended(end), ended(end)}), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(a_line_that_is_too_long_is_the_end)
{
    receive();
    write_at_peer("{}\n" + std::string(linkspan::line_framing::default_max_line + 1, 'x'));
    BOOST_TEST(log == (texts{"message {}", ended(error::line_too_long)}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(close_ends_a_receive_that_is_out_once_and_later)
{
    receive();
    run();
    near->close();
    near->close();
    BOOST_TEST(log.empty());
    run();
    BOOST_TEST(log == texts{ended(aborted)}, boost::test_tools::per_element());
    receive_once();
    BOOST_TEST(log == (texts{ended(aborted), ended(aborted)}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_connection_that_is_destroyed_ends_its_receive)
{
    receive();
    run();
    near.reset();
    BOOST_TEST(log.empty());
    run();
    BOOST_TEST(log == texts{ended(aborted)}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(requests_that_wait_at_a_close_are_reported_once)
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
    BOOST_TEST(log == (texts{not_sent(2, aborted), not_sent(3, aborted), not_sent(4, aborted), ended(aborted)}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_shutdown_writes_what_waits_and_then_ends_the_receive)
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
    BOOST_TEST(log == texts{ended(aborted)}, boost::test_tools::per_element());
}

// The rules of all asynchronous functions

BOOST_AUTO_TEST_CASE(handlers_run_on_their_own_executor)
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

BOOST_AUTO_TEST_CASE(an_opening_that_fails_says_why_and_later)
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
