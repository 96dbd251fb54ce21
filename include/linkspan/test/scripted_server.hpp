#ifndef LINKSPAN_TEST_SCRIPTED_SERVER_HPP
#define LINKSPAN_TEST_SCRIPTED_SERVER_HPP

#include <linkspan/describe/local_tool.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>
#include <linkspan/test/detail/message_log.hpp>
#include <linkspan/test/script.hpp>
#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/inproc.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::test {

namespace detail {

class http_web;
class server_connection;

/// What a scripted server knows, shared with its connections.
struct server_script {
    struct tool {
        std::string name, description, input_schema, annotations;
        std::function<std::string(std::string_view arguments)> run; ///< the members of a result
        std::string output_schema{};                                ///< empty: none
    };

    server_dialogue::options dialogue;
    std::vector<tool> tools;
    std::deque<rule> rules;
    std::string line_suffix;   ///< before each line end
    std::size_t page_size = 0; ///< tools on one page of the list; 0: all
    std::optional<std::uint64_t> cut_requests, cut_responses;
    std::vector<std::string> received; ///< each message that came, in order
    std::size_t connections = 0;
    std::vector<std::weak_ptr<server_connection>> open;
    message_log log;
    std::vector<std::string> names; ///< that connectors give it

    /// For reports: as connectors name it, or else as it names itself.
    std::string known_as() const
    {
        std::string out;
        for (auto const& name : names)
            (out += out.empty() ? "" : "/") += name;
        return out.empty() ? dialogue.name : out;
    }

    void list_pending(std::ostream& out) const;

    rule* match(exchange const& request)
    {
        auto const found = std::ranges::find_if(rules, [&](rule const& r) { return r.matches(request); });
        return found == rules.end() ? nullptr : &*found;
    }
};

/// The server's end of a pipe in memory, as a stream that is open from the start.
class accepted_stream : public memory_stream {
public:
    struct config_type {
        memory_end end;
    };

    accepted_stream(asio::any_io_executor executor, config_type const& config)
        : memory_stream(std::move(executor), config.end)
    {}
};

using inproc_server = line_connection<accepted_stream>;

/// Serves one connection. Lives as long as its transport.
class server_connection final : public receive_op, public std::enable_shared_from_this<server_connection> {
public:
    server_connection(std::shared_ptr<server_script> script, asio::any_io_executor executor, any_transport transport)
        : script_(std::move(script)),
          executor_(std::move(executor)),
          transport_(std::move(transport)),
          dialogue_(script_->dialogue)
    {}

    server_connection(server_connection const&) = delete;
    server_connection& operator=(server_connection const&) = delete;
    ~server_connection();

    void run();
    void send(std::string_view line, std::uint64_t stream = 0);
    /// What was sent before has left.
    void drop()
    {
        transport_.shutdown({[](error_code) {}, executor_});
    }
    void list_pending(std::ostream& out) const;

    /// Called when the peer has gone.
    std::function<void()> on_end;

    /// Over HTTP: the exchange behind a stream.
    std::function<http_exchange*(std::uint64_t stream)> http_of;

    /// The protocol versions that it speaks, where these are not those of the server.
    void speak(std::vector<protocol_version> protocol_versions)
    {
        auto with = script_->dialogue;
        with.speaks = std::move(protocol_versions);
        dialogue_ = server_dialogue(std::move(with));
    }

private:
    class request_exchange;

    void on_received(error_code ec, std::span<inbound const> batch) override;
    void on_message(std::string_view line, std::uint64_t stream);
    void on_request(server_dialogue::action const& what, std::uint64_t stream);
    void answer_by_default(exchange& request);
    void list_tools(exchange& request);

    std::shared_ptr<server_script> script_;
    asio::any_io_executor executor_;
    any_transport transport_;
    server_dialogue dialogue_;
    std::vector<std::shared_ptr<request_exchange>> pending_;
    struct question {
        std::string id, method;
        std::function<void()> next;
    };

    void log_received(server_dialogue::action const& what, std::string_view line);
    void say(std::string_view line, std::uint64_t stream, protocol_version version, std::string_view answers = {});

    std::vector<question> asked_;
    std::uint64_t questions_ = 0;
};

} // namespace detail

