// linkspan-mock record over HTTP: clients and servers on either side, as processes.

#include <linkspan/http/client/http_sse.hpp>
#include <linkspan/http/client/streamable_http.hpp>
#include <linkspan/test/tape.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/folder.hpp"
#include "support/http_mock.hpp"
#include "support/program_run.hpp"
#include "support/proxy.hpp"
#include "support/weather.hpp"

BOOST_AUTO_TEST_SUITE(recordings_test)

using namespace harness;
using linkspan::http_config;
using linkspan::session;
using linkspan::stdio;
using linkspan::streamable_http;
using linkspan::via;
using linkspan::test::tape;
using linkspan::test::tape_direction;
using observe::folder;
using tcp = asio::ip::tcp;

namespace {

constexpr std::array both_eras{"2025-11-25", "2026-07-28"};
constexpr std::array signals{SIGINT, SIGTERM};

// A script with the tool of weather.json and with one protocol version.
std::string weather_of(folder const& files, std::string const& version)
{
    std::ifstream file(script("weather.json"));
    std::string text(std::istreambuf_iterator<char>(file), {});
    text.insert(text.find('{') + 1, R"("protocolVersions":[")" + version + R"("],)");
    return files.add(version + ".json", text, std::filesystem::perms::owner_all);
}

std::vector<std::string> recorder_with(std::string const& path, std::vector<std::string> const& more)
{
    std::vector<std::string> out{"record", "--out", path};
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

template<class Transport, class Config>
asio::awaitable<void> makes_forecasts(asio::any_io_executor executor, Config config)
{
    session client(executor, via<Transport>(std::move(config)));
    co_await opens(client);
    co_await forecasts(client);
    co_await shuts_down(client);
}

// Replays a tape over both carriers, and as a script.
asio::awaitable<void> replays(asio::any_io_executor executor, folder const& files, std::string path)
{
    auto const entries = tape::load(path).entries();
    BOOST_TEST(entries.size() >= 6u);
    auto const replay = mock("linkspan-mock", {"replay", path});
    co_await makes_forecasts<stdio>(executor, replay);
    http_mock server(executor, "linkspan-mock", {"replay", path, "--http", "0"});
    auto const config = http_config::of(co_await server.url());
    co_await makes_forecasts<streamable_http>(executor, config);
    co_await server.ends();
    auto const converted = program_run::run({replay.command, "to-script", path});
    BOOST_TEST(converted.status == 0);
    auto const scripted = mock_with(files.add("x.json", converted.out, std::filesystem::perms::owner_all));
    co_await makes_forecasts<stdio>(executor, scripted);
}

// A recorder between a client of the test and a server of the test, both of which write raw bytes.
class raw_recording {
public:
    explicit raw_recording(asio::any_io_executor executor)
        : path(files.path() + "/x.jsonl"),
          acceptor(listening(executor)),
          recorder(executor, "linkspan-mock", recorder_with(path, {"--http", "0", "--url", url_of_server()})),
          client(executor),
          server(executor)
    {}

    std::string url_of_server() const
    {
        return "http://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()) + "/mcp";
    }

    asio::awaitable<void> connects()
    {
        tcp::endpoint const at(asio::ip::address_v4::loopback(), port_of(co_await recorder.url()));
        co_await client.async_connect(at, asio::use_awaitable);
    }

    // Sends a request to the recorder. Returns what the recorder sends to the server, up to `end`.
    asio::awaitable<std::string> forwards(std::string request, std::string end)
    {
        co_await asio::async_write(client, asio::buffer(request), asio::use_awaitable);
        server = co_await acceptor.async_accept(asio::use_awaitable);
        co_return co_await read(server, end);
    }

    asio::awaitable<void> responds(std::string text)
    {
        co_await asio::async_write(server, asio::buffer(text), asio::use_awaitable);
    }

    // Returns the bytes of a socket from the last read up to `end`, or up to the end of the connection.
    static asio::awaitable<std::string> read(tcp::socket& from, std::string end)
    {
        std::string out;
        co_await asio::async_read_until(from, asio::dynamic_buffer(out), end, in_tuple);
        co_return out;
    }

    std::string tape_text() const
    {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    folder const files;
    std::string path; // of the tape
    tcp::acceptor acceptor;
    http_mock recorder;
    tcp::socket client, server;
};

std::string post(std::string const& fields, std::string const& body)
{
    return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + fields +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string json_response(std::string const& status, std::string const& body)
{
    return "HTTP/1.1 " + status +
           "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string const ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
std::string const pong = R"({"jsonrpc":"2.0","id":1,"result":{}})";

// Begins an event stream for the client of a recording.
asio::awaitable<void> begins_stream(raw_recording& with)
{
    co_await with.connects();
    co_await with.forwards("GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n", "\r\n\r\n");
    co_await with.responds("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: begun\n\n");
    auto const head = co_await raw_recording::read(with.client, ": begun\n\n");
    BOOST_TEST(contains(head, "Content-Type: text/event-stream\r\n"), head);
}

} // namespace

HARNESS_CASE(session_of_a_client_over_http_with_a_server_over_http_is_replayed)
{
    for (std::string const version : both_eras) {
        folder const files;
        auto const path = files.path() + "/x.jsonl";
        http_mock server(executor, "linkspan-mock", {"--script", weather_of(files, version), "--http", "0"});
        auto const url = co_await server.url();
        http_mock recorder(executor, "linkspan-mock", recorder_with(path, {"--http", "0", "--url", url}));
        auto config = http_config::of(co_await recorder.url());
        BOOST_TEST(config.url.starts_with("http://127.0.0.1:"), config.url);
        BOOST_TEST(config.url.ends_with("/mcp"), config.url);
        co_await makes_forecasts<streamable_http>(executor, config);
        co_await recorder.ends();
        BOOST_TEST(recorder.child().exited_cleanly(), recorder.child().diagnostics());
        co_await server.ends();
        co_await replays(executor, files, path);
    }
}

HARNESS_CASE(session_of_a_client_on_standard_streams_with_a_server_over_http_is_replayed)
{
    for (std::string const version : both_eras) {
        folder const files;
        auto const path = files.path() + "/x.jsonl";
        http_mock server(executor, "linkspan-mock", {"--script", weather_of(files, version), "--http", "0"});
        auto const url = co_await server.url();
        auto const recorder = mock("linkspan-mock", recorder_with(path, {"--url", url}));
        session client(executor, via<stdio>(recorder));
        co_await opens(client);
        co_await forecasts(client);
        co_await shuts_down(client);
        BOOST_TEST(contains(client.diagnostics(), "exited with status 0"), client.diagnostics());
        co_await server.ends();
        co_await replays(executor, files, path);
    }
}

HARNESS_CASE(session_of_a_client_over_http_with_a_command_is_replayed)
{
    for (std::string const version : both_eras) {
        folder const files;
        auto const path = files.path() + "/x.jsonl";
        auto const server = mock_with(weather_of(files, version));
        auto words = recorder_with(path, {"--http", "0", "--", server.command});
        words.insert(words.end(), server.args.begin(), server.args.end());
        http_mock recorder(executor, "linkspan-mock", words);
        auto const config = http_config::of(co_await recorder.url());
        co_await makes_forecasts<streamable_http>(executor, config);
        co_await recorder.ends();
        BOOST_TEST(recorder.child().exited_cleanly(), recorder.child().diagnostics());
        co_await replays(executor, files, path);
    }
}

HARNESS_CASE(session_of_http_sse_is_recorded)
{
    folder const files;
    auto const path = files.path() + "/x.jsonl";
    http_mock server(executor, "linkspan-mock", {"--script", weather_of(files, "2024-11-05"), "--sse", "0"});
    auto const url = co_await server.url();
    http_mock recorder(executor, "linkspan-mock", recorder_with(path, {"--http", "0", "--url", url}));
    auto const config = http_config::of(co_await recorder.url());
    BOOST_TEST(config.url.ends_with("/sse"), config.url);
    co_await makes_forecasts<linkspan::http_sse>(executor, config);
    co_await recorder.ends();
    std::ifstream file(path);
    std::string const text(std::istreambuf_iterator<char>(file), {});
    BOOST_TEST(!contains(text, "sessionId"), text);
    auto const replay = mock("linkspan-mock", {"replay", path});
    co_await makes_forecasts<stdio>(executor, replay);

    auto const over_streams = mock("linkspan-mock", recorder_with(path, {"--url", url}));
    session client(executor, via<stdio>(over_streams));
    co_await opens(client);
    auto const list = co_await client.async_list_tools();
    BOOST_TEST(list.tools.size() == 1u);
    co_await shuts_down(client);
    BOOST_TEST(contains(client.diagnostics(), "exited with status 0"), client.diagnostics());
    co_await server.ends();
}

HARNESS_CASE(request_and_response_are_forwarded_and_secrets_of_their_heads_are_redacted)
{
    raw_recording with(executor);
    co_await with.connects();
    std::string const body = R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"text":"my token-0001"}})";
    auto const request =
        co_await with.forwards(post("Authorization: Bearer token-0001\r\nCookie: a=cookie-0002\r\n"
                                    "Mcp-Session-Id: session-0003\r\nX-Kept: yes\r\nAccept-Encoding: gzip\r\n"
                                    "Connection: keep-alive, X-Hop\r\nX-Hop: 1\r\n",
                                    body),
                               body);
    BOOST_TEST(request.starts_with("POST /mcp HTTP/1.1\r\nHost: " + with.url_of_server().substr(7, 10)), request);
    for (auto const* const line :
         {"Authorization: Bearer token-0001\r\n", "Cookie: a=cookie-0002\r\n", "Mcp-Session-Id: session-0003\r\n",
          "X-Kept: yes\r\n", "Accept-Encoding: identity\r\n"})
        BOOST_TEST(contains(request, line), request);
    BOOST_TEST(!contains(request, "X-Hop"), request);
    BOOST_TEST(!contains(request, "gzip"), request);
    BOOST_TEST(request.ends_with(body), request);
    std::string const result =
        R"({"jsonrpc":"2.0","id":1,"result":{"text":"cookie-0002, session-0003 and cookie-0004"}})";
    co_await with.responds("HTTP/1.1 202 Accepted\r\nSet-Cookie: b=cookie-0004; Path=/\r\nX-Other: 1\r\n"
                           "Content-Type: application/json\r\nContent-Length: " +
                           std::to_string(result.size()) + "\r\nKeep-Alive: timeout=5\r\n\r\n" + result);
    auto const response = co_await raw_recording::read(with.client, result);
    BOOST_TEST(response.starts_with("HTTP/1.1 202 Accepted\r\n"), response);
    BOOST_TEST(contains(response, "Set-Cookie: b=cookie-0004; Path=/\r\n"), response);
    BOOST_TEST(contains(response, "X-Other: 1\r\n"), response);
    BOOST_TEST(!contains(response, "Keep-Alive"), response);
    co_await with.recorder.ends();
    auto const text = with.tape_text();
    constexpr std::array secrets{"token-0001", "cookie-0002", "session-0003", "cookie-0004"};
    for (auto const* const secret : secrets)
        BOOST_TEST(!contains(text, secret), text);
    auto const entries = tape::load(with.path).entries();
    BOOST_TEST_REQUIRE(entries.size() == 2u);
    BOOST_TEST((entries[0].direction == tape_direction::in));
    BOOST_TEST(contains(entries[0].message, R"("text":"my ***")"), entries[0].message);
    BOOST_TEST((entries[1].direction == tape_direction::out));
    BOOST_TEST(contains(entries[1].message, R"("text":"***, *** and ***")"), entries[1].message);
}

HARNESS_CASE(event_is_forwarded_and_recorded_before_the_next_one_arrives)
{
    raw_recording with(executor);
    co_await begins_stream(with);
    for (int i = 1; i != 3; ++i) {
        auto const number = std::to_string(i);
        auto const event = "id: " + number + "\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"n" +
                           number + "\"}\n\n";
        co_await with.responds(event);
        auto const received = co_await raw_recording::read(with.client, "\"n" + number + "\"}\n\n");
        BOOST_TEST(contains(received, event), received);
        BOOST_TEST(contains(with.tape_text(), R"("msg":{"jsonrpc":"2.0", "method":"n)" + number + "\"}}\n"),
                   with.tape_text());
    }
    with.server.close();
    BOOST_TEST(co_await raw_recording::read(with.client, "\r\n\r\n") == "0\r\n\r\n");
    co_await with.recorder.ends();
    BOOST_TEST(tape::load(with.path).entries().size() == 2u);
}

