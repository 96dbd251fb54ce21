#ifndef LINKSPAN_TEST_SCRIPTED_SERVER_HPP
#define LINKSPAN_TEST_SCRIPTED_SERVER_HPP

#include <linkspan/describe/local_tool.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>
#include <linkspan/test/chaos.hpp>
#include <linkspan/test/detail/server_connection.hpp>
#include <linkspan/test/script.hpp>
#include <linkspan/test/script/any_expectation.hpp>
#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/inproc.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

class scripted_backend;
class script_writer;

} // namespace detail

class mock_script;
class world;

/// An MCP server whose responses a test determines, in the same process, over HTTP, or as a program with standard
/// streams.
///
///     scripted_server weather;
///     weather.on(call("forecast")).once(delay(2s), drop_connection()).then(text("sunny"));
///     hub.add<inproc>("weather", weather);
///
/// A rule determines the response to the requests that its trigger and conditions match; a rule for a call also
/// declares the tool. Rules with a higher priority precede others; rules of equal priority are used in the order of
/// addition. A request without a rule receives the default response:
/// - `initialize`, `server/discover`, `ping`: the response that the protocol version specifies;
/// - `tools/list`: the declared tools;
/// - `tools/call`: the result of the function that the tool was declared with, or empty content; for an undeclared tool
///   the error -32602;
/// - `subscriptions/listen`: the acknowledgement of the changes for which the server declares the capability; the
///   subscription stays open, and receives their notifications (`exchange::notify`);
/// - any other method: error -32601.
///
/// A `linkspan::server` can be passed to the constructor. This server "behind the rules" receives the messages that no
/// rule handles: its responses are the default responses, and the tools are its tools:
///
///     linkspan::server weather(time.executor(), {.name = "weather", .version = "1"});
///     weather.add(forecast_tool);
///     scripted_server flaky(weather);
///     flaky.on(call("forecast")).once(drop_connection());
///     hub.add<inproc>("weather", flaky);
///
/// In virtual time, requests without a response are listed in the report of `stalled`.
///
/// \par Lifetime
/// Connections share the state of the server and may outlive the server object.
/// \par Thread safety
/// None: use the object on the thread that runs the test.
class scripted_server {
public:
    /// Makes a server with the protocol versions 2025-11-25 and 2026-07-28.
    scripted_server() = default;

    /// Makes a server with the given protocol versions.
    ///
    /// \par Preconditions
    /// `protocol_versions` is not empty.
    explicit scripted_server(std::vector<protocol_version> protocol_versions)
    {
        script_->dialogue.protocol_versions = std::move(protocol_versions);
    }

    /// Puts rules in front of a server, which receives the messages that no rule handles.
    ///
    /// The capabilities and tools are those of `behind`, so that `dialogue`, `tool`, `describe`, `remove_tool` and
    /// `page_size` have no effect. A rule that responds to `initialize` itself hides that request from `behind`.
    ///
    /// \param behind The server, which must outlive this object and its connections, and whose executor is that of the
    /// connections.
    explicit scripted_server(server& behind);
    scripted_server(scripted_server const&) = delete;
    scripted_server& operator=(scripted_server const&) = delete;

    /// Returns the options of the protocol: name, version, capabilities, instructions, protocol versions. Changes apply
    /// to connections that are opened later.
    server_dialogue::options& dialogue() noexcept { return script_->dialogue; }

    /// Puts the rules in front of another server, such as one in another process, as the constructor with a `server`
    /// does. The protocol versions remain those of this object.
    ///
    /// \param serve Called for each new client, before its first message, with the executor of the connection and a
    /// transport to the client, which is open. The function connects the transport with the server, and starts to
    /// receive from the transport before the function returns. A message that arrives while no receive is outstanding
    /// is lost.
    void pass_on(std::function<void(asio::any_io_executor const& executor, any_transport client)> serve)
    {
        script_->pass_on = std::move(serve);
    }

    /// Adds a rule and returns it.
    ///
    /// For each request, the server uses the first rule that matches, by descending priority, then in the order of
    /// addition. A rule whose phases are used up still precedes later rules for the same requests, unless its
    /// `after_last` is `used_up::next_rule`. A tool that the trigger names and that is not declared is declared with
    /// the schema `{"type":"object"}`, unless a server is behind the rules.
    ///
    /// \returns A reference that is valid as long as the server object or one of its connections exists.
    rule& on(trigger when)
    {
        if (!script_->has_server_behind() && !when.tool.empty() && !script_->responses.find(when.tool))
            tool(when.tool, "{\"type\":\"object\"}", nullptr);
        return add(rule(std::move(when)));
    }

