#include <linkspan/transport/socket_stream.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

BOOST_AUTO_TEST_SUITE(socket_stream_test)

namespace asio = boost::asio;
using linkspan::error_code;
using socket = asio::local::stream_protocol::socket;
using stream = linkspan::socket_stream<socket>;

namespace {

struct connected {
    asio::io_context context;
    socket peer{context};
    stream here = connect();

    stream connect()
    {
        socket made(context);
        asio::local::connect_pair(made, peer);
        return stream(std::move(made));
    }

    // Result of a read, and of `read_unless_stale`, which initiates it.
    struct read_result {
        bool is_initiated = false;
        std::optional<error_code> ec; // empty: the handler was not invoked
        std::string bytes;
    };

    // Initiates `read_unless_stale`, calls `between` with the result, and runs the context.
    template<class Between>
    read_result read_unless_stale(Between between)
    {
        read_result out;
        std::array<char, 100> space{};
        auto done = [&](error_code ec, std::size_t size) {
            out.ec = ec;
            out.bytes.assign(space.data(), size);
        };
        out.is_initiated = here.read_unless_stale(asio::buffer(space), {done, context.get_executor()});
        between();
        context.run();
        return out;
    }

    // Starts a write of `text`, and returns its error after `between` was called.
    template<class Between>
    std::optional<error_code> write(std::string_view text, Between between)
    {
        std::optional<error_code> out;
        here.write(asio::buffer(text.data(), text.size()),
                   {[&](error_code ec, std::size_t) { out = ec; }, context.get_executor()});
        between();
        context.run();
        return out;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(write_completes_after_all_bytes_are_accepted, connected)
{
    auto const ec = write("hello", [] {});
    BOOST_TEST_REQUIRE(ec.has_value());
    BOOST_TEST(!*ec, ec->message());
    BOOST_TEST(peer.available() == 5u);
}

// A stream above this one must not use its buffer after the stream was closed.
BOOST_FIXTURE_TEST_CASE(write_of_closed_stream_is_aborted_although_all_bytes_were_accepted, connected)
{
    auto const ec = write("hello", [this] { here.close(); });
    BOOST_TEST_REQUIRE(ec.has_value());
    BOOST_TEST((*ec == asio::error::operation_aborted), ec->message());
}

BOOST_FIXTURE_TEST_CASE(read_of_idle_stream_receives_later_bytes, connected)
{
    auto const got = read_unless_stale([this] { asio::write(peer, asio::buffer("hello", 5)); });
    BOOST_TEST(got.is_initiated);
    BOOST_TEST_REQUIRE(got.ec.has_value());
    BOOST_TEST(!*got.ec, got.ec->message());
    BOOST_TEST(got.bytes == "hello");
}

BOOST_AUTO_TEST_CASE(stream_closed_by_peer_is_stale)
{
    for (bool const is_half : {true, false}) {
        connected pair;
        if (is_half)
            pair.peer.shutdown(socket::shutdown_send);
        else
            pair.peer.close();
        BOOST_TEST(pair.here.is_stale());
        auto const got = pair.read_unless_stale([&] { pair.here.close(); });
        BOOST_TEST(!got.is_initiated);
        BOOST_TEST((!got.ec || *got.ec == asio::error::operation_aborted));
    }
}

// Also if the peer closed the stream after these bytes.
BOOST_AUTO_TEST_CASE(stream_with_unread_bytes_is_stale)
{
    for (bool const is_closed : {false, true}) {
        connected pair;
        asio::write(pair.peer, asio::buffer("hello", 5));
        if (is_closed)
            pair.peer.close();
        BOOST_TEST(pair.here.is_stale());
        auto const got = pair.read_unless_stale([&] { pair.here.close(); });
        BOOST_TEST(!got.is_initiated);
        BOOST_TEST((!got.ec || *got.ec == asio::error::operation_aborted));
    }
}

BOOST_FIXTURE_TEST_CASE(write_now_accepts_beginning_and_write_the_rest, connected)
{
    std::string const text(std::size_t{8} << 20, 'x');
    auto const first = here.write_now(asio::buffer(text));
    BOOST_TEST(first > 0u);
    BOOST_TEST_REQUIRE(first < text.size());
    BOOST_TEST(here.has_unwritten());
    std::string received(text.size(), ' ');
    asio::async_read(peer, asio::buffer(received), [](error_code ec, std::size_t) { BOOST_TEST(!ec, ec.message()); });
    auto const ec = write(std::string_view(text).substr(first), [] {});
    BOOST_TEST_REQUIRE(ec.has_value());
    BOOST_TEST(!*ec, ec->message());
    BOOST_TEST(!here.has_unwritten());
    BOOST_TEST((received == text));
}

BOOST_FIXTURE_TEST_CASE(error_of_write_now_is_reported_by_write, connected)
{
    peer.close();
    BOOST_TEST(here.write_now(asio::buffer("hello", 5)) == 0u);
    BOOST_TEST(here.has_unwritten());
    auto const ec = write("hello", [] {});
    BOOST_TEST_REQUIRE(ec.has_value());
    BOOST_TEST((*ec == asio::error::broken_pipe), ec->message());
}

BOOST_AUTO_TEST_SUITE_END()
