#include <linkspan/transport/socket_stream.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
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

BOOST_AUTO_TEST_SUITE_END()
