// Use of a session or connector on an executor that runs two handlers concurrently fails an assertion unless NDEBUG is
// defined.

#include <linkspan/connector.hpp>
#include <linkspan/session.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

BOOST_AUTO_TEST_SUITE(misuse_test)

namespace asio = boost::asio;
using namespace linkspan;
using namespace linkspan::test;

namespace {

struct ended {
    int status = 0;     // from waitpid
    std::string errors; // contents of stderr
};

// Runs a function in a child process, because a failed assertion aborts the process.
template<class Function>
ended run_alone(Function function)
{
    int ends[2];
    BOOST_REQUIRE(::pipe(ends) == 0);
    auto const child = ::fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
        ::signal(SIGABRT, SIG_DFL); // replaces the handler of Boost.Test
        ::dup2(ends[1], 2);
        ::close(ends[0]);
        ::close(ends[1]);
        ::alarm(10); // kills the process if the function does not return
        function();
        ::_exit(0);
    }
    ::close(ends[1]);
    ended out;
    char buffer[4096];
    for (ssize_t size = 0; (size = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        out.errors.append(buffer, static_cast<std::size_t>(size));
    ::close(ends[0]);
    BOOST_REQUIRE(::waitpid(child, &out.status, 0) == child);
    return out;
}

void check_assertion([[maybe_unused]] ended const& how)
{
#if defined(NDEBUG)
    BOOST_TEST_MESSAGE("skipped: assertions are disabled by NDEBUG");
#else
    BOOST_TEST(WIFSIGNALED(how.status));
    BOOST_TEST(WTERMSIG(how.status) == SIGABRT);
    BOOST_TEST(how.errors.find("run concurrently on two threads") != how.errors.npos, how.errors);
#endif
}

using hub_type = connector<transports<inproc>>;

template<class Client>
struct named_operation {
    char const* name;
    void (*start)(Client&);
};

// Runs `start` on another thread while a handler of a connector is running.
template<class Start>
void run_within_a_handler_of_a_connector(Start start)
{
    asio::io_context context;
    scripted_server server;
    server.on(call("pay")).then(progress(1, 2), text("paid"));
    hub_type hub(context.get_executor());
    hub.add<inproc>("a", server);
    call_options options;
    options.on_progress = [&](progress_update const&) { std::thread([&] { start(hub); }).join(); };
    hub.async_open([&](error_code, open_report const&) { hub.async_call("pay", {}, options, asio::detached); });
    context.run();
}

template<class Start>
void run_within_a_handler_of_a_session(Start start)
{
    asio::io_context context;
    scripted_server server;
    server.on(call("pay")).then(progress(1, 2), text("paid"));
    session client(context.get_executor(), via<inproc>(server));
    call_options options;
    options.on_progress = [&](progress_update const&) { std::thread([&] { start(client); }).join(); };
    client.async_open([&](error_code) { client.async_call_tool("pay", {}, options, asio::detached); });
    context.run();
}

} // namespace

BOOST_AUTO_TEST_CASE(connector_operation_concurrent_with_a_handler_fails_an_assertion)
{
    named_operation<hub_type> const operations[] = {
        {"call", [](hub_type& hub) { hub.async_call("pay", asio::detached); }},
        {"open", [](hub_type& hub) { hub.async_open(asio::detached); }},
        {"connect", [](hub_type& hub) { hub.async_connect("a", asio::detached); }},
        {"disconnect", [](hub_type& hub) { hub.async_disconnect("a", asio::detached); }},
        {"disable", [](hub_type& hub) { hub.async_disable("a", asio::detached); }},
        {"remove", [](hub_type& hub) { hub.async_remove("a", asio::detached); }},
        {"refresh_tools", [](hub_type& hub) { hub.async_refresh_tools(asio::detached); }},
        {"shutdown", [](hub_type& hub) { hub.async_shutdown(asio::detached); }},
        {"close", [](hub_type& hub) { hub.close(); }},
    };
    for (auto const& operation : operations)
        BOOST_TEST_CONTEXT(operation.name)
            check_assertion(run_alone([&] { run_within_a_handler_of_a_connector(operation.start); }));
}

BOOST_AUTO_TEST_CASE(session_operation_concurrent_with_a_handler_fails_an_assertion)
{
    named_operation<session> const operations[] = {
        {"call", [](session& client) { client.async_call_tool("pay", asio::detached); }},
        {"open", [](session& client) { client.async_open(asio::detached); }},
        {"shutdown", [](session& client) { client.async_shutdown(asio::detached); }},
        {"close", [](session& client) { client.close(); }},
    };
    for (auto const& operation : operations)
        BOOST_TEST_CONTEXT(operation.name)
            check_assertion(run_alone([&] { run_within_a_handler_of_a_session(operation.start); }));
}

BOOST_AUTO_TEST_CASE(operation_within_a_handler_on_the_same_thread_is_allowed)
{
    auto const how = run_alone([] {
        asio::io_context context;
        scripted_server server;
        server.on(call("pay")).then(progress(1, 2), text("paid"));
        connector<transports<inproc>> hub(context.get_executor());
        hub.add<inproc>("a", server);
        call_options options;
        options.on_progress = [&](progress_update const&) { hub.async_call("pay", asio::detached); };
        hub.async_open([&](error_code, open_report const&) {
            hub.async_call("pay", {}, options, [&](error_code, call_result const&) { hub.close(); });
        });
        context.run();
    });
    BOOST_TEST(how.status == 0);
    BOOST_TEST(how.errors == "");
}

BOOST_AUTO_TEST_SUITE_END()
