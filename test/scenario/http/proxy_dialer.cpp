// Tunnels through a proxy in memory.

#include <linkspan/http/http_dialers.hpp>
#include <linkspan/http/http_url.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(proxy_dialer_test)

using namespace linkspan;
using linkspan::test::memory_dialer;

namespace {

// One dial operation through a proxy, which accepts the tunnel. run() executes the handlers one by one.
struct tunnel {
    tunnel()
    {
        net->accept = [this](std::unique_ptr<byte_stream> stream) {
            proxy = std::move(stream);
            proxy->write(asio::buffer(accepted.data(), accepted.size()),
                         {[](error_code, std::size_t) {}, context.get_executor()});
        };
        auto const through = make_proxy_dialer(net, *read_http_url("http://proxy:3128"));
        handle = through->dial(context.get_executor(), {"server", 443},
                               {[this](error_code failed, std::unique_ptr<byte_stream> stream) {
                                    ++ends;
                                    ec = failed;
                                    connected = std::move(stream);
                                },
                                context.get_executor()});
    }

    // Runs at most this number of handlers. Returns whether the dial operation is outstanding.
    bool run(std::size_t handlers)
    {
        for (std::size_t i = 0; i != handlers && ends == 0; ++i)
            context.poll_one();
        return ends == 0;
    }

    static constexpr std::string_view accepted = "HTTP/1.1 200 OK\r\n\r\n";
    asio::io_context context;
    std::shared_ptr<memory_dialer> net = std::make_shared<memory_dialer>();
    std::unique_ptr<byte_stream> proxy, connected;
    std::shared_ptr<void> handle;
    std::size_t ends = 0;
    error_code ec;
};

} // namespace

BOOST_AUTO_TEST_CASE(tunnel_is_connected_if_proxy_accepts_it)
{
    tunnel one;
    one.context.poll();
    BOOST_TEST(one.ends == 1u);
    BOOST_TEST(!one.ec, one.ec.message());
    BOOST_TEST(one.connected != nullptr);
    BOOST_TEST(one.net->host == "proxy");
    one.handle.reset();
    BOOST_TEST(!one.connected->is_stale());
}

// The step that completes may have succeeded before the cancellation.
BOOST_AUTO_TEST_CASE(cancellation_between_two_handlers_aborts_the_dial_operation)
{
    std::size_t steps = 0;
    for (;; ++steps) {
        tunnel one;
        if (!one.run(steps))
            break;
        one.handle.reset();
        one.context.poll();
        BOOST_TEST(one.ends == 1u, steps);
        BOOST_TEST((one.ec == asio::error::operation_aborted), steps << ": " << one.ec.message());
        BOOST_TEST(one.connected == nullptr, steps);
    }
    BOOST_TEST(steps > tunnel::accepted.size());
}

BOOST_AUTO_TEST_SUITE_END()
