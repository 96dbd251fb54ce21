#ifndef LINKSPAN_TEST_SUPPORT_RECORDED_TRANSPORT_HPP
#define LINKSPAN_TEST_SUPPORT_RECORDED_TRANSPORT_HPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/meta_keys.hpp>
#include <linkspan/server/server.hpp>
#include <linkspan/test/detail/message_log.hpp>
#include <linkspan/transport/inproc.hpp>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::test {

// Messages between one client and a server, for the validation against the schema of their protocol version. Messages
// of the tests' own methods are not recorded, because the schemas do not have them.
class recorded_dialogue {
public:
    enum class recording {
        // The messages of both sides. The client is a session, which sends valid messages only.
        both,
        // The messages of both sides, except requests that the server refuses as invalid and texts that are no message:
        // tests send these as text on purpose. A request is recorded when its response arrives, or at the end if there
        // is none.
        valid_requests,
        // The messages of the client: those of the server are abbreviated, or invalid on purpose.
        client,
    };

    explicit recorded_dialogue(recording what = recording::both) : recording_(what) {}

    recorded_dialogue(recorded_dialogue const&) = delete;
    recorded_dialogue& operator=(recorded_dialogue const&) = delete;

    ~recorded_dialogue()
    {
        for (auto& [id, asked] : client_requests_)
            write_request(asked);
    }

    // Sets the version of messages that do not name one.
    void use(protocol_version version) noexcept { agreed_ = version; }

    void on_client_message(std::string_view text)
    {
        using kind = envelope::kind;
        auto const message = read_envelope(text);
        if (message.what == kind::batch)
            for (json_scan::reader in(text); auto const one = in.next();)
                on_client_message(one->value);
        else if (message.what == kind::request) {
            auto& asked = client_requests_[std::string(message.raw_id)];
            asked = {std::string(message.method), version_of(message), std::string(text)};
            if (recording_ != recording::valid_requests)
                write_request(asked);
        } else if (recording_ != recording::valid_requests ||
                   (message.what != kind::invalid && message.what != kind::not_json))
            write(side::client, version_of(message), text, message, server_requests_);
    }

    void on_server_message(std::string_view text)
    {
        auto const message = read_envelope(text);
        if (message.what == envelope::kind::request)
            server_requests_[std::string(message.raw_id)] = {std::string(message.method), agreed_, {}};
        auto const known = client_requests_.find(std::string(message.raw_id));
        bool const is_known = message.method.empty() && known != client_requests_.end();
        if (!is_known && message.what == envelope::kind::result)
            return; // the request was sent on another connection
        if (!is_known)
            return write(side::server, agreed_, text, message, {});
        auto& asked = known->second;
        if (message.what == envelope::kind::error && refuses_as_invalid(read_failure(message.error).code))
            asked.text.clear();
        write_request(asked);
        // The request `initialize` has the form of the proposed version, and its result that of the agreed one.
        auto version = asked.version;
        if (asked.method == "initialize" && message.what == envelope::kind::result)
            version = agreed_ =
                protocol_version_from(
                    json_scan::quoted(json_scan::member(message.result, "protocolVersion")).value_or(""))
                    .value_or(agreed_);
        if (is_specified(asked.method))
            write(side::server, version, text, message, client_requests_);
    }

private:
    using side = detail::message_log::side;
    struct request {
        std::string method;
        protocol_version version;
        std::string text; // of a request of the client; cleared when it is recorded, or not to be recorded
    };
    using requests = std::map<std::string, request>;

    // `com.example/` is the prefix in the documents.
    static bool is_specified(std::string_view method)
    {
        return !method.starts_with("own/") && !method.starts_with("com.example/");
    }

    // Returns true for the codes of an invalid request, of an unknown method and of invalid parameters.
    static bool refuses_as_invalid(int code) noexcept { return code <= -32600 && code >= -32602; }

    void write_request(request& asked)
    {
        if (auto const text = std::exchange(asked.text, {}); !text.empty())
            write(side::client, asked.version, text, read_envelope(text), {});
    }

