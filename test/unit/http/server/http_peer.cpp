// Failing allocations in the events of `http_peer`, with connections that perform no I/O.

#include <linkspan/core/detail/reused_text.hpp>
#include <linkspan/http/server/detail/connection_group.hpp>
#include <linkspan/http/server/detail/http_peer.hpp>
#include <linkspan/http/server/detail/http_server_core.hpp>
#include <linkspan/test/virtual_time.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/failing_allocations.hpp"
#include "support/quiet_connection.hpp"

BOOST_AUTO_TEST_SUITE(http_peer_test)

using namespace linkspan;
using namespace linkspan::test;
using linkspan::detail::http_peer;
using linkspan::detail::request_quota;
using kind = http_peer::kind;

namespace {

// A client with its connections, and the server of its messages, which responds to no message by itself.
struct peer_world final : http_peer::owner, http_request_handler {
    struct exchange {
        std::shared_ptr<quiet_connection::state> at;
        std::unique_ptr<http_server_connection> on;
        http_exchange with;

        bool has(std::string_view text) const { return at->sent.find(text) != std::string::npos; }
    };

    asio::io_context context{1};
    virtual_time& time = virtual_time::install(context);
    http_service_options options;
    std::shared_ptr<linkspan::detail::connection_group> group =
        std::make_shared<linkspan::detail::connection_group>(http_server_limits());
    request_quota quota{8};
    request_quota::counter counter = quota.open("principal");
    std::optional<http_exchange> last; // exchange of the last HTTP request
    std::vector<std::shared_ptr<quiet_connection::state>> connections;
    std::shared_ptr<http_peer> peer;
    bool is_forgotten = false, is_released = false, is_close_delayed = false;
    std::size_t requests = 0, failures = 0, ends = 0; // messages to the server, and ends of the transport

    explicit peer_world(kind what) : owner(std::size_t{1} << 20)
    {
        options.resumable = true;
        linkspan::detail::http_remote const from{"192.0.2.1", "ada", "principal", counter};
        peer = std::make_shared<http_peer>(*this, context.get_executor(), options, what, 1,
                                           what == kind::session ? "session" : "", protocol_version::v2025_11_25, from);
    }

    ~peer_world()
    {
        peer->abandon();
        run();
        for (auto const& each : connections) { // the handlers own the connection
            each->reading = {};
            each->writing = {};
        }
    }

    void forget(http_peer&) noexcept override { is_forgotten = true; }
    void release(http_peer&) noexcept override { is_released = true; }
    void on_close_delayed() noexcept override { is_close_delayed = true; }
    void discard_old_events() noexcept override { peer->discard_old_events(); }
    void on_request(http_server_request const&, http_exchange with) override { last = with; }

    // Runs all handlers that are ready.
    void run()
    {
        context.restart();
        context.poll();
    }

    // Returns the exchange of a new connection.
    exchange begin()
    {
        constexpr std::string_view text = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        exchange out;
        auto stream = std::make_unique<quiet_connection>();
        out.at = stream->at;
        connections.push_back(out.at);
        out.on = std::make_unique<http_server_connection>(context.get_executor(), std::move(stream), *this,
                                                          http_server_limits(), std::function<void()>(), std::string(),
                                                          group);
        run();
        out.at->receive(text);
        run();
        out.with = std::exchange(last, std::nullopt).value();
        return out;
    }

    // Starts a call whose response is sent on an exchange. Returns the number of its path.
    std::uint64_t start_call(exchange const& on)
    {
        http_peer::reply_path path;
        path.on = on.with;
        path.awaited = 1;
        auto const number = peer->open(std::move(path));
        peer->requests().add(1);
        peer->post(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}})", number);
        return number;
    }

    void receive()
    {
        peer->receive([this](error_code ec, std::span<inbound const> batch) {
            for (auto const& item : batch) {
                auto const text = std::get<inbound_message>(item).bytes;
                ++(text.find("\"error\"") == text.npos ? requests : failures);
            }
            ends += ec ? 1 : 0;
            if (!ec)
                receive();
        });
    }
};

