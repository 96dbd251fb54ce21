#include <linkspan/json/json_scan.hpp>

#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "support/refused_connection.hpp"
#include "support/rpc_error.hpp"
#include "support/session_case.hpp"

BOOST_AUTO_TEST_SUITE(session_opening_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::era;
using linkspan::error;
using linkspan::error_code;
using linkspan::inproc;
using linkspan::inproc_config;
using linkspan::protocol_version;
using linkspan::session;
using linkspan::session_options;
using linkspan::session_state;
using linkspan::via;

namespace {

// Returns the methods of the received messages in order. A response, which has no method, is listed as "response".
std::string methods(scripted_server const& server)
{
    std::string out;
    for (auto const& message : server.received()) {
        auto const method = linkspan::json_scan::string(linkspan::json_scan::member(message, "method"));
        (out += out.empty() ? "" : " ") += method.value_or("response");
    }
    return out;
}

// Returns an action that sends the error response -32022 to the request with this id. `list` is the list of supported
// protocol versions as JSON text. The default id is that of the probe, the first request of a session.
action unsupported(std::string list, int id = 1)
{
    return raw(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
               R"(,"error":{"code":-32022,"message":"Unsupported","data":{"supported":)" + list + "}}}");
}

action discovered(std::string list)
{
    return result(R"("supportedVersions":)" + list + R"(,"capabilities":{"tools":{}})");
}

struct verdict_row {
    char const* list;
    std::optional<protocol_version> expected_version; // empty: no common protocol version
    char const* methods;
};

// Records whether a transport exists while an exception leaves its `async_open`.
struct unwinding_log {
    bool throws = true;
    std::weak_ptr<int> life; // of the last transport
    bool was_alive = false;  // set at the end of the unwinding
};

// Transport whose `async_open` destroys the handler and throws an exception if `unwinding_log::throws` is set.
struct throwing_open : inproc {
    struct config_type : inproc_config {
        unwinding_log* log = nullptr;
    };

    throwing_open(boost::asio::any_io_executor executor, config_type const& config)
        : inproc(std::move(executor), config), log_(config.log)
    {
        log_->life = life_;
    }

    template<class Token>
    void async_open(Token token)
    {
        if (!log_->throws)
            return inproc::async_open(std::move(token));
        struct scope {
            unwinding_log& log;
            ~scope() { log.was_alive = !log.life.expired(); }
        } const end{*log_};
        auto const dropped = std::move(token);
        throw std::runtime_error("no pipe");
    }

private:
    unwinding_log* log_;
    std::shared_ptr<int> life_ = std::make_shared<int>();
};

constexpr char const* stateless_opening = "server/discover";
constexpr char const* handshake_opening = "server/discover initialize notifications/initialized";

} // namespace

LINKSPAN_CASE(session_opens_with_server_of_each_protocol_version)
{
    for (auto const& row : linkspan::protocol_versions) {
        scripted_server server({row.id});
        server.on(call("greet")).then(text("hello"));
        session client(executor, via<inproc>(server));
        co_await client.async_open();
        BOOST_TEST((client.protocol_version() == row.id), row.text);
        BOOST_TEST((client.state() == session_state::ready));
        auto const result = co_await client.async_call_tool("greet");
        BOOST_TEST(result.text() == "hello");
        auto const opening = std::string(row.era == era::stateless ? stateless_opening : handshake_opening);
        co_await settle(executor);
        BOOST_TEST(methods(server) == opening + " tools/call");
        co_await client.async_shutdown();
        BOOST_TEST((client.state() == session_state::closed));
    }
}

LINKSPAN_CASE(session_prefers_stateless_era_if_server_supports_both)
{
    scripted_server server;
    session client(executor, via<inproc>(server));
    co_await client.async_open();
    BOOST_TEST((client.protocol_version() == protocol_version::v2026_07_28));
    co_await settle(executor);
    BOOST_TEST(methods(server) == stateless_opening);
    BOOST_TEST(server.received("\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"") == 1u);
}

LINKSPAN_CASE(any_error_response_to_probe_without_http_leads_to_handshake)
{
    for (int const code : {-32601, -32602, -32600, -32700, -32603, -32000, -32001, -32020, -32021, -32022, -1, 404}) {
        scripted_server server;
        server.on(request("server/discover")).then(rpc_error(code, "no"));
        session client(executor, via<inproc>(server));
        auto const [ec] = co_await client.async_open(in_tuple);
        BOOST_TEST(!ec, code << ": " << ec.message());
        BOOST_TEST((client.protocol_version() == protocol_version::v2025_11_25), code);
        co_await settle(executor);
        BOOST_TEST(methods(server) == handshake_opening, code);
        BOOST_TEST(server.connections() == 1u);
    }
}

LINKSPAN_CASE(protocol_versions_listed_in_refusal_of_probe_are_used)
{
    std::vector<verdict_row> const rows{
        {R"(["2025-11-25"])", protocol_version::v2025_11_25, handshake_opening},
        {R"(["2024-11-05","2025-06-18"])", protocol_version::v2025_06_18, handshake_opening},
        // The refused stateless version is not probed again, because a handshake version is listed.
        {R"(["2026-07-28","2025-03-26"])", protocol_version::v2025_03_26, handshake_opening},
        {R"(["2026-07-28"])", std::nullopt, "server/discover server/discover"}, // the probe is repeated once
        {R"(["2031-01-01"])", std::nullopt, stateless_opening},
        {"[]", std::nullopt, stateless_opening},
        {"7", protocol_version::v2025_11_25, handshake_opening}, // not a list: treated as any other error
    };
    for (auto const& row : rows) {
        scripted_server server({protocol_version::v2024_11_05, protocol_version::v2025_03_26,
                                protocol_version::v2025_06_18, protocol_version::v2025_11_25});
        server.on(request("server/discover")).once(unsupported(row.list)).then(unsupported(row.list, 2));
        session client(executor, via<inproc>(server));
        auto const [ec] = co_await client.async_open(in_tuple);
        BOOST_TEST(ec == (row.expected_version ? error_code() : make_error_code(error::no_common_protocol_version)),
                   row.list);
        BOOST_TEST((client.protocol_version() == row.expected_version), row.list);
        co_await settle(executor);
        BOOST_TEST(methods(server) == row.methods, row.list);
    }
}

LINKSPAN_CASE(supported_versions_of_discovery_are_used)
{
    std::vector<verdict_row> const rows{
        {R"(["2026-07-28"])", protocol_version::v2026_07_28, stateless_opening},
        {R"(["2025-11-25","2026-07-28"])", protocol_version::v2026_07_28, stateless_opening},
        {R"(["2025-06-18"])", protocol_version::v2025_06_18, handshake_opening},
        {R"(["2031-01-01"])", std::nullopt, stateless_opening},
        {R"("2026-07-28")", protocol_version::v2025_11_25, handshake_opening}, // not a valid discovery result
    };
    for (auto const& row : rows) {
        scripted_server server(
            {protocol_version::v2025_06_18, protocol_version::v2025_11_25, protocol_version::v2026_07_28});
        server.on(request("server/discover")).then(discovered(row.list));
        session client(executor, via<inproc>(server));
        auto const [ec] = co_await client.async_open(in_tuple);
        BOOST_TEST(ec == (row.expected_version ? error_code() : make_error_code(error::no_common_protocol_version)),
                   row.list);
        BOOST_TEST((client.protocol_version() == row.expected_version), row.list);
        co_await settle(executor);
        BOOST_TEST(methods(server) == row.methods, row.list);
    }
}

LINKSPAN_CASE(probe_without_response_completes_after_ten_seconds)
{
    scripted_server server;
    server.on(request("server/discover")).then(hang());
    session client(executor, via<inproc>(server));
    co_await client.async_open();
    BOOST_TEST((since_start(time) == 10s));
    BOOST_TEST((client.protocol_version() == protocol_version::v2025_11_25));
    co_await settle(executor);
    BOOST_TEST(methods(server) == handshake_opening); // no cancellation is sent for the probe
    BOOST_TEST(server.connections() == 1u);
}

LINKSPAN_CASE(late_response_to_probe_is_dropped_and_counted)
{
    scripted_server server;
    server.on(request("server/discover")).then(delay(12s), discovered(R"(["2026-07-28"])"));
    server.on(request("initialize"))
        .once(delay(5s), result(R"("protocolVersion":"2025-06-18","capabilities":{},)"
                                R"("serverInfo":{"name":"slow","version":"1"})"));
    session client(executor, via<inproc>(server));
    co_await client.async_open();
    BOOST_TEST((since_start(time) == 15s));
    BOOST_TEST((client.protocol_version() == protocol_version::v2025_06_18));
    BOOST_TEST(client.counters().late_responses == 1u);
    BOOST_TEST(client.server().name == "slow");
}

LINKSPAN_CASE(server_that_exits_on_probe_is_restarted_for_handshake)
{
    scripted_server server;
    server.on(request("server/discover")).then(drop_connection());
    session client(executor, via<inproc>(server));
    co_await client.async_open();
    BOOST_TEST(server.connections() == 2u);
    BOOST_TEST((client.protocol_version() == protocol_version::v2025_11_25));
    co_await settle(executor);
    BOOST_TEST(methods(server) == handshake_opening);
}

LINKSPAN_CASE(malformed_response_to_probe_leads_to_handshake)
{
    scripted_server server({protocol_version::v2025_11_25});
    server.on(request("server/discover")).then(raw(R"({"jsonrpc":"2.0","id":1,"result":null})"));
    session client(executor, via<inproc>(server));
    co_await client.async_open();
    BOOST_TEST((client.protocol_version() == protocol_version::v2025_11_25));
    BOOST_TEST(server.connections() == 1u);
    co_await settle(executor);
    BOOST_TEST(methods(server) == handshake_opening);
}

LINKSPAN_CASE(failed_restart_after_probe_fails_the_opening)
{
    scripted_server server;
    server.on(request("server/discover")).then(drop_connection());
    auto const start = via<inproc>(server);
    int starts = 0;
    session client(executor, [&](boost::asio::any_io_executor const& on) {
        if (++starts == 2)
            throw std::runtime_error("no more");
        return start(on);
    });
    auto const [ec] = co_await client.async_open(in_tuple);
    BOOST_TEST(ec == make_error_code(error::connection_failed));
    BOOST_TEST(client.diagnostics() == "no more");
    BOOST_TEST((client.state() == session_state::closed));
}

LINKSPAN_CASE(ping_before_handshake_receives_response)
{
    scripted_server server({protocol_version::v2025_11_25});
    server.on(request("server/discover"))
        .then(raw(R"({"jsonrpc":"2.0","id":"early","method":"ping"})"), rpc_error(-32601, "no"));
    session client(executor, via<inproc>(server));
    co_await client.async_open();
    co_await settle(executor);
    BOOST_TEST(server.received(R"("id":"early","result":{})") == 1u);
    BOOST_TEST(client.counters().malformed == 0u);
}

LINKSPAN_CASE(server_that_exits_on_probe_and_handshake_fails_the_opening)
{
    scripted_server server;
    server.on(request("server/discover")).then(drop_connection());
    server.on(request("initialize")).then(drop_connection());
    session client(executor, via<inproc>(server));
    auto const [ec] = co_await client.async_open(in_tuple);
    BOOST_TEST(ec == make_error_code(error::stream_ended));
    BOOST_TEST(server.connections() == 2u);
    BOOST_TEST((client.state() == session_state::closed));
}

// An exiting process may close its input before its output.
LINKSPAN_CASE(output_of_server_with_closed_input_is_read_to_its_end)
{
    linkspan::duration stays = 1s;
    linkspan::timer leaving(executor);
    linkspan::inproc_config deaf;
    deaf.connect = [&](auto const&, linkspan::memory_end const& end) {
        end.in->close_reader();
        leaving.expires_after(stays);
        leaving.async_wait([end](error_code) { end.close(); });
        return error_code();
    };
    session client(executor, via<inproc>(deaf));
    auto const [ended] = co_await client.async_open(in_tuple);
    BOOST_TEST(ended == make_error_code(error::stream_ended));
    BOOST_TEST((since_start(time) == 2s), "the server is started twice");
    stays = linkspan::duration::max();
    auto const [stayed] = co_await client.async_open(in_tuple);
    BOOST_TEST(stayed == make_error_code(error::attempt_timed_out));
    BOOST_TEST((since_start(time) == 2s + 30s));
}

LINKSPAN_CASE(open_completes_after_thirty_seconds_by_default)
{
    for (bool const silent_probe : {true, false}) {
        scripted_server server;
        server.on(request("server/discover")).then(silent_probe ? hang() : rpc_error(-32601, "no"));
        server.on(request("initialize")).then(hang());
        session client(executor, via<inproc>(server));
        auto const began = time.now();
        auto const [ec] = co_await client.async_open(in_tuple);
        BOOST_TEST(ec == make_error_code(error::attempt_timed_out));
        BOOST_TEST((time.now() - began == 30s));
        BOOST_TEST(server.received("cancelled") == 0u);
    }
}

LINKSPAN_CASE(timeouts_of_open_are_configurable)
{
    session_options options;
    options.probe_timeout = 2s;
    options.startup_timeout = 3s;
    scripted_server server;
    server.on(request("server/discover")).then(hang());
    server.on(request("initialize")).then(hang());
    session client(executor, via<inproc>(server), options);
    auto const [ec] = co_await client.async_open(in_tuple);
    BOOST_TEST(ec == make_error_code(error::attempt_timed_out));
    BOOST_TEST((since_start(time) == 3s));
    co_await settle(executor);
    BOOST_TEST(methods(server) == "server/discover initialize");
}

LINKSPAN_CASE(refused_handshake_is_reported_with_message)
{
    scripted_server server({protocol_version::v2025_11_25});
    server.on(request("initialize")).then(rpc_error(-32000, "licence expired"));
    session client(executor, via<inproc>(server));
    auto const [ec] = co_await client.async_open(in_tuple);
    BOOST_TEST(ec == rpc(-32000));
    BOOST_TEST(client.diagnostics().find("licence expired") != std::string::npos, client.diagnostics());
}

LINKSPAN_CASE(handshake_with_unknown_protocol_version_fails)
{
    scripted_server server({protocol_version::v2025_11_25});
    server.on(request("initialize")).then(result(R"("protocolVersion":"1999-01-01","capabilities":{})"));
    session client(executor, via<inproc>(server));
    auto const [ec] = co_await client.async_open(in_tuple);
    BOOST_TEST(ec == make_error_code(error::no_common_protocol_version));
}

LINKSPAN_CASE(remembered_handshake_era_skips_probe)
{
    session_options options;
    options.remembered = era::handshake;
    scripted_server server;
    session client(executor, via<inproc>(server), options);
    co_await client.async_open();
    co_await settle(executor);
    BOOST_TEST(methods(server) == "initialize notifications/initialized");
}

LINKSPAN_CASE(outdated_remembered_era_is_corrected)
{
    session_options options;
    options.remembered = era::handshake;
    scripted_server server({protocol_version::v2026_07_28});
    session client(executor, via<inproc>(server), options);
    co_await client.async_open();
    BOOST_TEST((client.protocol_version() == protocol_version::v2026_07_28));
}

LINKSPAN_CASE(reopened_session_remembers_era)
{
    scripted_server server({protocol_version::v2025_11_25});
    session client(executor, via<inproc>(server));
    co_await client.async_open();
    co_await settle(executor);
    client.close();
    co_await client.async_open();
    BOOST_TEST(server.connections() == 2u);
    co_await settle(executor);
    BOOST_TEST(methods(server) == std::string(handshake_opening) + " initialize notifications/initialized");
}

LINKSPAN_CASE(protocol_version_is_empty_until_negotiation_succeeds)
{
    scripted_server server;
    server.on(request("server/discover")).then(delay(5s), rpc_error(-32601, "no"));
    server.on(request("initialize")).then(delay(5s), rpc_error(-32000, "no"));
    session client(executor, via<inproc>(server));
    BOOST_TEST(!client.protocol_version());
    bool failed = false;
    client.async_open([&](error_code ec) { failed = ec.failed(); });
    for (int second = 1; second != 12; ++second) {
        co_await pass(executor, 1s);
        BOOST_TEST(!client.protocol_version(), second);
    }
    BOOST_TEST(failed);
}

LINKSPAN_CASE(failed_connection_is_error_of_open)
{
    session client(executor, via<inproc>(refused_connection()));
    auto const [ec] = co_await client.async_open(in_tuple);
    BOOST_TEST(ec == error_code(boost::asio::error::connection_refused));
    BOOST_TEST((client.state() == session_state::closed));
}

LINKSPAN_CASE(open_of_opening_or_open_session_fails)
{
    scripted_server server;
    session client(executor, via<inproc>(server));
    error_code first = error::not_connected;
    client.async_open([&](error_code ec) { first = ec; });
    auto const [while_opening] = co_await client.async_open(in_tuple);
    BOOST_TEST(while_opening == error_code(boost::asio::error::already_open));
    co_await settle(executor);
    auto const [async_with_open] = co_await client.async_open(in_tuple);
    BOOST_TEST(async_with_open == error_code(boost::asio::error::already_open));
    BOOST_TEST(!first);
}

LINKSPAN_CASE(server_description_is_read_in_each_era)
{
    for (auto const protocol : {protocol_version::v2025_06_18, protocol_version::v2026_07_28}) {
        scripted_server server({protocol});
        server.dialogue().name = "weather \"station\"";
        server.dialogue().version = "3.1";
        server.dialogue().capabilities = R"({"tools":{}})";
        server.dialogue().instructions = "Ask\nnicely.";
        session client(executor, via<inproc>(server));
        co_await client.async_open();
        BOOST_TEST(client.server().name == "weather \"station\"");
        BOOST_TEST(client.server().version == "3.1");
        BOOST_TEST(client.server().capabilities == R"({"tools":{}})");
        BOOST_TEST(client.server().instructions == "Ask\nnicely.");
    }
}

LINKSPAN_CASE(client_info_and_capabilities_are_sent_in_each_era)
{
    for (auto const protocol : {protocol_version::v2025_06_18, protocol_version::v2026_07_28}) {
        session_options options;
        options.client_name = "tester";
        options.client_version = "9.9";
        scripted_server server({protocol});
        session client(executor, via<inproc>(server), options);
        client.on_request("roots/list", [](std::string_view, linkspan::responder) {});
        co_await client.async_open();
        auto const& opened = protocol == protocol_version::v2026_07_28 ? server.received()[0] : server.received()[1];
        BOOST_TEST(opened.find(R"("name":"tester")") != opened.npos, opened);
        BOOST_TEST(opened.find(R"("version":"9.9")") != opened.npos, opened);
        BOOST_TEST(opened.find(R"("roots":{)") != opened.npos, opened);
        BOOST_TEST(opened.find("sampling") == opened.npos, opened);
    }
}

LINKSPAN_CASE_IN(session_world, outdated_era_is_discarded_if_reopening_fails)
{
    scripted_server handshake_server({protocol_version::v2025_11_25}),
        stateless_server({protocol_version::v2026_07_28});
    stateless_server.on(request("initialize")).then(drop_connection());
    bool is_new = false;
    inproc_config changing;
    changing.connect = [&](auto const& where, auto end) {
        return (is_new ? inproc_config(stateless_server) : inproc_config(handshake_server))
            .connect(where, std::move(end));
    };
    client.emplace(executor, via<inproc>(changing), options);
    co_await client->async_open();
    client->close();
    is_new = true;
    auto const [ec] = co_await client->async_open(in_tuple); // starts with the outdated era
    BOOST_TEST(ec.failed());
    co_await client->async_open();
    BOOST_TEST((client->protocol_version() == protocol_version::v2026_07_28));
}

LINKSPAN_CASE(inproc_without_connect_function_fails_to_open)
{
    session client(executor, linkspan::via<inproc>(inproc_config{}));
    auto const [ec] = co_await client.async_open(in_tuple);
    BOOST_TEST(ec == error_code(boost::asio::error::invalid_argument));
    BOOST_TEST(client.diagnostics() == "inproc_config::connect is empty");
}

LINKSPAN_CASE(session_is_unchanged_after_bad_alloc_of_transport_factory)
{
    scripted_server server;
    std::size_t made = 0;
    auto const good = linkspan::via<inproc>(server);
    session client(executor, [&](auto const& on) {
        if (made++ % 2 == 0)
            throw std::bad_alloc();
        return good(on);
    });
    auto const unexpected = [](error_code) { BOOST_ERROR("the handler was invoked"); };
    for (auto const state : {linkspan::session_state::idle, linkspan::session_state::closed}) {
        BOOST_CHECK_THROW(client.async_open(unexpected), std::bad_alloc);
        BOOST_TEST((client.state() == state));
        co_await client.async_open();
        client.close();
        co_await settle(executor);
    }
    BOOST_CHECK_THROW(client.async_open(unexpected), std::bad_alloc);
    client.close();
}

LINKSPAN_CASE(exception_of_transport_is_thrown_by_async_open_and_closes_session)
{
    scripted_server server;
    unwinding_log log;
    throwing_open::config_type config;
    static_cast<inproc_config&>(config) = server;
    config.log = &log;
    session client(executor, via<throwing_open>(config));
    auto const unexpected = [](error_code) { BOOST_ERROR("the handler was invoked"); };
    for (int i = 0; i != 2; ++i) {
        log = {};
        BOOST_CHECK_THROW(client.async_open(unexpected), std::runtime_error);
        BOOST_TEST(log.was_alive);
        BOOST_TEST((client.state() == session_state::closed));
        log.throws = false;
        co_await client.async_open();
        BOOST_TEST((client.state() == session_state::ready));
        client.close();
        co_await settle(executor);
    }
}

LINKSPAN_CASE(exception_of_second_transport_fails_the_opening)
{
    scripted_server server;
    server.on(request("server/discover")).then(drop_connection());
    inproc_config way = server;
    for (bool const is_standard : {true, false}) {
        int connections = 0;
        auto spoiled = way;
        spoiled.connect = [&, connect = way.connect](auto const& on, auto end) {
            if (++connections == 2 && is_standard)
                throw std::runtime_error("no pipe");
            if (connections == 2)
                throw 7;
            return connect(on, std::move(end));
        };
        session client(executor, via<inproc>(spoiled));
        auto const [ec] = co_await client.async_open(in_tuple);
        BOOST_TEST(ec == make_error_code(error::connection_failed));
        BOOST_TEST(client.diagnostics() ==
                   (is_standard ? "no pipe" : "an exception was thrown that is not derived from std::exception"));
        BOOST_TEST((client.state() == session_state::closed));
    }
}

BOOST_AUTO_TEST_SUITE_END()
