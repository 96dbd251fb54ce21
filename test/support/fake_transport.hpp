#ifndef LINKSPAN_TEST_SUPPORT_FAKE_TRANSPORT_HPP
#define LINKSPAN_TEST_SUPPORT_FAKE_TRANSPORT_HPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/concept.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recorded_transport.hpp"
#include "session_case.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

// A message sent over a fake transport.
struct sent_message {
    std::string bytes, method, name;
    request_id id = 0;
    message_kind kind = message_kind::request;
    std::optional<protocol_version> version;
    std::vector<std::string> mirrored; // as "name: value"

    std::string params() const { return std::string(json_scan::member(bytes, "params")); }
};

class fake_transport;

// Behaviour of a transport in memory that reports the outcome of messages, as HTTP does, and delivers any response to
// a message. The messages of the client are recorded for the validation against the schema of their protocol version.
// The messages of the peer are not, because tests abbreviate them to the members that they need.
struct transport_script {
    using handler = std::function<void(sent_message const&)>;

    std::map<std::string, handler> handlers; // by method; a message without a handler has no response
    std::function<bool(protocol_version)> supports = [](protocol_version) { return true; };
    std::vector<sent_message> sent; // over all connections
    std::vector<request_id> abandoned;
    std::size_t connections = 0;
    std::size_t closed = 0;
    std::string diagnostics;
    fake_transport* current = nullptr;

    inline void report(inbound_report what, std::string first_bytes = {});
    inline void deliver(std::string bytes, certainty max_certainty = certainty::completed);
    inline void end();

    void result(sent_message const& of, std::string_view members)
    {
        deliver(R"({"jsonrpc":"2.0","id":)" + std::to_string(of.id) + R"(,"result":{)" + std::string(members) + "}}");
    }

    void refuse(sent_message const& of, int code)
    {
        deliver(R"({"jsonrpc":"2.0","id":)" + std::to_string(of.id) + R"(,"error":{"code":)" + std::to_string(code) +
                R"(,"message":"no"}})");
    }

    void fail(sent_message const& of, error_code ec, certainty delivery = certainty::refused)
    {
        inbound_report what;
        what.id = of.id;
        what.certainty = delivery;
        what.ec = ec;
        report(what);
    }

    // Returns the methods of the sent messages in order.
    std::string methods() const
    {
        std::string out;
        for (auto const& message : sent)
            (out += out.empty() ? "" : " ") += message.method.empty() ? "response" : message.method;
        return out;
    }

    std::size_t count(std::string_view method) const
    {
        return static_cast<std::size_t>(std::ranges::count(sent, method, &sent_message::method));
    }

    // Returns the n-th message with that method, counted from 0.
    sent_message const& message(std::string_view method, std::size_t n = 0) const
    {
        for (auto const& one : sent)
            if (one.method == method && n-- == 0)
                return one;
        BOOST_FAIL("no message with this method was sent: " << method);
        return sent.front();
    }
};

class fake_transport {
public:
    using role = transport_role;
    struct config_type {
        std::shared_ptr<transport_script> script;
    };
    static constexpr std::string_view kind = "fake";
    static constexpr bool handshake_on_no_response = false;
    static constexpr bool mirrors_arguments = true;

    fake_transport(asio::any_io_executor executor, config_type const& config)
        : executor_(std::move(executor)), script_(config.script)
    {
        ++script_->connections;
        script_->current = this;
    }

    fake_transport(fake_transport const&) = delete;
    fake_transport& operator=(fake_transport const&) = delete;

    ~fake_transport()
    {
        close();
        if (script_->current == this)
            script_->current = nullptr;
    }

    template<class Token>
    void async_open(Token token)
    {
        asio::post(executor_, [token = std::move(token)]() mutable { token(error_code()); });
    }

    void send(outbound const& message) noexcept
    {
        auto& copy = script_->sent.emplace_back();
        copy.bytes = message.bytes;
        copy.method = message.method;
        copy.name = message.name;
        copy.id = message.id;
        copy.kind = message.kind;
        copy.version = message.version;
        for (auto const& header : message.mirrored)
            copy.mirrored.push_back(std::string(header.name) + ": " + std::string(header.value));
        if (message.version)
            dialogue_.use(*message.version);
        dialogue_.on_client_message(message.bytes);
        auto const found = script_->handlers.find(copy.method);
        if (found != script_->handlers.end())
            found->second(sent_message(copy));
    }

