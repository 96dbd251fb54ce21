// A server over real sockets: Unix domain sockets, and several carriers at once.

#include <linkspan/config/server_config.hpp>
#include <linkspan/core/detail/unique_fd.hpp>
#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/server.hpp>
#include <linkspan/server/http_endpoint.hpp>
#include <linkspan/session.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include "support/folder.hpp"
#include "support/http_calculator.hpp"
#include "support/operands.hpp"
#include "support/program_run.hpp"
#include "support/recorded_transport.hpp"

BOOST_AUTO_TEST_SUITE(http_endpoint_test)

using namespace harness;
using linkspan::auto_http;
using linkspan::http_config;
using linkspan::http_endpoint;
using linkspan::http_endpoint_options;
using linkspan::test::operands;
using linkspan::test::recorded_client;
using local = asio::local::stream_protocol;

namespace {

// A server with the tool that `opening` calls.
struct adding_server {
    explicit adding_server(asio::any_io_executor executor) : server(std::move(executor), {.name = "adder"})
    {
        server.add(linkspan::local_tool("add", "Adds two numbers", [](operands const& two) { return two.a + two.b; }));
    }

    linkspan::server server;
};

// A client of the standard streams of this process, which are replaced while the server duplicates them.
class streams_client {
public:
    // has_sockets: the streams are sockets instead of pipes.
    streams_client(bool has_sockets, linkspan::server& server, std::optional<linkspan::error_code>& end)
    {
        std::array<int, 2> input{}, output{};
        auto const make = [&](int* ends) {
            return has_sockets ? ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) : ::pipe2(ends, O_CLOEXEC);
        };
        BOOST_TEST_REQUIRE((make(input.data()) == 0 && make(output.data()) == 0));
        unique_fd const server_in(input[0]), server_out(output[1]);
        unique_fd const own_in(::dup(STDIN_FILENO)), own_out(::dup(STDOUT_FILENO));
        ::dup2(server_in.get(), STDIN_FILENO);
        ::dup2(server_out.get(), STDOUT_FILENO);
        linkspan::serve_stdio(server, [&end](linkspan::error_code ec) { end = ec; });
        ::dup2(own_in.get(), STDIN_FILENO);
        ::dup2(own_out.get(), STDOUT_FILENO);
        to_ = unique_fd(input[1]);
        from_ = unique_fd(output[0]);
    }

    void close_read_end() { from_ = unique_fd(); }

    void send(std::string_view line)
    {
        BOOST_TEST((::write(to_.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size())));
    }

private:
    using unique_fd = linkspan::detail::unique_fd;
    unique_fd to_, from_;
};

// Returns whether a SIGPIPE is blocked on this thread, or was raised while it was blocked.
bool has_trace_of_sigpipe()
{
    sigset_t blocked, pending;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    ::sigpending(&pending);
    return ::sigismember(&blocked, SIGPIPE) != 0 || ::sigismember(&pending, SIGPIPE) != 0;
}

http_config config_of(linkspan::server_config const& from)
{
    auto out = config_for(from.url);
    out.unix_socket = from.unix_socket;
    return out;
}

} // namespace

HARNESS_CASE(unix_socket_is_served_to_the_same_user_and_removed_at_the_end)
{
    namespace fs = std::filesystem;
    observe::folder const folder;
    auto const path = folder.path() + "/a socket%.sock";
    adding_server adder(executor);
    {
        http_endpoint_options options;
        options.unix_socket = path;
        options.path = "/tools";
        http_endpoint endpoint(adder.server, std::move(options));
        auto const url = endpoint.listen();
        BOOST_TEST(url == "unix:" + folder.path() + "/a%20socket%25.sock?path=/tools");
        BOOST_TEST(endpoint.listen() == url);
        BOOST_TEST(endpoint.port() == 0);
        BOOST_TEST((fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write)));
        auto const config = config_of(linkspan::server_config::from_url(url));
        auto const ec = co_await opening<auto_http>(config);
        BOOST_TEST(!ec, ec.message());
    }
    BOOST_TEST(!fs::exists(path));
}

HARNESS_CASE(socket_without_a_listener_is_replaced_and_one_with_a_listener_is_kept)
{
    observe::folder const folder;
    auto const path = folder.path() + "/server.sock";
    {
        local::acceptor abandoned(executor, local::endpoint(path)); // the path remains
    }
    adding_server adder(executor);
    http_endpoint_options options;
    options.unix_socket = path;
    http_endpoint first(adder.server, options);
    auto const url = first.listen();

    http_endpoint second(adder.server, options);
    std::string text;
    try {
        second.listen();
    } catch (boost::system::system_error const& failure) {
        BOOST_TEST((failure.code() == boost::system::errc::address_in_use));
        text = failure.what();
    }
    BOOST_TEST(text.starts_with("linkspan: cannot listen on the Unix domain socket '" + path + "'"), text);
    auto const config = config_of(linkspan::server_config::from_url(url));
    auto const ec = co_await opening<auto_http>(config);
    BOOST_TEST(!ec, ec.message());
}