HARNESS_CASE(client_that_disconnects_ends_the_request_to_the_server)
{
    raw_recording with(executor);
    co_await begins_stream(with);
    with.client.close();
    BOOST_TEST(co_await raw_recording::read(with.server, "never") == "");
    co_await with.recorder.ends();
}

HARNESS_CASE(client_that_does_not_read_is_disconnected)
{
    raw_recording with(executor);
    co_await begins_stream(with);
    // More than the recorder and the buffers of both connections store. Comments are not written to the tape.
    std::string const comment = ": " + std::string(1'000'000, 'x') + "\n\n";
    linkspan::error_code ec;
    std::size_t sent = 0;
    for (; !ec && sent < 200; ++sent) {
        auto const [failed, size] = co_await asio::async_write(with.server, asio::buffer(comment), in_tuple);
        ec = failed;
    }
    BOOST_TEST(ec.failed(), "the server has sent " << sent << " MB");
    co_await with.recorder.ends();
    BOOST_TEST(with.recorder.child().exited_cleanly(), with.recorder.child().diagnostics());
}

HARNESS_CASE(bodies_of_other_paths_are_not_recorded)
{
    raw_recording with(executor);
    co_await with.connects();
    std::string const body = "grant_type=client_credentials";
    co_await with.forwards("POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 29\r\n\r\n" + body, body);
    std::string const token = R"({"access_token":"token-0001"})";
    co_await with.responds(json_response("200 OK", token));
    BOOST_TEST(contains(co_await raw_recording::read(with.client, token), token));
    co_await with.recorder.ends();
    BOOST_TEST(tape::load(with.path).entries().empty());
}

