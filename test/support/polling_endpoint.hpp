#ifndef LINKSPAN_TEST_SUPPORT_POLLING_ENDPOINT_HPP
#define LINKSPAN_TEST_SUPPORT_POLLING_ENDPOINT_HPP

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "endpoint_case.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

// A server of 2025-11-25 whose clients poll, with the tool "hold", whose request is stored in `held`.
struct polling_endpoint : endpoint_world {
    std::optional<server_request> held;

    polling_endpoint()
    {
        serving.response_form = http_service_options::form::stream;
        serving.polling = true;
        serving.retry = std::chrono::seconds(3);
    }

    void make_hold()
    {
        make_endpoint(protocol_version::v2025_11_25).add(any_tool("hold"), [this](server_request request) {
            held.emplace(std::move(request));
        });
    }

    void complete(std::size_t size)
    {
        held->complete(tool_output::text(std::string(size, 'x')));
        held.reset();
    }

    // Sends a call of "hold", and returns the id of the first event of its stream.
    asio::awaitable<std::string> begin_call(std::string session, std::string more = {})
    {
        auto const begun = co_await exchange(
            post(session),
            R"({"jsonrpc":"2.0","id":"call","method":"tools/call","params":{"name":"hold")" + more + "}}", "0\r\n\r\n");
        BOOST_TEST_REQUIRE(held.has_value());
        auto const at = begun.find("id: ") + 4;
        co_return begun.substr(at, begun.find('\n', at) - at);
    }

    // Resumes a stream after an event, and returns the response up to the read that contains `until`.
    asio::awaitable<std::string> resume(std::string session, std::string after, std::string until)
    {
        raw_http::client raw(executor);
        endpoint->serve(raw.other());
        co_await raw.write(get_stream(session + "\r\nLast-Event-ID: " + after));
        auto received = co_await raw.read_until(until);
        raw.close();
        co_await settle(executor);
        co_return received;
    }

    void clean_up()
    {
        held.reset();
        endpoint_world::clean_up();
    }
};

} // namespace linkspan::test

#endif