    /// Adds a rule that exists already, as `on` adds a new one, and returns the added copy. Declares no tool.
    rule& add(rule added)
    {
        auto& out = script_->rules.add(std::move(added));
        script_->events.on_rule_added();
        return out;
    }

    /// Returns the states of the scenarios and the variables of this server, which may be changed at any time. The
    /// reference is valid as long as the server object or one of its connections exists.
    script_values& values() noexcept { return script_->rules.values(); }

    /// Applies faults to the messages that this server sends from now on. Faults of actions take precedence.
    void set_chaos(chaos source) { script_->faults = std::make_shared<chaos>(std::move(source)); }

    /// Calls a function with each fault of a message that this server sends, before the fault has its effect. The
    /// faults of actions are included, so that a plan of the faults repeats a run without these actions.
    ///
    /// \param observe The function, which must not change this server. Empty: no function is called.
    /// \par Preconditions
    /// No connection was opened.
    void on_fault(std::function<void(chaos_fault const&)> observe) { script_->on_fault = std::move(observe); }

    /// Opens a gate, at which actions wait. See `gates::open`.
    void open_gate(std::string_view name) { values().gates.open(name); }

    /// Executes the actions of the rule for a signal (`signal_received`). `serve_stdio` (with `takes_signals`) and
    /// `serve_http` call the function for the first signal, and end the program if no rule was selected.
    ///
    /// \param executor Executor of the connections.
    /// \param name Name of the signal, such as "SIGTERM".
    /// \returns Whether a rule was selected.
    bool receive_signal(asio::any_io_executor const& executor, std::string_view name)
    {
        return script_->events.on_signal(executor, name);
    }

    /// Ends the actions of all events that are not requests. `serve_stdio` and `serve_http` call the function before
    /// the end of their execution context, which the timers of the actions use.
    void end_actions() { script_->events.end_all(); }

    /// Declares a tool.
    ///
    /// \param name Name of the tool.
    /// \param input_schema JSON text of its input schema.
    /// \param run Receives the arguments as JSON text and returns the members of the result as JSON text without the
    /// braces. Empty: the result has empty content.
    /// \param annotations JSON text of its annotations; empty: none.
    /// \param output_schema JSON text of its output schema; empty: none.
    /// \returns This object.
    scripted_server& tool(std::string name, std::string input_schema,
                          std::function<std::string(std::string_view arguments)> run, std::string annotations = {},
                          std::string output_schema = {})
    {
        tool_declaration declared{.name = std::move(name),
                                  .description = {},
                                  .input_schema = std::move(input_schema),
                                  .annotations = std::move(annotations),
                                  .output_schema = std::move(output_schema)};
        script_->responses.tools.push_back({std::move(declared), std::move(run)});
        return *this;
    }

    /// Declares a tool that is a function of this program, with its name, description, schemas, hints and function.
    ///
    ///     server.tool(local_tool("add", "Adds two numbers", [](operands const& two) { return sum{two.a + two.b}; }));
    ///
    /// \param added The tool, which is copied.
    /// \returns This object.
    scripted_server& tool(local_tool const& added)
    {
        auto const& declared = added.definition();
        tool_declaration own{.name = declared.name,
                             .description = declared.description,
                             .input_schema = declared.input_schema,
                             .annotations = to_json(declared.annotations),
                             .output_schema = declared.output_schema};
        script_->responses.tools.push_back(
            {std::move(own), [added](std::string_view arguments) { return added.run(arguments); }});
        return *this;
    }

    /// Declares a tool without a function, or replaces the declaration of the tool with this name. Its calls have empty
    /// content unless a rule handles them.
    ///
    /// \param declared The tool.
    /// \returns This object.
    scripted_server& declare(tool_declaration const& declared)
    {
        script_->responses.declare(declared);
        return *this;
    }

    /// Sets the description of a declared tool. Has no effect if the tool is not declared. Default: no description.
    ///
    /// \returns This object.
    scripted_server& describe(std::string_view name, std::string description)
    {
        if (auto* const declared = script_->responses.find(name))
            declared->description = std::move(description);
        return *this;
    }

    /// Removes all declarations of a tool. The function sends no notification; see `broadcast`.
    void remove_tool(std::string_view name) { script_->responses.remove(name); }

    /// Sets a text that is sent before the LF of each line, for example "\r". Default: empty.
    void line_suffix(std::string suffix) { script_->line_suffix = std::move(suffix); }

    /// Sets the number of tools per page of `tools/list`. Default: 0, all tools on one page.
    void page_size(std::size_t tools) noexcept { script_->responses.page_size = tools; }