HARNESS_CASE(request_for_another_host_is_rejected)
{
    raw_recording with(executor);
    co_await with.connects();
    std::string const request = "GET /mcp HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    co_await asio::async_write(with.client, asio::buffer(request), asio::use_awaitable);
    auto const response = co_await raw_recording::read(with.client, "\r\n\r\n");
    BOOST_TEST(response.starts_with("HTTP/1.1 403 "), response);
    co_await with.recorder.ends();
}

HARNESS_CASE(server_that_does_not_exist_is_a_bad_gateway)
{
    raw_recording with(executor);
    co_await with.connects();
    with.acceptor.close();
    auto const request = post("", ping);
    for (int i = 0; i != 2; ++i) {
        co_await asio::async_write(with.client, asio::buffer(request), asio::use_awaitable);
        auto const response = co_await raw_recording::read(with.client, "no response of the recorded server");
        BOOST_TEST(response.starts_with("HTTP/1.1 502 "), response);
    }
    co_await with.recorder.ends();
    BOOST_TEST(contains(with.recorder.child().diagnostics(), "Connection refused"),
               with.recorder.child().diagnostics());
}

HARNESS_CASE(failure_over_http_is_an_error_response_on_standard_streams)
{
    folder const files;
    auto const path = files.path() + "/x.jsonl";
    auto acceptor = listening(executor);
    auto const url = "http://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()) + "/mcp";
    http_mock recorder(executor, "linkspan-mock", recorder_with(path, {"--url", url}));
    std::string const sent = R"({"jsonrpc":"2.0","id":"a","method":"ping"})"
                             "\n";
    linkspan::error_code ec;
    BOOST_TEST(recorder.child().write_some(asio::buffer(sent), ec) == sent.size());
    auto server = co_await acceptor.async_accept(asio::use_awaitable);
    co_await raw_recording::read(server, "\"ping\"}");
    auto const response = json_response("500 Internal Server Error", R"({"reason":"disk full"})");
    co_await asio::async_write(server, asio::buffer(response), asio::use_awaitable);
    auto const line = co_await recorder.url(); // the first line
    BOOST_TEST(line.starts_with(R"({"jsonrpc":"2.0","id":"a","error":{"code":-32603,"message":)"), line);
    BOOST_TEST(contains(line, "disk full"), line);
    co_await recorder.ends();
    BOOST_TEST(tape::load(path).entries().size() == 2u);
}