    template<class Token>
    void async_receive(Token token)
    {
        receiver_ = std::move(token);
        complete_receive();
    }

    abandon_result abandon(request_id id) noexcept
    {
        script_->abandoned.push_back(id);
        return abandon_result::peer_notified;
    }

    template<class Token>
    void async_shutdown(Token token)
    {
        asio::post(executor_, [token = std::move(token)]() mutable { token(error_code()); });
    }

    void close() noexcept
    {
        if (!std::exchange(closed_, true))
            ++script_->closed;
        complete_receive();
    }

    asio::any_io_executor get_executor() const noexcept { return executor_; }
    std::size_t queued_bytes() const noexcept { return 0; }
    std::string diagnostics() const { return script_->diagnostics; }
    bool supports(protocol_version version) const { return script_->supports(version); }

private:
    friend transport_script;

    using receiver = std::function<void(error_code, std::span<inbound const>)>;

    struct item {
        std::string text;
        std::optional<inbound_report> report;
        certainty max_certainty = certainty::completed;
    };

    void add(item one)
    {
        if (!one.report)
            dialogue_.on_server_message(one.text);
        arrived_.push_back(std::move(one));
        complete_receive();
    }

    // Delivers all items that have arrived until the next turn as one batch.
    void complete_receive()
    {
        bool const ended = closed_ || ended_;
        if (!receiver_ || (arrived_.empty() && !ended))
            return;
        struct delivery {
            receiver to;
            std::deque<item> items;
            std::vector<inbound> batch;
        };
        auto const next = std::make_shared<delivery>();
        next->to = std::exchange(receiver_, nullptr);
        error_code const ec = closed_ ? error_code(asio::error::operation_aborted) : error_code(error::stream_ended);
        next->items.swap(arrived_);
        asio::post(executor_, [next, ec = ended ? ec : error_code()] {
            for (auto& one : next->items)
                if (one.report) {
                    one.report->first_bytes = one.text;
                    next->batch.emplace_back(*one.report);
                } else {
                    inbound_message message;
                    message.bytes = one.text;
                    message.max_certainty = one.max_certainty;
                    next->batch.emplace_back(message);
                }
            next->to(ec, next->batch);
        });
    }

    asio::any_io_executor executor_;
    std::shared_ptr<transport_script> script_;
    receiver receiver_;
    std::deque<item> arrived_;
    recorded_dialogue dialogue_{recorded_dialogue::recording::client};
    bool closed_ = false;
    bool ended_ = false;
};

static_assert(Transport<fake_transport>);

inline void transport_script::report(inbound_report what, std::string first_bytes)
{
    if (current)
        current->add({std::move(first_bytes), what, certainty::completed});
}

inline void transport_script::deliver(std::string bytes, certainty max_certainty)
{
    if (current)
        current->add({std::move(bytes), {}, max_certainty});
}

inline void transport_script::end()
{
    if (current) {
        current->ended_ = true;
        current->complete_receive();
    }
}

// A session over a fake transport. The default is the handshake era; `use_stateless_era()` selects the stateless era.
struct fake_transport_world : world {
    std::shared_ptr<transport_script> fake = std::make_shared<transport_script>();
    session_options options;
    std::optional<session> client;

    fake_transport_world()
    {
        fake->handlers["initialize"] = [this](sent_message const& message) { complete_handshake(message); };
        fake->handlers["server/discover"] = [this](sent_message const& message) { fake->refuse(message, -32601); };
    }

    void complete_handshake(sent_message const& message, std::string_view capabilities = R"("tools":{})")
    {
        fake->result(message, R"("protocolVersion":"2025-11-25","capabilities":{)" + std::string(capabilities) + "}");
    }

    void use_stateless_era()
    {
        fake->handlers["server/discover"] = [this](sent_message const& message) {
            fake->result(message, R"("supportedVersions":["2026-07-28"],"capabilities":{"tools":{}})");
        };
    }

    fake_transport::config_type config() const { return {fake}; }
    session& make() { return client.emplace(executor, via<fake_transport>(config()), options); }
    void clean_up() { client.reset(); }
};

} // namespace linkspan::test

#endif