    /// Ends each later in-process connection, in both directions, after the client has sent `bytes` bytes. Further
    /// bytes of the client are not accepted. Default: never.
    void cut_requests_after(std::uint64_t bytes) { script_->cut_requests = bytes; }

    /// Ends each later in-process connection, in both directions, after the server has sent `bytes` bytes. Further
    /// bytes of the server are not sent. Default: never.
    void cut_responses_after(std::uint64_t bytes) { script_->cut_responses = bytes; }

    /// Sets whether the messages that are received from now on are kept, for `received`, `requests` and `verify`. The
    /// messages of a server that runs for a long time need much memory. Default: true.
    void record_messages(bool is_recording) noexcept { script_->rules.set_recording(is_recording); }

    /// Returns all messages that were received, in order, over all connections.
    ///
    /// \returns JSON texts, one per message; a JSON-RPC batch is one message followed by its members. A message whose
    /// names have escapes that JSON does not require is returned without them (`with_plain_names`). The reference is
    /// valid as long as the server object or one of its connections exists. Further messages are appended to the
    /// vector.
    std::vector<std::string> const& received() const noexcept { return script_->received; }

    /// Returns the number of received messages that contain `part`.
    ///
    /// \param part Text that is searched for in the JSON text of each message, for example a method.
    std::size_t received(std::string_view part) const
    {
        auto const contains = [part](std::string const& message) { return message.find(part) != message.npos; };
        return static_cast<std::size_t>(std::ranges::count_if(script_->received, contains));
    }

    /// Returns all requests that were received, in order, over all connections, with the rules that were selected for
    /// them. The time is proportional to the size of the received messages.
    journal requests() const { return script_->rules.requests(script_->received); }

    /// Returns the rule that is nearest to a request that no rule handled, for reports: the name of the rule, and its
    /// conditions that did not hold, at most 4.
    ///
    ///     nearest rule '#1': /arguments/city: expected "Paris", found "paris"; the texts differ in case only
    ///
    /// The conditions are compared with the request and the states that were recorded. The number of the request is not
    /// recorded: the text contains each condition on this number that may not have held. The first 256 rules for
    /// requests are compared. The text does not contain the values of header fields.
    /// \param index Index of the request in `requests()`.
    /// \returns Empty if a rule handled the request, the request does not exist, or no rule is for its method. A
    /// `reply` of a script, and the response that its member `unmatched` specifies, are no rules.
    std::string nearest_rule(std::size_t index) const { return script_->rules.nearest_rule(index, script_->received); }

    /// Returns whether the requests that were received until now meet an expectation, with a report if not.
    verification verify(expectation const& expected) const
    {
        return verification(expected.report(requests(), nearest_rules()));
    }

    /// Returns whether the rules were selected in the expected order until now, with a report if not.
    verification verify(rule_order const& expected) const
    {
        return verification(expected.report(requests(), nearest_rules()));
    }

    /// Returns whether the client has closed all connections until now, with a report if not.
    verification verify(closed_by_client) const;

    /// Returns the number of connections that were opened since construction.
    std::size_t connections() const noexcept { return script_->connections; }

    /// Sends `line` over all open connections, without checking it.
    ///
    /// For example, a notification that the list of tools has changed:
    ///
    ///     server.remove_tool("forecast");
    ///     server.broadcast(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    void broadcast(std::string_view line);

    /// Ends all open connections after the messages that were sent before. New connections are accepted.
    void drop_connections();

    /// Serves one client over a transport. Returns at once; the connection is served by handlers on `executor`.
    ///
    /// \param executor Executor on which messages are handled.
    /// \param transport An open transport.
    /// \param on_end Called once when the connection has ended. Empty: not called.
    void serve(asio::any_io_executor const& executor, any_transport transport, std::function<void()> on_end = {});

    /// Returns a configuration of the `inproc` transport that connects to this server. The result may outlive the
    /// server object.
    operator inproc_config() const;

private:
    friend class detail::scripted_backend;
    friend class detail::script_writer;
    friend class mock_script;
    friend class world;

    nearest_rule_function nearest_rules() const
    {
        return [this](std::size_t index) { return nearest_rule(index); };
    }

    // As the public function. `end_output`: closes the sending side; empty: the transport cannot.
    void serve(asio::any_io_executor const& executor, any_transport transport, std::function<void()> on_end,
               std::function<void()> end_output);

    // Makes a connection, which receives after its run() is called.
    std::shared_ptr<detail::server_connection> connect(asio::any_io_executor const& executor, any_transport transport);

    std::shared_ptr<detail::server_script> script_ = std::make_shared<detail::server_script>();
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/scripted_server.ipp>
#endif

#endif
