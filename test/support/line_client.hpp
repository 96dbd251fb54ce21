#ifndef LINKSPAN_TEST_SUPPORT_LINE_CLIENT_HPP
#define LINKSPAN_TEST_SUPPORT_LINE_CLIENT_HPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/inproc.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recorded_transport.hpp"
#include "session_case.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

// A client in memory that sends texts and keeps all messages that it receives. The messages of both sides are recorded
// for the validation against the schema of their protocol version, except requests that the server refuses as invalid.
//
// Connect it by `inproc_to`: the transport of `recorded_inproc_to` would record all messages, too, without regard to
// `is_recorded` and send_unrecorded().
class line_client final : public receive_op, public std::enable_shared_from_this<line_client> {
public:
    line_client(asio::any_io_executor executor, inproc_config config)
        : executor_(executor), transport_(any_transport::make<inproc>(executor, std::move(config)))
    {}

    static std::shared_ptr<line_client> open(asio::any_io_executor executor, inproc_config config)
    {
        auto out = std::make_shared<line_client>(executor, std::move(config));
        out->transport_.open({[weak = std::weak_ptr(out)](error_code) {
                                  if (auto const self = weak.lock())
                                      self->transport_.receive(self);
                              },
                              executor});
        return out;
    }

    void send(std::string_view text)
    {
        if (is_recorded)
            dialogue_.on_client_message(text);
        send_unrecorded(text);
    }

    // Sends a notification or a response that no schema permits.
    void send_unrecorded(std::string_view text)
    {
        outbound message;
        message.bytes = text;
        transport_.send(message);
    }

    // Sends a request of 2026-07-28, and returns the response.
    asio::awaitable<std::string> ask(std::string method, std::string members, std::string capabilities = "{}")
    {
        auto const id = std::to_string(++last_);
        if (!members.empty())
            members += ",";
        send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":{)" + members +
             R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
             R"("io.modelcontextprotocol/clientCapabilities":)" + capabilities + "}}}");
        co_await settle(executor_);
        co_return response(id);
    }

    // Sends a request of the era `handshake`, and returns the response; empty: there is none yet.
    asio::awaitable<std::string> ask_in_session(std::string method, std::string params)
    {
        auto const id = std::to_string(++last_);
        send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + params + "}");
        co_await settle(executor_);
        co_return response(id);
    }

    // Returns the response with an id; empty: there is none yet.
    std::string response(std::string_view id) const
    {
        for (auto const& each : messages)
            if (json_scan::member(each, "id") == id && json_scan::member(each, "method").empty())
                return each;
        return {};
    }

    // Returns the id of the last request of ask().
    std::string last_id() const { return std::to_string(last_); }

    void close() { transport_.close(); }

    std::vector<std::string> messages; // all received messages
    bool has_ended = false;            // set when the server ends the connection
    bool is_recorded = true;           // cleared while a test sends or receives members that no schema has

private:
    void on_received(error_code ec, std::span<inbound const> batch) override
    {
        for (auto const& item : batch)
            if (auto const* const message = std::get_if<inbound_message>(&item)) {
                messages.emplace_back(message->bytes);
                if (is_recorded)
                    dialogue_.on_server_message(message->bytes);
            }
        if (!ec)
            transport_.receive(shared_from_this());
        has_ended = static_cast<bool>(ec);
    }

    asio::any_io_executor executor_;
    any_transport transport_;
    recorded_dialogue dialogue_{recorded_dialogue::recording::valid_requests};
    std::size_t last_ = 0;
};

} // namespace linkspan::test

#endif