    protocol_version version_of(envelope const& message) const
    {
        auto const meta = json_scan::member(message.params, "_meta");
        auto const named = message.method == "initialize" ? json_scan::member(message.params, "protocolVersion")
                                                          : json_scan::member(meta, meta_keys::version);
        return protocol_version_from(json_scan::quoted(named).value_or("")).value_or(agreed_);
    }

    void write(side from, protocol_version version, std::string_view text, envelope const& message,
               requests const& asked)
    {
        if (!is_specified(message.method) || (from == side::server && recording_ == recording::client))
            return;
        auto const known = asked.find(std::string(message.raw_id));
        bool const is_response = message.method.empty() && known != asked.end();
        log_.write(from, version, text, is_response ? std::string_view(known->second.method) : std::string_view());
    }

    detail::message_log log_;
    recording recording_;                                     // set by the constructor
    protocol_version agreed_ = protocol_version::v2026_07_28; // set by use(), and by the response to `initialize`
    requests client_requests_, server_requests_;              // by their ids; added by each request
};

// The transport `inproc_server` of a server, whose messages are recorded.
class recorded_transport {
public:
    using role = transport_role;
    struct config_type {
        memory_end end;
    };
    static constexpr std::string_view kind = "inproc";
    static constexpr bool handshake_on_no_response = true;

    recorded_transport(asio::any_io_executor executor, config_type const& config)
        : below_(std::move(executor), {config.end}), dialogue_(std::make_shared<recorded_dialogue>())
    {}

    template<class Handler>
    void async_open(Handler&& handler)
    {
        below_.async_open(std::forward<Handler>(handler));
    }

    void send(outbound const& message) noexcept
    {
        dialogue_->on_server_message(message.bytes);
        below_.send(message);
    }

    template<class Handler>
    void async_receive(Handler&& handler)
    {
        below_.async_receive([dialogue = dialogue_, handler = std::forward<Handler>(handler)](
                                 error_code ec, std::span<inbound const> batch) mutable {
            for (auto const& item : batch)
                if (auto const* const message = std::get_if<inbound_message>(&item))
                    dialogue->on_client_message(message->bytes);
            handler(ec, batch);
        });
    }

    abandon_result abandon(request_id id) noexcept { return below_.abandon(id); }

    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        below_.async_shutdown(std::forward<Handler>(handler));
    }

    void close() noexcept { below_.close(); }
    asio::any_io_executor get_executor() const { return below_.get_executor(); }
    std::size_t queued_bytes() const noexcept { return below_.queued_bytes(); }

private:
    inproc_server below_;
    std::shared_ptr<recorded_dialogue> dialogue_;
};

// A transport of a client whose messages are recorded.
template<class Below>
class recorded_client final : public Below {
public:
    using Below::Below;

    void send(outbound const& message) noexcept
    {
        dialogue_->on_client_message(message.bytes);
        Below::send(message);
    }

    template<class Handler>
    void async_receive(Handler&& handler)
    {
        Below::async_receive([dialogue = dialogue_, handler = std::forward<Handler>(handler)](
                                 error_code ec, std::span<inbound const> batch) mutable {
            for (auto const& item : batch)
                if (auto const* const message = std::get_if<inbound_message>(&item))
                    dialogue->on_server_message(message->bytes);
            handler(ec, batch);
        });
    }

private:
    std::shared_ptr<recorded_dialogue> dialogue_ = std::make_shared<recorded_dialogue>();
};

// Returns a configuration that connects to a server in memory, and records the messages.
inline inproc_config recorded_inproc_to(server& what)
{
    inproc_config out;
    out.connect = [&what](asio::any_io_executor const& executor, memory_end const& end) {
        what.async_serve(any_transport::make<recorded_transport>(executor, {end}), {}, [](error_code) {});
        return error_code();
    };
    return out;
}

} // namespace linkspan::test

#endif