constexpr std::string_view result = R"({"jsonrpc":"2.0","id":1,"result":{"text":"a result that is not short"}})";

} // namespace

BOOST_AUTO_TEST_CASE(request_has_one_response_or_error_after_each_failed_allocation)
{
    for (auto const what : {kind::session, kind::without_session, kind::stateless, kind::single})
        for (bool const is_plain : {false, true})
            BOOST_TEST_CONTEXT("kind " << static_cast<int>(what) << " plain " << is_plain)
                fail_each_step(3, [&](auto const& step) {
                    peer_world own(what);
                    auto const call = own.begin();
                    auto body = std::make_shared<int>();
                    std::weak_ptr<int> const body_share = body;
                    http_peer::reply_path path;
                    path.on = call.with;
                    path.awaited = 1;
                    path.is_plain = is_plain;
                    path.fields.push_back({"X-Field", "a value that is not short"});
                    std::uint64_t number = 0;
                    own.receive();
                    step([&] {
                        number = own.peer->open(std::move(path));
                        own.peer->requests().add(1);
                        try {
                            own.peer->hold_body(number, std::move(body));
                            own.peer->post(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}})", number);
                        } catch (std::bad_alloc const&) {
                            own.peer->discard_request(number);
                            number = 0;
                            throw;
                        }
                    });
                    body.reset();
                    if (number == 0) { // the HTTP request is refused
                        BOOST_TEST(own.requests == 0u);
                        auto exchange = call.with;
                        BOOST_TEST(!exchange.is_over());
                        exchange.respond(503);
                    } else {
                        BOOST_TEST(own.requests == 1u);
                    }
                    BOOST_TEST((own.peer->http(1) == nullptr) == (number == 0));
                    auto const send = [&](std::string_view text) {
                        if (number != 0)
                            own.peer->send_to_client(text, number);
                    };
                    step([&] { send(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":1}})"); });
                    step([&] { send(result); });
                    own.run();
                    bool const is_single = own.peer->has_single_requests();
                    BOOST_TEST((call.has("a result that is not short") || call.at->is_closed || call.has(" 503 ")));
                    if (number != 0 && !call.has("a result that is not short"))
                        BOOST_TEST(call.at->is_closed); // the client detects the end
                    if (is_single)
                        BOOST_TEST((own.is_forgotten || own.is_released));
                    BOOST_TEST(*own.counter == 0u);
                    BOOST_TEST(body_share.expired());
                    own.time.run_for(std::chrono::hours(2));
                    if (!is_single) // no path is outstanding
                        BOOST_TEST(own.peer->is_idle_since(own.time.now()));
                    own.peer->end();
                    BOOST_TEST(own.ends == 1u);
                });
}

BOOST_AUTO_TEST_CASE(messages_that_wait_for_the_server_are_not_lost_after_each_failed_allocation)
{
    constexpr std::string_view call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}})";
    for (bool const ends : {false, true})
        fail_each_step(2, [&](auto const& step) {
            peer_world own(kind::session);
            std::size_t posted = 0;
            auto const post = [&] {
                own.peer->post(call, own.peer->next_number());
                ++posted;
            };
            step(post);
            post();
            own.receive();
            step([&] {
                if (ends)
                    own.peer->end();
                else
                    post();
            });
            own.run();
            if (ends) {
                BOOST_TEST(own.ends == 1u);
                BOOST_TEST((own.requests == 0 || own.requests == posted));
            } else {
                own.run();
                BOOST_TEST(own.requests == posted);
                own.peer->end();
                BOOST_TEST(own.ends == 1u);
            }
        });
}

