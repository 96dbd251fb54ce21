#include <linkspan/transport/memory_pipe.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(memory_pipe_test)

namespace asio = boost::asio;
using linkspan::error_code;
using linkspan::make_memory_pipe;

namespace {

struct pipe_world {
    asio::io_context context;
    std::pair<linkspan::memory_end, linkspan::memory_end> ends = make_memory_pipe();
    linkspan::memory_channel& channel = *ends.first.out;
    bool is_writable = false; // set when the wait completes

    error_code write(char const* text)
    {
        error_code ec;
        channel.write_some(asio::buffer(text, 1), ec);
        return ec;
    }

    void wait()
    {
        is_writable = false;
        channel.wait_writable({[this](error_code) { is_writable = true; }, context.get_executor()},
                              context.get_executor());
        context.restart();
        context.poll();
    }

    void poll()
    {
        context.restart();
        context.poll();
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(wait_on_full_channel_completes_when_bytes_are_read, pipe_world)
{
    channel.capacity(1);
    BOOST_TEST(!write("a"));
    BOOST_TEST((write("b") == asio::error::would_block));
    wait();
    BOOST_TEST(!is_writable);
    char byte = 0;
    ends.second.in->read_some(asio::buffer(&byte, 1), {[](error_code, std::size_t) {}, context.get_executor()},
                              context.get_executor());
    poll();
    BOOST_TEST(is_writable);
    BOOST_TEST(byte == 'a');
    BOOST_TEST(!write("b"));
}

// A wait that completes while `write_some` accepts no byte would make a writer spin.
BOOST_FIXTURE_TEST_CASE(wait_on_cut_channel_completes_when_an_end_is_closed, pipe_world)
{
    channel.cut_after(1, {});
    BOOST_TEST(!write("a"));
    BOOST_TEST((write("b") == asio::error::would_block));
    wait();
    BOOST_TEST(!is_writable);
    ends.second.in->close_reader();
    poll();
    BOOST_TEST(is_writable);
    BOOST_TEST((write("b") == asio::error::broken_pipe));
}

BOOST_FIXTURE_TEST_CASE(write_at_reached_cut_accepts_no_byte_with_an_error, pipe_world)
{
    BOOST_TEST(!write("a"));
    int cuts = 0;
    channel.cut_after(1, [&] { ++cuts; });
    BOOST_TEST((write("b") == asio::error::would_block));
    BOOST_TEST(cuts == 1);
    BOOST_TEST((write("b") == asio::error::would_block));
    BOOST_TEST(cuts == 1);
    BOOST_TEST(channel.bytes_written() == 1u);
}

BOOST_FIXTURE_TEST_CASE(write_at_reached_cut_that_closes_an_end_fails, pipe_world)
{
    BOOST_TEST(!write("a"));
    channel.cut_after(1, [this] { ends.second.in->close_reader(); });
    BOOST_TEST((write("b") == asio::error::broken_pipe));
    BOOST_TEST(channel.bytes_written() == 1u);
}

BOOST_FIXTURE_TEST_CASE(write_that_accepts_bytes_clears_the_error, pipe_world)
{
    channel.capacity(1);
    error_code ec;
    BOOST_TEST(channel.write_some(asio::buffer("ab", 2), ec) == 1u);
    BOOST_TEST(!ec);
    BOOST_TEST(channel.write_some(asio::buffer("b", 1), ec) == 0u);
    BOOST_TEST((ec == asio::error::would_block));
    channel.capacity(2);
    BOOST_TEST(channel.write_some(asio::buffer("b", 1), ec) == 1u);
    BOOST_TEST(!ec);
}

BOOST_FIXTURE_TEST_CASE(wait_on_full_channel_completes_when_the_capacity_grows, pipe_world)
{
    channel.capacity(1);
    BOOST_TEST(!write("a"));
    wait();
    BOOST_TEST(!is_writable);
    channel.capacity(2);
    poll();
    BOOST_TEST(is_writable);
    BOOST_TEST(!write("b"));
}

BOOST_AUTO_TEST_SUITE_END()
