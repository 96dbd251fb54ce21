// The function that authenticates the requests of an HTTP endpoint: exceptions, and repeated or late results.

#include <functional>
#include <stdexcept>
#include <string>

#include "support/contains.hpp"
#include "support/endpoint_case.hpp"

BOOST_AUTO_TEST_SUITE(server_http_authentication_test)

using namespace linkspan;
using namespace linkspan::test;

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
    serving.authenticate = [&](http_server_request const&, done_function done) { late = std::move(done); };
    make_count();
    raw_http::client raw(executor);
    co_await send_initialize(*this, raw);
    raw.close();
    co_await settle(executor);
    late({});
    co_await settle(executor);
    BOOST_TEST(endpoint->sessions() == 0u);
    BOOST_TEST(served->counters().requests == 0u);
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

BOOST_AUTO_TEST_SUITE_END()
