#include <array>
#include <cstdint>
#include <memory>

#include "support/counted_server.hpp"

BOOST_AUTO_TEST_SUITE(byte_cuts_test)

// The connection is cut after each byte of the conversation, in either direction. Every operation completes, and the
// certainty of each call corresponds to the bytes that were delivered.

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::certainty;
using linkspan::error;
using linkspan::error_code;
using linkspan::inproc;
using linkspan::inproc_config;
using linkspan::memory_channel;
using linkspan::protocol_version;
using linkspan::replay_class;
using linkspan::session;
using linkspan::via;
namespace asio = boost::asio;

namespace {

constexpr std::size_t calls = 2;

// End offset of each message of the conversation, including its newline.
struct offsets {
    std::uint64_t opened = 0;
    std::array<std::uint64_t, calls> call{};
};

struct conversation {
    offsets requests, responses;
};

// Skips the probe: a server lost on the probe is restarted.
linkspan::session_options options_for(protocol_version version)
{
    linkspan::session_options options;
    options.remembered = linkspan::traits_of(version).era;
    return options;
}

asio::awaitable<conversation> measure(asio::any_io_executor executor, protocol_version version)
{
    counted_server server(version);
    std::shared_ptr<memory_channel> requests, responses;
    inproc_config config = server;
    config.connect = [&, connect = config.connect](asio::any_io_executor const& ex, linkspan::memory_end const& end) {
        requests = end.in;
        responses = end.out;
        return connect(ex, end);
    };
    session client(executor, via<inproc>(config), options_for(version));
    conversation out;
    co_await client.async_open();
    out.requests.opened = requests->bytes_written(); // excludes `notifications/initialized`, which has no response
    out.responses.opened = responses->bytes_written();
    for (std::size_t i = 0; i != calls; ++i) {
        co_await client.async_call_tool("pay");
        out.requests.call[i] = requests->bytes_written();
        out.responses.call[i] = responses->bytes_written();
    }
    co_return out;
}

} // namespace

LINKSPAN_CASE(certainty_is_correct_if_requests_are_cut_after_any_byte)
{
    for (auto const version : {protocol_version::v2025_11_25, protocol_version::v2026_07_28}) {
        auto const whole = co_await measure(executor, version);
        for (std::uint64_t n = 0; n <= whole.requests.call.back() + 1; ++n) {
            counted_server server(version);
            server.cut_requests_after(n);
            session client(executor, via<inproc>(server), options_for(version));
            auto const [opened] = co_await client.async_open(in_tuple);
            BOOST_TEST(opened.failed() == (n <= whole.requests.opened), n << ": " << opened.message());
            for (std::size_t i = 0; i != calls; ++i) {
                auto const [ec, result] = co_await client.async_call_tool("pay", {}, in_tuple);
                auto const end = whole.requests.call[i];
                auto const expected = n < end    ? certainty::not_sent
                                      : n == end ? certainty::unknown
                                                 : certainty::completed;
                auto const how = ec ? result.attempts()[0].result.certainty : certainty::completed;
                if (how != expected)
                    BOOST_ERROR("call " << i << " cut after " << n << " of " << end << ": " << to_string(how));
            }
        }
    }
}

LINKSPAN_CASE(certainty_is_correct_if_responses_are_cut_after_any_byte)
{
    for (auto const version : {protocol_version::v2025_11_25, protocol_version::v2026_07_28}) {
        auto const whole = co_await measure(executor, version);
        for (std::uint64_t n = 0; n <= whole.responses.call.back() + 1; ++n) {
            counted_server server(version);
            server.cut_responses_after(n);
            session client(executor, via<inproc>(server), options_for(version));
            auto const [opened] = co_await client.async_open(in_tuple);
            BOOST_TEST(opened.failed() == (n < whole.responses.opened), n << ": " << opened.message());
            for (std::size_t i = 0; i != calls; ++i) {
                auto const [ec, result] = co_await client.async_call_tool("pay", {}, in_tuple);
                auto const begin = i == 0 ? whole.responses.opened : whole.responses.call[i - 1];
                auto const end = whole.responses.call[i];
                auto const expected = n <= begin ? certainty::not_sent // the connection was cut before
                                      : n < end  ? certainty::unknown
                                                 : certainty::completed;
                auto const how = ec ? result.attempts()[0].result.certainty : certainty::completed;
                if (how != expected)
                    BOOST_ERROR("call " << i << " cut after " << n << " of " << end << ": " << to_string(how));
            }
        }
    }
}

// Includes the probe and the handshake. A server lost on the probe is restarted once, and cut again.
LINKSPAN_CASE(open_completes_if_connection_is_cut_after_any_byte)
{
    std::size_t opened = 0, failed = 0;
    for (auto const version : {protocol_version::v2025_11_25, protocol_version::v2026_07_28})
        for (bool const requests : {true, false})
            for (std::uint64_t n = 0; n < 1'000; ++n) {
                counted_server server(version);
                requests ? server.cut_requests_after(n) : server.cut_responses_after(n);
                session client(executor, via<inproc>(server));
                auto const began = time.now();
                auto const [ec] = co_await client.async_open(in_tuple);
                BOOST_TEST((ec || client.protocol_version() == version));
                BOOST_TEST(server.connections() <= 2u);
                BOOST_TEST((time.now() == began)); // a lost connection is detected without a timeout
                ++(ec ? failed : opened);
            }
    BOOST_TEST(opened > 100u);
    BOOST_TEST(failed > 100u);
}

BOOST_AUTO_TEST_SUITE_END()
