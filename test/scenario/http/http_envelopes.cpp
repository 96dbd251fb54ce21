// Envelopes that the transports over HTTP deliver with the messages.

#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/http/client/http_sse.hpp>
#include <linkspan/http/client/streamable_http.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/transport/concept.hpp>

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "support/http_case.hpp"

BOOST_AUTO_TEST_SUITE(http_envelopes_test)

using namespace linkspan::test;
namespace asio = linkspan::asio;
using linkspan::auto_http;
using linkspan::envelope;
using linkspan::error_code;
using linkspan::inbound;
using linkspan::inbound_message;
using linkspan::http_sse;
using linkspan::protocol_version;
using linkspan::streamable_http;
using form = http_server_options::form;

namespace {

struct envelope_log {
    std::size_t messages = 0;
    std::size_t without_structure = 0;
    std::size_t elements = 0; // of batches, with their structures
};

bool is_same_view(std::string_view a, std::string_view b)
{
    return a.size() == b.size() && (a.empty() || a.data() == b.data());
}

bool is_same(envelope const& a, envelope const& b)
{
    return a.what == b.what && a.id == b.id && is_same_view(a.raw_id, b.raw_id) && is_same_view(a.method, b.method) &&
           is_same_view(a.params, b.params) && is_same_view(a.result, b.result) &&
           is_same_view(a.result_type, b.result_type) && is_same_view(a.error, b.error);
}

// Transport that removes the text of each message that is delivered with its structure, so that a session can only use
// the structure. A message without a structure keeps its text.
template<class T>
struct without_texts : T {
    struct config_type : linkspan::http_config {
        envelope_log* log = nullptr;
    };

    without_texts(asio::any_io_executor executor, config_type const& config)
        : T(std::move(executor), config), log_(config.log)
    {}

    template<class Token>
    auto async_receive(Token token)
    {
        return T::async_receive(
            [log = log_, token = std::move(token)](error_code ec, std::span<inbound const> batch) mutable {
                std::vector<inbound> changed(batch.begin(), batch.end());
                std::deque<std::string> arrays; // with elements without content
                for (auto& item : changed)
                    if (auto* const message = std::get_if<inbound_message>(&item)) {
                        ++log->messages;
                        if (!message->structure) {
                            ++log->without_structure;
                            continue;
                        }
                        BOOST_TEST(is_same(*message->structure, linkspan::read_envelope(message->bytes)));
                        log->elements += message->elements.size();
                        linkspan::json_scan::reader each(message->bytes);
                        for (auto const& one : message->elements)
                            BOOST_TEST(is_same(one, linkspan::read_envelope(each.next()->value)));
                        message->bytes = {};
                        if (!message->elements.empty()) {
                            arrays.push_back("[0");
                            for (std::size_t i = 1; i != message->elements.size(); ++i)
                                arrays.back() += ",0";
                            message->bytes = arrays.back() += ']';
                        }
                    }
                token(ec, changed);
            });
    }

private:
    envelope_log* log_;
};

struct envelopes_world : http_world {
    envelope_log log;

    template<class Transport>
    asio::awaitable<void> open_without_texts()
    {
        typename without_texts<Transport>::config_type with;
        static_cast<linkspan::http_config&>(with) = config;
        with.log = &log;
        client.emplace(executor, linkspan::via<without_texts<Transport>>(with), options);
        auto const [ec] = co_await client->async_open(in_tuple);
        BOOST_TEST_REQUIRE(!ec, ec.message() << ": " << client->diagnostics());
        co_await settle(executor);
    }
};

} // namespace

LINKSPAN_CASE_IN(envelopes_world, response_is_delivered_with_structure_so_that_session_reads_no_text)
{
    for (auto const each_form : {form::json, form::stream})
        for (auto const& versions : {stateless_era, handshake_era})
            for (std::size_t const size : {std::size_t{1}, std::size_t{1} << 20}) {
                serving.response_form = each_form;
                serve(versions);
                add().then(text(std::string(size, 'x')));
                log = {};
                co_await open_without_texts<streamable_http>();
                auto const got = co_await call_add();
                BOOST_TEST(!got.ec, got.ec.message());
                BOOST_TEST(got.result.text() == std::string(size, 'x'));
                BOOST_TEST(log.messages ==
                           (versions == stateless_era ? 2u : 3u)); // the response to the probe is an error
                BOOST_TEST(log.without_structure == 0u);
            }
}

LINKSPAN_CASE_IN(envelopes_world, messages_of_http_sse_are_delivered_with_structure)
{
    serving.sse_path = "/sse";
    config.url = "http://server/sse";
    serve({protocol_version::v2024_11_05});
    add().then(text("5"));
    co_await open_without_texts<http_sse>();
    BOOST_TEST((co_await call_add()).result.text() == "5");
    BOOST_TEST(log.messages == 2u);
    BOOST_TEST(log.without_structure == 0u);
}

LINKSPAN_CASE_IN(envelopes_world, redacted_error_response_is_delivered_with_structure_of_redacted_text)
{
    config.auth = linkspan::token_provider{[](linkspan::token_request const&, auto const& done) {
        linkspan::access_token token;
        token.value = "hunter2-and-more";
        done(error_code(), token);
    }};
    serve(stateless_era);
    constexpr auto body = R"({"jsonrpc":"2.0","id":@,"error":{"code":-32603,"message":"bad hunter2-and-more"}})";
    add().then(http_raw_for(*server, http_text(ok_json, body)));
    co_await open_without_texts<streamable_http>();
    auto const got = co_await call_add();
    BOOST_TEST(got.ec == error_code(-32603, linkspan::rpc_category()));
    BOOST_TEST_REQUIRE(got.result.attempts().size() == 1u);
    BOOST_TEST(!has_part(got.result.attempts().front().detail, "hunter2"));
    BOOST_TEST(has_part(got.result.attempts().front().detail, "bad "));
    BOOST_TEST(log.messages == 2u);
    BOOST_TEST(log.without_structure == 0u);
}

LINKSPAN_CASE_IN(envelopes_world, batch_is_delivered_with_structures_of_elements_so_that_session_reads_no_element)
{
    serve({protocol_version::v2025_03_26});
    constexpr auto batch = R"(data: [{"jsonrpc":"2.0","method":"notifications/x"},)"
                           R"({"jsonrpc":"2.0","id":@,"result":{"content":[{"type":"text","text":"5"}]}}])"
                           "\n\n";
    add().then(http_raw_for(*server, http_text(ok_events, batch)));
    co_await open_without_texts<streamable_http>();
    auto const got = co_await call_add();
    BOOST_TEST(!got.ec, got.ec.message());
    BOOST_TEST(got.result.text() == "5");
    BOOST_TEST(log.elements == 2u);
    BOOST_TEST(log.without_structure == 0u);
}

LINKSPAN_CASE_IN(envelopes_world, text_within_string_object_is_delivered_without_structure)
{
    serve(stateless_era);
    add().then(http_raw_for(*server, http_text(ok_events, "data: {}\n\n")));
    co_await open_without_texts<streamable_http>();
    BOOST_TEST((co_await call_add()).ec == error_code(linkspan::error::malformed_message));
    BOOST_TEST(log.messages == 2u);
    BOOST_TEST(log.without_structure == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