HARNESS_CASE(signal_ends_the_recorder_and_its_processes)
{
    for (auto const signal : signals) {
        folder const files;
        auto const path = files.path() + "/x.jsonl";
        auto const server = mock_with(weather_of(files, "2025-11-25"));
        auto words = recorder_with(path, {"--http", "0", "--", server.command});
        words.insert(words.end(), server.args.begin(), server.args.end());
        http_mock recorder(executor, "linkspan-mock", words);
        auto const config = http_config::of(co_await recorder.url());
        session client(executor, via<streamable_http>(config));
        co_await opens(client);
        auto const pid = recorder.child().pid();
        auto const children = observe::children_of(pid);
        BOOST_TEST(!children.empty());
        std::list<observe::process> processes(children.begin(), children.end());
        processes.emplace_back(pid);
        ::kill(pid, signal);
        for (auto const& one : processes)
            BOOST_TEST(one.ends());
        co_await recorder.ends();
        BOOST_TEST(recorder.child().exited_cleanly(), recorder.child().diagnostics());
    }
}

HARNESS_CASE(session_of_a_command_that_exits_is_over)
{
    folder const files;
    auto const path = files.path() + "/x.jsonl";
    http_mock recorder(executor, "linkspan-mock",
                       recorder_with(path, {"--http", "0", "--", "/bin/sh", "-c", "echo leaving >&2; exit 3"}));
    auto const config = http_config::of(co_await recorder.url());
    session client(executor, via<streamable_http>(config));
    auto const [ec] = co_await client.async_open(in_tuple);
    BOOST_TEST(ec.failed());
    co_await recorder.ends();
    BOOST_TEST(recorder.child().exited_cleanly(), recorder.child().diagnostics());
    BOOST_TEST(contains(recorder.child().diagnostics(), "leaving"), recorder.child().diagnostics());
}