BOOST_AUTO_TEST_CASE(response_is_received_by_a_resumed_stream_after_each_failed_allocation)
{
    fail_each_step(1, [&](auto const& step) {
        peer_world own(kind::session);
        own.receive();
        auto first = own.begin();
        auto const number = own.start_call(first);
        own.peer->send_to_client(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":1}})", number);
        BOOST_TEST(first.has("id: 1-1"));
        first.on.reset(); // the connection is lost
        own.peer->send_to_client(result, number);
        auto second = own.begin();
        int status = -1; // the function throws, so that the HTTP request is refused
        step([&] { status = own.peer->listen(second.with, "1-1"); });
        own.run();
        BOOST_TEST(status <= 0);
        if (!second.has("a result that is not short")) {
            BOOST_TEST(second.at->is_closed == (status == 0)); // the client resumes the stream again
            if (status != 0)
                second.with.respond(503);
            auto const third = own.begin();
            BOOST_TEST(own.peer->listen(third.with, "1-1") == 0);
            BOOST_TEST(third.has("a result that is not short"));
        }
        BOOST_TEST(*own.counter == 0u);
        own.peer->end();
        BOOST_TEST(own.events().use_count() == 2); // of the owner and of the share
    });
}

BOOST_AUTO_TEST_CASE(request_of_the_server_is_sent_or_fails_after_each_failed_allocation)
{
    for (bool const is_open : {false, true})
        fail_each_step(1, [&](auto const& step) {
            peer_world own(kind::session);
            own.receive();
            auto const general = own.begin();
            if (is_open)
                BOOST_TEST(own.peer->listen(general.with, {}) == 0);
            step([&] {
                own.peer->send_to_client(
                    R"({"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"A question"}})", 0);
            });
            own.run();
            auto const later = own.begin();
            if (!is_open)
                BOOST_TEST(own.peer->listen(later.with, {}) == 0);
            bool const is_sent = general.has("A question") || later.has("A question");
            BOOST_TEST((is_sent || own.failures == 1));
            own.peer->end();
        });
}

BOOST_AUTO_TEST_CASE(event_stream_of_sse_begins_or_its_client_is_forgotten_after_each_failed_allocation)
{
    fail_each_step(2, [&](auto const& step) {
        peer_world own(kind::sse);
        own.receive();
        auto const stream = own.begin();
        bool is_open = false;
        step([&] {
            own.peer->open_sse(stream.with);
            is_open = true;
        });
        BOOST_TEST(own.is_forgotten == !is_open);
        if (is_open) {
            own.peer->requests().add(1);
            own.peer->post(R"({"jsonrpc":"2.0","id":1,"method":"ping"})", own.peer->next_number());
        }
        step([&] {
            if (is_open)
                own.peer->send_to_client(result, 1);
            else
                std::make_unique<int>().reset();
        });
        own.run();
        bool const has_response = is_open && stream.has("a result that is not short");
        BOOST_TEST((has_response || own.is_forgotten));
        BOOST_TEST(*own.counter == 0u);
        own.peer->end();
        BOOST_TEST(own.ends == 1u);
    });
}

// The connection accepts each byte at once, or no byte before the last event. The output of a connection is counted if
// it is long.
BOOST_AUTO_TEST_CASE(event_is_sent_at_most_once_after_each_failed_allocation)
{
    constexpr std::string_view texts[] = {"the first event", "the second event", "the third event", "a result that"};
    std::vector<std::string> messages;
    for (auto const text : texts)
        messages.push_back(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":")" +
                           std::string(text) + R"("}})");
    messages[1].insert(messages[1].size() - 3, linkspan::detail::kept_text, 'x');
    messages[3] = result;
    for (bool const is_slow : {false, true})
        BOOST_TEST_CONTEXT("slow " << is_slow)
            fail_each_step(
                4,
                [&](auto const& step) {
                    peer_world own(kind::session);
                    own.receive();
                    auto first = own.begin();
                    first.at->is_slow = is_slow;
                    auto const number = own.start_call(first);
                    for (auto const& message : messages)
                        step([&] { own.peer->send_to_client(message, number); });
                    for (own.run(); first.at->writing && !first.at->is_closed; own.run())
                        first.at->write();
                    BOOST_TEST((first.has(texts[3]) || first.at->is_closed));
                    std::string seen = first.at->sent;
                    auto const id = seen.rfind("id: 1-");
                    if (!first.has(texts[3]) && id != seen.npos) { // the client resumes the stream
                        first.on.reset();
                        auto const second = own.begin();
                        auto const last = seen.substr(id + 4, seen.find('\n', id) - id - 4);
                        static_cast<void>(own.peer->listen(second.with, last));
                        seen += second.at->sent;
                    }
                    for (auto const text : texts) {
                        auto const at = seen.find(text);
                        BOOST_TEST((at == seen.npos || seen.find(text, at + 1) == seen.npos), text);
                    }
                    own.peer->end();
                },
                failing::one_or_handler);
}