/// An MCP server that does what a test tells it, in the same process or, behind standard streams, as a program.
///
///     scripted_server weather;
///     weather.on(call("forecast")).once(delay(2s), drop_connection()).then(text("sunny"));
///     hub.add<inproc>("weather", weather);
///
/// A rule for a call declares the tool. Without a rule a tool answers with what it was declared with, and everything
/// else is answered as the protocol version wants it. A request that is not answered is named when a test stalls.
///
/// Lifetime: connections live on without the server object.
/// Thread safety: none; use it on the thread that runs the test.
class scripted_server {
public:
    /// Speaks 2025-11-25 and 2026-07-28.
    scripted_server() = default;
    explicit scripted_server(std::vector<protocol_version> speaks) { script_->dialogue.speaks = std::move(speaks); }
    scripted_server(scripted_server const&) = delete;
    scripted_server& operator=(scripted_server const&) = delete;

    server_dialogue::options& dialogue() noexcept { return script_->dialogue; }

    /// Adds a rule; the first that matches a request is used.
    rule& on(trigger when)
    {
        if (!when.tool.empty() && !find(when.tool))
            tool(when.tool, "{\"type\":\"object\"}", nullptr);
        return script_->rules.emplace_back(std::move(when));
    }

    /// Declares a tool. `run` gets the arguments and gives the members of the result, as JSON text.
    scripted_server& tool(std::string name, std::string input_schema,
                          std::function<std::string(std::string_view arguments)> run, std::string annotations = {})
    {
        script_->tools.push_back(
            {std::move(name), {}, std::move(input_schema), std::move(annotations), std::move(run)});
        return *this;
    }

    /// Adds a tool that is a function of this program.
    scripted_server& tool(local_tool const& added)
    {
        auto const& declared = added.definition();
        script_->tools.push_back(
            {declared.name, declared.description, declared.input_schema, to_json(declared.annotations),
             [added](std::string_view arguments) { return added.run(arguments); }, declared.output_schema});
        return *this;
    }

    /// Gives a declared tool its description.
    scripted_server& describe(std::string_view name, std::string description)
    {
        if (auto* const declared = find(name))
            declared->description = std::move(description);
        return *this;
    }

    void remove_tool(std::string_view name)
    {
        std::erase_if(script_->tools, [&](auto const& tool) { return tool.name == name; });
    }

    /// Ends each line with `suffix` and then LF, as in "\r".
    void line_suffix(std::string suffix) { script_->line_suffix = std::move(suffix); }

    void page_size(std::size_t tools) noexcept { script_->page_size = tools; }

    /// The server of the next connections dies when it has read, or written, so many bytes.
    void cut_requests_after(std::uint64_t bytes) { script_->cut_requests = bytes; }
    void cut_responses_after(std::uint64_t bytes) { script_->cut_responses = bytes; }

    /// All messages that came, in order, over all connections.
    std::vector<std::string> const& received() const noexcept { return script_->received; }

    /// How many of them contain `part`.
    std::size_t received(std::string_view part) const
    {
        auto const contains = [part](std::string const& message) { return message.find(part) != message.npos; };
        return static_cast<std::size_t>(std::ranges::count_if(script_->received, contains));
    }

    std::size_t connections() const noexcept { return script_->connections; }

    /// Sends a message to all clients.
    void broadcast(std::string_view line);

    /// Ends all connections.
    void drop_connections();

    /// Serves one client over a transport that is open already. `on_end` is called when it has gone.
    void serve(asio::any_io_executor const& executor, any_transport transport, std::function<void()> on_end = {});

    /// How to reach this server in the same process.
    operator inproc_config() const;

private:
    friend class detail::http_web;

    std::shared_ptr<detail::server_connection> connect(asio::any_io_executor const& executor, any_transport transport);

    detail::server_script::tool* find(std::string_view name)
    {
        auto const found = std::ranges::find(script_->tools, name, &detail::server_script::tool::name);
        return found == script_->tools.end() ? nullptr : &*found;
    }

    std::shared_ptr<detail::server_script> script_ = std::make_shared<detail::server_script>();
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/scripted_server.ipp>
#endif

#endif
