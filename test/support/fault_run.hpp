#ifndef LINKSPAN_TEST_SUPPORT_FAULT_RUN_HPP
#define LINKSPAN_TEST_SUPPORT_FAULT_RUN_HPP

// Raw clients of a scripted server in virtual time. The clients record the bytes that they receive for a request whose
// response has a fault.

#include <linkspan/core/time.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/test/chaos.hpp>
#include <linkspan/test/fault/fault_kind.hpp>
#include <linkspan/test/http_server.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/test/world.hpp>
#include <linkspan/transport/memory_byte_stream.hpp>
#include <linkspan/transport/memory_pipe.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

// Bytes that a client received at one instant, since the request with the fault.
struct arrival {
    duration at{};
    std::string bytes{};

    bool operator==(arrival const&) const = default;
};

// Observations of a client on one connection.
struct received_bytes {
    std::vector<arrival> arrivals{};    // in ascending order of their instants
    std::optional<duration> ended_at{}; // none: the server has not closed the connection

    bool operator==(received_bytes const&) const = default;

    // Returns the bytes of all instants.
    std::string text() const
    {
        std::string out;
        for (auto const& each : arrivals)
            out += each.bytes;
        return out;
    }
};

// The client end of a connection in memory, which records the received bytes. An object must exist as long as its
// context runs.
class recording_client {
public:
    recording_client(asio::any_io_executor executor, memory_end end)
        : executor_(std::move(executor)), end_(std::move(end))
    {
        read();
    }
    recording_client(recording_client const&) = delete;
    recording_client& operator=(recording_client const&) = delete;

    void write(std::string_view bytes)
    {
        error_code ec;
        end_.out->write_some(asio::buffer(bytes), ec); // fails if the server has ended the connection
    }

    // Closes the connection, so that its outstanding operations complete.
    void close() { end_.close(); }

    // Discards the bytes until now. Later instants are relative to the current one.
    void restart()
    {
        began_ = time_source::of(executor_).now();
        received_ = {};
    }

    received_bytes const& received() const noexcept { return received_; }

private:
    void read()
    {
        auto on_read = [this](error_code ec, std::size_t size) {
            auto const at = time_source::of(executor_).now() - began_;
            if (ec) {
                received_.ended_at = at;
                return;
            }
            if (received_.arrivals.empty() || received_.arrivals.back().at != at)
                received_.arrivals.push_back({.at = at});
            received_.arrivals.back().bytes.append(chunk_.data(), size);
            read();
        };
        end_.in->read_some(asio::buffer(chunk_), {std::move(on_read), executor_}, executor_);
    }

    asio::any_io_executor executor_;
    memory_end end_;
    time_point began_{}; // set by restart()
    received_bytes received_;
    std::array<char, 65536> chunk_;
};

// Returns the part of a text after `before` and before `after`; empty: there is none.
inline std::string text_between(std::string_view text, std::string_view before, std::string_view after)
{
    auto const at = text.find(before);
    if (at == text.npos)
        return {};
    auto const rest = text.substr(at + before.size());
    return std::string(rest.substr(0, rest.find(after)));
}

// Observations of one run, and the faults that occurred.
struct fault_observation {
    std::vector<received_bytes> connections{}; // the connection with the request is the first one
    std::vector<chaos_fault> faults{};
    std::string session{};       // id of the HTTP session; empty: none
    bool has_read_later = false; // whether the server received the later request
};

// A server, and a client that opens a connection, sends the request whose response has the fault, and 10 ms later
// another request: over HTTP, on a connection of its own. The run ends five minutes later.
class fault_run : public world {
public:
    fault_run(fault_description const& what, fault_carrier carrier, protocol_version version)
        : what_(what), carrier_(carrier), version_(version), server_(add_server("weather", {version}))
    {
        server_.on_fault([this](chaos_fault const& one) { out_.faults.push_back(one); });
        server_.tool("forecast", R"({"type":"object"})", [](std::string_view) {
            return std::string(R"("content":[{"type":"text","text":"clear sky"}],"structuredContent":{"sky":"clear"})");
        });
        http_server_options serving;
        if (carrier == fault_carrier::http_sse)
            serving.sse_path = "/sse";
        web_.emplace(executor, server_, serving);
    }

    // Runs without a fault.
    fault_observation without_fault() { return run({}, {}); }

    // Runs with the fault as an action.
    fault_observation by_action() { return run(what_.kind, {}); }

    // Runs with the faults of a plan.
    fault_observation by_plan(std::vector<chaos_fault> faults) { return run({}, std::move(faults)); }

private:
    bool is_stateless() const { return version_ == protocol_version::v2026_07_28; }
    std::string opening() const { return is_stateless() ? "server/discover" : "initialize"; }