// The transport functions must not throw.
BOOST_AUTO_TEST_CASE(message_without_memory_ends_its_exchange_or_is_refused_later)
{
    constexpr std::string_view request =
        R"({"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"A question"}})";
    constexpr std::string_view notification =
        R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":1}})";
    for (auto const how : {failing::one_or_handler, failing::all_later})
        for (auto const what : {kind::session, kind::without_session, kind::stateless, kind::single})
            for (auto const message : {result, request, notification})
                BOOST_TEST_CONTEXT("kind " << static_cast<int>(what) << " message " << message)
                    fail_each_allocation(
                        [&](step_failure& fail_in) {
                            peer_world own(what);
                            own.receive();
                            auto const call = own.begin();
                            auto const number = own.start_call(call);
                            BOOST_TEST(fail_in([&] { own.peer->send_to_client(message, number); }));
                            own.run();
                            if (message == result)
                                BOOST_TEST((call.has("a result that is not short") || call.at->is_closed));
                            else if (message == request && how == failing::one_or_handler)
                                BOOST_TEST((call.has("A question") || own.failures == 1 || call.at->is_closed));
                            if (message != result)
                                own.peer->send_to_client(result, number);
                            own.run();
                            BOOST_TEST((call.has("a result that is not short") || call.at->is_closed));
                            BOOST_TEST(*own.counter == 0u);
                            own.peer->end();
                            BOOST_TEST(own.ends == 1u);
                        },
                        how);
}

BOOST_AUTO_TEST_CASE(cancelled_request_ends_its_exchange_without_memory)
{
    for (auto const how : {failing::one_or_handler, failing::all_later})
        for (auto const what : {kind::session, kind::without_session, kind::stateless, kind::single, kind::sse})
            BOOST_TEST_CONTEXT("kind " << static_cast<int>(what))
                fail_each_allocation(
                    [&](step_failure& fail_in) {
                        peer_world own(what);
                        own.receive();
                        auto const call = own.begin();
                        std::uint64_t number = 0;
                        if (what == kind::sse) {
                            own.peer->open_sse(call.with);
                            number = own.peer->next_number();
                        } else {
                            http_peer::reply_path path;
                            path.on = call.with;
                            path.awaited = 1;
                            number = own.peer->open(std::move(path));
                        }
                        own.peer->requests().add(1);
                        own.peer->post(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}})", number);
                        linkspan::detail::http_peer_transport transport(own.context.get_executor(), {own.peer});
                        BOOST_TEST(fail_in([&] { transport.abandon(static_cast<request_id>(number)); }));
                        own.run();
                        BOOST_TEST(*own.counter == 0u);
                        BOOST_TEST(call.with.is_over() == (what != kind::sse));
                        own.peer->end();
                    },
                    how);
}

BOOST_AUTO_TEST_CASE(close_without_memory_is_delayed_until_the_next_event_of_the_owner)
{
    fail_each_allocation(
        [&](step_failure& fail_in) {
            peer_world own(kind::session);
            own.receive();
            linkspan::detail::http_peer_transport transport(own.context.get_executor(), {own.peer});
            BOOST_TEST(fail_in([&] { transport.close(); }));
            own.run();
            BOOST_TEST(own.peer->is_closing());
            BOOST_TEST(own.is_close_delayed == own.peer->is_close_delayed());
            BOOST_TEST(own.ends == (own.is_close_delayed ? 0u : 1u));
            BOOST_TEST(own.is_close_delayed == fail_in.has_failed());
            own.peer->end();
        },
        failing::all_later);
}

BOOST_AUTO_TEST_SUITE_END()