HARNESS_CASE(path_that_is_no_socket_or_too_long_is_an_error)
{
    observe::folder const folder;
    auto const file = folder.add("notes.txt", "important", std::filesystem::perms::owner_all);
    adding_server adder(executor);
    auto const error_of = [&](std::string path) {
        http_endpoint_options options;
        options.unix_socket = std::move(path);
        http_endpoint endpoint(adder.server, std::move(options));
        try {
            endpoint.listen();
        } catch (boost::system::system_error const& failure) {
            return failure.code();
        }
        return linkspan::error_code();
    };
    BOOST_TEST((error_of(file) == boost::system::errc::address_in_use));
    std::string content;
    std::getline(std::ifstream(file), content);
    BOOST_TEST(content == "important");
    BOOST_TEST((error_of(folder.path() + "/" + std::string(200, 'x')) == boost::system::errc::filename_too_long));
    BOOST_TEST((error_of(folder.path() + "/none/server.sock") == boost::system::errc::no_such_file_or_directory));
    co_return;
}

HARNESS_CASE(one_process_serves_both_eras_over_the_streams_and_http_at_once)
{
    observe::folder const folder;
    auto const path = folder.path() + "/server.sock";
    linkspan::stdio_config command;
    command.command = program_run::program("conformance-server");
    command.args = {"--unix", path};
    for (auto const remembered : {std::optional(linkspan::era::handshake), std::optional<linkspan::era>()}) {
        linkspan::session_options options;
        options.remembered = remembered;
        linkspan::session over_streams(executor, linkspan::via<recorded_client<linkspan::stdio>>(command), options);
        co_await over_streams.async_open(asio::use_awaitable);
        auto config = config_for("http://localhost/mcp");
        config.unix_socket = path;
        options.remembered = linkspan::era::handshake;
        linkspan::session handshake(executor, linkspan::via<recorded_client<auto_http>>(config), options);
        linkspan::session stateless(executor, linkspan::via<recorded_client<auto_http>>(config));
        co_await handshake.async_open(asio::use_awaitable);
        co_await stateless.async_open(asio::use_awaitable);
        BOOST_TEST((over_streams.protocol_version() ==
                    (remembered ? linkspan::protocol_version::v2025_11_25 : linkspan::protocol_version::v2026_07_28)));
        BOOST_TEST((handshake.protocol_version() == linkspan::protocol_version::v2025_11_25));
        BOOST_TEST((stateless.protocol_version() == linkspan::protocol_version::v2026_07_28));
        for (auto* const session : {&over_streams, &handshake, &stateless}) {
            auto const [ec, result] = co_await session->async_call_tool("test_simple_text", in_tuple);
            BOOST_TEST(!ec, linkspan::explain(ec, result));
        }
    }
}

// A SIGPIPE would end this process, which does not handle the signal unless the last column is true.
HARNESS_CASE(http_clients_are_served_after_client_of_streams_has_closed_its_read_end)
{
    constexpr std::array<std::array<bool, 2>, 3> sockets_and_ignored{{{false, false}, {true, false}, {false, true}}};
    for (auto const& [has_sockets, is_ignored] : sockets_and_ignored) {
        auto* const before = ::signal(SIGPIPE, is_ignored ? SIG_IGN : SIG_DFL);
        observe::folder const folder;
        adding_server adder(executor);
        http_endpoint_options options;
        options.unix_socket = folder.path() + "/server.sock";
        http_endpoint endpoint(adder.server, std::move(options));
        auto const config = config_of(linkspan::server_config::from_url(endpoint.listen()));
        std::optional<linkspan::error_code> end;
        streams_client client(has_sockets, adder.server, end);
        client.close_read_end();
        client.send(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
                    "\n");
        for (int calls = 0; calls != 2; ++calls) {
            auto const ec = co_await opening<auto_http>(config);
            BOOST_TEST(!ec, ec.message());
        }
        BOOST_TEST((end == asio::error::broken_pipe));
        BOOST_TEST(!has_trace_of_sigpipe());
        ::signal(SIGPIPE, before);
    }
}

HARNESS_CASE(server_process_terminates_after_the_end_of_its_input)
{
    observe::folder const folder;
    auto const path = folder.path() + "/server.sock";
    program_run::options with;
    with.in = R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
              "\n";
    auto const run = program_run::run({program_run::program("conformance-server"), "--unix", path}, with);
    BOOST_TEST(run.status == 0);
    BOOST_TEST(run.out == R"({"jsonrpc":"2.0","id":1,"result":{}})"
                          "\n");
    BOOST_TEST(!std::filesystem::exists(path));
    co_return;
}

HARNESS_CASE(path_is_kept_if_another_server_has_replaced_it)
{
    observe::folder const folder;
    auto const path = folder.path() + "/server.sock";
    adding_server adder(executor);
    http_endpoint_options options;
    options.unix_socket = path;
    http_endpoint next(adder.server, options);
    {
        http_endpoint former(adder.server, options);
        former.listen();
        std::filesystem::remove(path);
        next.listen();
    }
    BOOST_TEST(std::filesystem::exists(path));
    co_return;
}

BOOST_AUTO_TEST_SUITE_END()
