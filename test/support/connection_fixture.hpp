#ifndef LINKSPAN_TEST_SUPPORT_CONNECTION_FIXTURE_HPP
#define LINKSPAN_TEST_SUPPORT_CONNECTION_FIXTURE_HPP

#include <linkspan/test/virtual_time.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace connection_fixture {

namespace asio = boost::asio;
using linkspan::error_code;
using linkspan::inbound;
using linkspan::inproc;
using linkspan::inproc_config;
using linkspan::memory_end;
using linkspan::memory_stream;
using linkspan::outbound;
using linkspan::request_id;
using linkspan::test::virtual_time;

inline std::string text(inbound const& item)
{
    if (auto const* message = std::get_if<linkspan::inbound_message>(&item))
        return "message " + std::string(message->bytes) + "; ";
    if (auto const* notice = std::get_if<linkspan::inbound_notice>(&item))
        return "unexpected_output " + std::string(notice->text) + "; ";
    auto const& report = std::get<linkspan::inbound_report>(item);
    return std::string(to_string(report.certainty)) + ' ' + std::to_string(report.id) + ' ' + report.ec.message() +
           "; ";
}

inline std::string ended(error_code ec) { return "end " + ec.message() + "; "; }

inline std::string not_sent(request_id id, error_code ec)
{
    return "not_sent " + std::to_string(id) + ' ' + ec.message() + "; ";
}

inline error_code const broken = asio::error::broken_pipe;
inline error_code const aborted = asio::error::operation_aborted;

// A connection and its peer, which reads on demand.
struct fixture {
    asio::io_context context{1};
    virtual_time& time = virtual_time::install(context);
    memory_end far;
    std::optional<memory_stream> peer;
    std::string at_peer; // all bytes that the peer has read
    std::array<char, 1'000> peer_buffer;
    std::unique_ptr<inproc> near;
    std::string log; // all received items
    bool receives_repeatedly = true;

    explicit fixture(std::size_t max_line = linkspan::line_framing::default_max_line)
    {
        inproc_config config;
        config.max_line = max_line;
        config.connect = [this](asio::any_io_executor const& executor, memory_end end) {
            far = end;
            peer.emplace(executor, std::move(end));
            return error_code();
        };
        near = std::make_unique<inproc>(context.get_executor(), config);
        near->async_open([](error_code ec) { BOOST_TEST(!ec); });
        run();
    }

    ~fixture()
    {
        near.reset();
        far.close();
        run();
        context.poll();
        BOOST_TEST(context.stopped(), "operations are outstanding");
    }

    void run() { time.run_until_idle(); }

    void receive()
    {
        near->async_receive([this](error_code ec, std::span<inbound const> batch) {
            for (auto const& item : batch)
                log += text(item);
            if (ec)
                log += ended(ec);
            else if (receives_repeatedly)
                receive();
        });
    }

    void receive_once()
    {
        receives_repeatedly = false;
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

} // namespace connection_fixture

#endif
