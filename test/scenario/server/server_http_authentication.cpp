// The function that authenticates the requests of an HTTP endpoint: exceptions, and repeated, late or missing results.

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"

BOOST_AUTO_TEST_SUITE(server_http_authentication_test)

using namespace linkspan;
using namespace linkspan::test;
using namespace std::chrono_literals;

namespace {

using done_function = std::function<void(http_admission)>;

// An endpoint with the tool "count", which counts its calls.
struct authentication_world : endpoint_world {
    int calls = 0;

    void make_count()
    {
        make_endpoint().add(any_tool("count"), [this](server_request request) {
            ++calls;
            request.complete(tool_output::text("counted"));
        });
    }

    asio::awaitable<std::string> call_count(std::string more = {})
    {
        return exchange(stateless_head("tools/call", "\r\nMcp-Name: count" + more),
                        stateless_body("tools/call", R"("name":"count",)"));
    }
};

// Sends `initialize` on the connection of a client, and does not wait for the response.
asio::awaitable<void> send_initialize(endpoint_world& world, raw_http::client& raw)
{
    world.endpoint->serve(raw.other());
    auto const body = std::string(initialize);
    co_await raw.write(post() + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    co_await settle(world.executor);
}

// Sends `initialize` to an endpoint whose authentication passes no result. `late` becomes the function for the result.
asio::awaitable<void> send_initialize_without_result(authentication_world& world, raw_http::client& raw,
                                                     done_function& late)
{
    world.serving.authenticate = [&late](http_server_request const&, done_function done) { late = std::move(done); };
    world.make_count();
    co_await send_initialize(world, raw);
}

} // namespace

LINKSPAN_CASE_IN(authentication_world, exceptions_refuse_the_request_without_a_detail)
{
    serving.authenticate = [](http_server_request const& request, done_function done) {
        if (request.header("Authorization") == "std")
            throw std::runtime_error("secret");
        if (request.header("Authorization") == "other")
            throw 7;
        done({});
    };
    make_count();
    auto const refused = co_await call_count("\r\nAuthorization: std");
    BOOST_TEST(contains(refused, "HTTP/1.1 500"), refused);
    BOOST_TEST(!contains(refused, "secret"), refused);
    BOOST_TEST_REQUIRE(defects.size() == 1u);
    BOOST_TEST(defects[0] == ": secret");
    auto const other = co_await call_count("\r\nAuthorization: other");
    BOOST_TEST(contains(other, "HTTP/1.1 500"), other);
    BOOST_TEST_REQUIRE(defects.size() == 2u);
    BOOST_TEST(defects[1] == ": unknown exception");
    BOOST_TEST(served->counters().defects == 2u);
    BOOST_TEST(calls == 0);
    auto const later = co_await call_count();
    BOOST_TEST(contains(later, "HTTP/1.1 200"), later);
    BOOST_TEST(calls == 1);
}

LINKSPAN_CASE_IN(authentication_world, result_after_an_exception_has_no_effect)
{
    done_function late;
    serving.authenticate = [&](http_server_request const&, done_function done) {
        late = std::move(done);
        throw std::runtime_error("failed");
    };
    make_count();
    auto const refused = co_await call_count();
    BOOST_TEST(contains(refused, "HTTP/1.1 500"), refused);
    late({});
    co_await settle(executor);
    BOOST_TEST(calls == 0);
}

LINKSPAN_CASE_IN(authentication_world, result_after_the_client_has_disconnected_has_no_effect)
{
    done_function late;
    raw_http::client raw(executor);
    co_await send_initialize_without_result(*this, raw, late);
    raw.close();
    co_await settle(executor);
    late({});
    co_await settle(executor);
    BOOST_TEST(endpoint->sessions() == 0u);
    BOOST_TEST(served->counters().requests == 0u);
}

LINKSPAN_CASE_IN(authentication_world, request_without_a_result_is_refused_at_the_timeout)
{
    std::vector<done_function> late;
    bool answers = false;
    serving.authentication_timeout = 7s;
    serving.authenticate = [&](http_server_request const&, done_function done) {
        if (answers)
            return done({});
        late.push_back(std::move(done));
    };
    make_count();
    raw_http::client raw(executor);
    co_await send_initialize(*this, raw);
    co_await pass(executor, 6999ms);
    BOOST_TEST(defects.empty());
    BOOST_TEST(raw.end().in->is_readable() == false);
    co_await pass(executor, 1ms);
    auto const refused = co_await raw.read_until("\r\n\r\n");
    BOOST_TEST(contains(refused, "HTTP/1.1 503"), refused);
    BOOST_TEST(contains(refused, "Retry-After: 1\r\n"), refused);
    BOOST_TEST_REQUIRE(defects.size() == 1u);
    BOOST_TEST(defects[0] == ": no result of the authentication within 7000 ms");
    BOOST_TEST(served->counters().defects == 1u);
    BOOST_TEST_REQUIRE(late.size() == 1u);
    late[0]({});
    co_await settle(executor);
    BOOST_TEST(endpoint->sessions() == 0u);
    answers = true;
    auto const body = std::string(initialize);
    co_await raw.write(post() + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    auto const later = co_await raw.read_until("\r\n\r\n"); // the connection serves the next request
    BOOST_TEST(contains(later, "HTTP/1.1 200"), later);
    co_await pass(executor, serving.limits.idle_timeout);
    co_await raw.read_to_end();
    BOOST_TEST(raw.has_ended());
    raw.close();
}

LINKSPAN_CASE_IN(authentication_world, request_whose_result_was_destroyed_is_refused_at_the_timeout)
{
    serving.authenticate = [](http_server_request const&, done_function const&) {};
    make_count();
    raw_http::client raw(executor);
    co_await send_initialize(*this, raw);
    co_await pass(executor, 30s);
    auto const refused = co_await raw.read_until("\r\n\r\n");
    BOOST_TEST(contains(refused, "HTTP/1.1 503"), refused);
    BOOST_TEST(defects.size() == 1u);
    raw.close();
}

LINKSPAN_CASE_IN(authentication_world, timeout_has_no_effect_on_a_result_in_time_and_on_a_lost_client)
{
    std::vector<done_function> pending;
    serving.authentication_timeout = 7s;
    serving.authenticate = [&](http_server_request const&, done_function done) { pending.push_back(std::move(done)); };
    make_count();
    raw_http::client in_time(executor), lost(executor);
    co_await send_initialize(*this, in_time);
    co_await send_initialize(*this, lost);
    BOOST_TEST_REQUIRE(pending.size() == 2u);
    lost.close();
    co_await pass(executor, 6s);
    pending[0]({});
    auto const begun = co_await in_time.read_until("\r\n\r\n");
    BOOST_TEST(contains(begun, "HTTP/1.1 200"), begun);
    co_await pass(executor, 2s);
    pending[1]({});
    co_await settle(executor);
    BOOST_TEST(defects.empty());
    BOOST_TEST(endpoint->sessions() == 1u);
    in_time.close();
}

LINKSPAN_CASE_IN(authentication_world, endpoint_may_be_destroyed_before_the_timeout)
{
    done_function late;
    raw_http::client raw(executor);
    co_await send_initialize_without_result(*this, raw, late);
    endpoint.reset();
    co_await pass(executor, 31s);
    late({});
    BOOST_TEST(defects.empty());
    BOOST_TEST(co_await raw.read_to_end() == "");
    raw.close();
}

LINKSPAN_CASE_IN(authentication_world, repeated_result_has_no_effect)
{
    serving.authenticate = [](http_server_request const&, done_function done) {
        done({});
        done({});
        http_admission refusal;
        refusal.status = 401;
        done(refusal);
    };
    make_count();
    auto const response = co_await call_count();
    BOOST_TEST(contains(response, "HTTP/1.1 200"), response);
    BOOST_TEST(calls == 1);
}

LINKSPAN_CASE_IN(authentication_world, exception_after_the_destruction_of_the_endpoint_is_ignored)
{
    serving.authenticate = [this](http_server_request const&, done_function) {
        endpoint.reset();
        throw std::runtime_error("late");
    };
    make_count();
    raw_http::client raw(executor);
    co_await send_initialize(*this, raw);
    BOOST_TEST(!endpoint);
    BOOST_TEST(defects.empty());
    BOOST_TEST(co_await raw.read_to_end() == "");
    raw.close();
}

LINKSPAN_CASE_IN(authentication_world, function_that_authenticates_may_destroy_the_endpoint)
{
    auto token = std::make_shared<int>(0);
    std::weak_ptr<int> const watched = token;
    bool was_alive = false;
    serving.authenticate = [this, &was_alive, &watched, token](http_server_request const&, done_function) {
        auto& alive = was_alive; // not the members of this function, which may be destroyed
        auto const& watch = watched;
        endpoint.reset();
        alive = !watch.expired();
    };
    make_count();
    serving.authenticate = nullptr; // the endpoint has the only copy
    token.reset();
    raw_http::client raw(executor);
    co_await send_initialize(*this, raw);
    BOOST_TEST(!endpoint);
    BOOST_TEST(was_alive);
    BOOST_TEST(watched.expired());
    raw.close();
}

LINKSPAN_CASE_IN(authentication_world, function_for_defects_may_destroy_the_endpoint_and_the_server)
{
    for (bool const throws : {true, false}) {
        auto token = std::make_shared<int>(0);
        std::weak_ptr<int> const watched = token;
        int destroyed = 0;
        serving.authenticate = [throws](http_server_request const&, done_function const&) {
            if (throws)
                throw std::runtime_error("failed");
        };
        serving_options own;
        own.on_defect = [this, &destroyed, &watched, token](server_defect const&) {
            auto& count = destroyed; // not the members of this function, which may be destroyed
            auto const& watch = watched;
            endpoint.reset();
            served.reset();
            count += !watch.expired();
        };
        token.reset();
        endpoint.reset();
        served.emplace(executor, implementation{.name = "own", .version = "7"}, std::move(own));
        endpoint.emplace(*served, serving);
        raw_http::client raw(executor);
        co_await send_initialize(*this, raw);
        BOOST_TEST(endpoint.has_value() == !throws);
        co_await pass(executor, serving.authentication_timeout);
        BOOST_TEST(!endpoint);
        BOOST_TEST(destroyed == 1);
        BOOST_TEST(watched.expired());
        raw.close();
    }
}

BOOST_AUTO_TEST_SUITE_END()