BOOST_AUTO_TEST_CASE(wrong_options_of_a_recording_are_explained)
{
    folder const files;
    auto const path = files.path() + "/x.jsonl";
    asio::io_context context;
    tcp::acceptor const other(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    auto const port = std::to_string(other.local_endpoint().port());
    std::string const in_use = "linkspan-mock: port " + port + " of 127.0.0.1: Address already in use\n";
    std::string const both = "linkspan-mock: expected 'record --out TAPE -- COMMAND' or 'record --out TAPE --url URL'";
    struct row {
        std::vector<std::string> words;
        std::string message;
    };
    for (auto const& [words, message] :
         {row{{"--url", "x"}, "linkspan-mock: option '--url': expected an http or https URL, found 'x': "},
          row{{"--http", "0", "--url", "ftp://x/"},
              "linkspan-mock: option '--url': expected an http or https URL, found 'ftp://x/': "},
          row{{"--url", "http://127.0.0.1/", "--", "/bin/true"}, both}, row{{"--http", "0"}, both},
          row{{"--http", port, "--url", "http://127.0.0.1/"}, in_use},
          row{{"--http", port, "--", "/bin/true"}, in_use}}) {
        auto all = recorder_with(path, words);
        all.insert(all.begin(), program_run::program("linkspan-mock"));
        auto const got = program_run::run(all);
        BOOST_TEST(got.status == 2);
        BOOST_TEST(got.err.starts_with(message), got.err);
    }
    auto const absent =
        program_run::run({program_run::program("linkspan-mock"), "record", "--out", path, "--", "/no/such/server"},
                         {.cwd = files.path()});
    BOOST_TEST(absent.status == 2);
    BOOST_TEST(absent.err == "linkspan-mock: cannot start /no/such/server in " + files.path() +
                                 ": exec: No such file or directory (errno 2)\n");
}

BOOST_AUTO_TEST_SUITE_END()
