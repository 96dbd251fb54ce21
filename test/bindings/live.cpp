// Typed calls through the header that linkspan-bindgen has just made of the real filesystem server: against that server,
// and against a scripted one.

#include <linkspan.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <iostream>
#include <string>

#include "files_tools.hpp"
#include "support/npm.hpp"

namespace asio = boost::asio;
using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio, linkspan::inproc>>;

namespace {

int failures = 0;

void check(bool is, char const* what)
{
    if (!is) {
        std::cerr << "failed: " << what << '\n';
        ++failures;
    }
}

asio::awaitable<void> calls(hub_type& hub, std::string folder)
{
    co_await hub.async_open();

    auto const [ec, differences] = co_await hub.async_verify_pins("real", files::pins, asio::as_tuple(asio::deferred));
    check(!ec && differences.empty(), "the tools of the real server are those of the header");

    files::list_directory const ask(folder);
    auto const real = co_await hub.on_server("real").async_call(ask);
    check(real->content.find("[FILE] a.txt") != std::string::npos, "the real server lists the file");
    auto const mock = co_await hub.on_server("mock").async_call(ask);
    check(mock->content == "[FILE] b.txt", "the scripted server answers by the struct");

    files::read_text_file wanted(folder + "/a.txt");
    wanted.head = 1;
    auto const text = co_await hub.on_server("real").async_call(wanted);
    check(text->content == "first", "an optional argument is sent, and others are left out");
    co_await hub.async_shutdown();
}

} // namespace

int main(int, char** argv)
{
    using namespace linkspan::test;
    npm::require({"mcp-server-filesystem"});
    std::string const folder = argv[1];
    asio::io_context context(1);
    scripted_server mock;
    mock.on(call(arg<&files::list_directory::path>(folder)))
        .then(structured(files::list_directory_result("[FILE] b.txt")));
    hub_type hub(context.get_executor());
    hub.add<linkspan::stdio>("real", npm::run("mcp-server-filesystem", {folder})).add<linkspan::inproc>("mock", mock);
    asio::co_spawn(context, calls(hub, folder), [](std::exception_ptr failure) {
        if (failure)
            std::rethrow_exception(failure);
    });
    context.run();
    return failures;
}