    // Returns the method of the request whose response has the fault.
    std::string method() const
    {
        if (what_.on == "opening")
            return opening();
        return what_.on == "message" || what_.on == "response" ? "tools/call" : std::string(what_.on);
    }

    fault_observation run(std::optional<fault_kind> kind, std::vector<chaos_fault> planned)
    {
        set_chaos(chaos(chaos_plan{.faults = std::move(planned)}));
        add_rule(kind);
        add_client();
        if (carrier_ == fault_carrier::http_sse) {
            clients_.back().write("GET /sse HTTP/1.1\r\nHost: server\r\nAccept: text/event-stream\r\n\r\n");
            run_for(std::chrono::milliseconds(1));
            path_ = text_between(clients_.back().received().text(), "\ndata: ", "\n");
            add_client();
        }
        if (method() != opening())
            open();
        for (auto& each : clients_)
            each.restart();
        send(method(), 2);
        run_for(std::chrono::milliseconds(10));
        if (carrier_ != fault_carrier::inproc)
            add_client();
        send("tools/call", 3);
        run_for(std::chrono::minutes(5));
        for (auto const& each : clients_)
            out_.connections.push_back(each.received());
        out_.session = session_;
        out_.has_read_later = server_.received("\"id\":3") != 0;
        for (auto& each : clients_)
            each.close();
        run_for(std::chrono::seconds(1)); // outstanding operations would own their connections
        return std::move(out_);
    }

    // The list of tools may be cached, unlike that of the default response.
    void add_rule(std::optional<fault_kind> kind)
    {
        constexpr char const* tools =
            R"("tools":[{"name":"forecast","inputSchema":{"type":"object","properties":{"city":{"type":"string"}}},)"
            R"("outputSchema":{"type":"object","properties":{"sky":{"type":"string"}},"required":["sky"]}},)"
            R"({"name":"alerts","inputSchema":{"type":"object"}}],"ttlMs":60000,"cacheScope":"private")";
        auto const respond = method() == "tools/list" ? result(tools) : default_response();
        auto& rule = server_.on(request(method()));
        if (kind)
            rule.once(fault(*kind), respond);
        else
            rule.once(respond);
    }

    void add_client()
    {
        auto const [client, server] = make_memory_pipe();
        clients_.emplace_back(executor, client);
        if (carrier_ == fault_carrier::inproc)
            static_cast<inproc_config>(server_).connect(executor, server);
        else
            web_->serve(std::make_unique<memory_byte_stream>(executor, server));
    }

    void open()
    {
        send(opening(), 1);
        run_for(std::chrono::milliseconds(1));
        session_ = text_between(clients_.back().received().text(), "Mcp-Session-Id: ", "\r\n");
        if (!is_stateless())
            send_text("notifications/initialized", R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        run_for(std::chrono::milliseconds(1));
    }

    void send(std::string const& method, int id)
    {
        std::string params;
        if (method == "initialize")
            params = R"("protocolVersion":")" + std::string(to_string(version_)) +
                     R"(","capabilities":{},"clientInfo":{"name":"test","version":"1"},)";
        else if (method == "tools/call")
            params = R"("name":"forecast","arguments":{},)";
        std::string meta = R"("progressToken":7)";
        if (is_stateless())
            meta += R"(,"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                    R"("io.modelcontextprotocol/clientCapabilities":{})";
        send_text(method, R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
                              R"(","params":{)" + params + R"("_meta":{)" + meta + "}}}");
    }

    // Sends a message: over HTTP, in a POST.
    void send_text(std::string const& method, std::string const& text)
    {
        if (carrier_ == fault_carrier::inproc)
            return clients_.back().write(text + "\n");
        auto head = "POST " + path_ +
                    " HTTP/1.1\r\nHost: server\r\nAccept: application/json, text/event-stream\r\n"
                    "Content-Type: application/json\r\n";
        if (is_stateless())
            head += "Mcp-Method: " + method + "\r\n" + (method == "tools/call" ? "Mcp-Name: forecast\r\n" : "");
        if (method != "initialize")
            head += "MCP-Protocol-Version: " + std::string(to_string(version_)) + "\r\n";
        if (!session_.empty())
            head += "Mcp-Session-Id: " + session_ + "\r\n";
        clients_.back().write(head + "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text);
    }

    fault_description const& what_;
    fault_carrier carrier_;
    protocol_version version_;
    scripted_server& server_;
    std::optional<http_server> web_;        // set by the constructor
    std::deque<recording_client> clients_;  // extended by add_client(); the last one sends
    std::string path_ = "/mcp", session_{}; // of a POST; the session is empty if the server has none
    fault_observation out_;
};

} // namespace linkspan::test

#endif
