#ifndef LINKSPAN_TEST_DETAIL_SERVER_EVENTS_HPP
#define LINKSPAN_TEST_DETAIL_SERVER_EVENTS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/detail/acting_exchange.hpp>
#include <linkspan/test/detail/default_responses.hpp>
#include <linkspan/test/detail/fault_target.hpp>
#include <linkspan/test/script.hpp>
#include <linkspan/test/script/detail/rule_engine.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

class server_connection;
class server_events;

// An event of a scripted server without a request, with the actions that remain to be executed.
//
// Invariant: `connections_` contains no connection that has ended, because server_events removes it.
class event_exchange final : public acting_exchange {
public:
    // An event, apart from its connections.
    struct description {
        event_kind kind{};
        // Of a notification. method: also that of a request of the server, the name of a gate, an HTTP method, or the
        // name of a signal.
        // params: also the whole response of a client.
        std::string method{}, params{};
        std::string message{};               // of a notification: the whole message
        duration time{};                     // of event_kind::time
        std::string path{};                  // of event_kind::http
        std::shared_ptr<http_access> http{}; // of event_kind::http: its exchange is that of stream 0; else null
    };

    event_exchange(server_events& owner, asio::any_io_executor executor, description event,
                   std::vector<server_connection*> connections)
        : acting_exchange(std::move(executor)),
          owner_(&owner),
          event_(std::move(event)),
          connections_(std::move(connections))
    {}

    event_kind kind() const override { return event_.kind; }
    duration time() const override { return event_.time; }
    std::string_view method() const override { return event_.method; }
    std::string_view path() const override { return event_.path; }
    std::string_view tool() const override { return {}; }
    std::string_view arguments() const override
    {
        auto const found = json_scan::member(event_.params, "arguments");
        return event_.kind == event_kind::notification && !found.empty() ? found : "{}";
    }
    std::string_view params() const override { return event_.params; }
    std::string message() const override
    {
        return event_.kind == event_kind::response ? event_.params : event_.message;
    }

    void reply(std::string_view) override {}
    void refuse(int, std::string_view, std::string_view = {}) override {}
    void progress(double, double) override {}
    LINKSPAN_DECL void send(std::string_view bytes) override;
    LINKSPAN_DECL void notify(std::string_view method, std::string_view params) override;
    using exchange::send_request;
    LINKSPAN_DECL void send_request(std::string_view method, std::string_view params,
                                    std::function<void(std::string_view response)> next) override;
    LINKSPAN_DECL void drop() override;
    LINKSPAN_DECL http_exchange* http() override;
    LINKSPAN_DECL std::optional<std::string> http_header(std::string_view name) const override;
    LINKSPAN_DECL header_fields http_headers() const override;
    LINKSPAN_DECL void respond_http(std::string_view text) override;
    LINKSPAN_DECL void declare_tool(tool_declaration const& what) override;
    LINKSPAN_DECL bool has_tool(std::string_view name) const override;
    LINKSPAN_DECL void remove_tool(std::string_view name) override;
    LINKSPAN_DECL script_values& values() override;
    LINKSPAN_DECL duration since_start() const override;

    // Called when the actions are complete, but not if the event is removed before. Set while actions are left; empty:
    // nothing is called.
    std::function<void()> on_complete;

    // Returns whether the actions continue without a connection.
    bool is_independent() const noexcept
    {
        return event_.kind == event_kind::http || event_.kind == event_kind::signal;
    }

    // Event: a connection ends. Returns whether the actions end with it.
    bool remove(server_connection const& ended)
    {
        std::erase(connections_, &ended);
        return connections_.empty() && !is_independent();
    }

private:
    void on_actions_complete() override;

    server_events* owner_;                        // set by the constructor; cancels this object before its destruction
    description event_;                           // set by the constructor
    std::vector<server_connection*> connections_; // set by the constructor, reduced by remove()
};

// Finds the events of a scripted server that are not requests, and executes the actions of their rules.
//
// Waits exist only while a connection is open, so that a server without connections leaves no work.
class server_events {
public:
    // `tools`: the declared tools, which actions may change.
    server_events(rule_engine& rules, default_responses& tools) : rules_(rules), tools_(tools)
    {
        rules_.values().gates.on_opened([this](std::string const& name) { on_gate_opened(name); });
    }
    server_events(server_events const&) = delete;
    server_events& operator=(server_events const&) = delete;
    // Ends the actions of events that need no connection. The timers of the actions may outlive this object.
    ~server_events() { end_all(); }

    // Event: a connection was opened, and does not receive yet.
    LINKSPAN_DECL void on_connected(server_connection& opened);

    // Event: the client has sent a notification, which was handled.
    // `line`: the whole message.
    LINKSPAN_DECL void on_notification(server_connection& from, std::string_view method, std::string_view params,
                                       std::string_view line);

    // Event: the client has responded to a request of this method, and the action that sent it has not continued yet.
    LINKSPAN_DECL void on_response(server_connection& from, std::string_view method, std::string_view text);

    // Event: the client has closed its side of a connection. Returns whether actions are left; `done` is then called
    // when they are complete, but not if the connection is removed before. `done` must not own the connection, which
    // would own itself.
    LINKSPAN_DECL bool on_input_closed(server_connection& from, std::function<void()> done);

    // Event: an HTTP request has arrived. Returns the event if actions are left; null: they are complete.
    // `access`: its stream 0 is the exchange of the request.
    LINKSPAN_DECL std::shared_ptr<event_exchange> on_http_request(asio::any_io_executor const& executor,
                                                                  std::string_view method, std::string_view path,
                                                                  std::shared_ptr<http_access> access);

    // Event: the process has received a signal. Returns whether a rule was selected.
    LINKSPAN_DECL bool on_signal(asio::any_io_executor const& executor, std::string_view name);

    // Ends the actions of all events.
    LINKSPAN_DECL void end_all();

    // Ends the actions of an event. Has no effect if they are complete.
    LINKSPAN_DECL void end(event_exchange& running);

    // Event: a connection has ended.
    LINKSPAN_DECL void on_disconnected(server_connection& ended);

    // Removes a connection, without an event. Has no effect if it was removed before.
    LINKSPAN_DECL void remove(server_connection const& ended);

    // Event: a rule was added.
    LINKSPAN_DECL void on_rule_added();

    // Event: a gate was opened, and the waiting actions do not continue yet.
    LINKSPAN_DECL void on_gate_opened(std::string const& name);

    // Sends a notification of a change to the subscriptions of all open connections.
    LINKSPAN_DECL void notify_subscribers(std::string_view method, std::string_view params);

    // Removes an event whose actions are complete.
    void forget(event_exchange& complete) { std::erase(running_, complete.shared_from_this()); }

    script_values& values() noexcept { return rules_.values(); }
    duration since_start(time_point now) const { return rules_.since_start(now); }
    default_responses& tools() noexcept { return tools_; }

private:
    // An event for which a rule was searched.
    struct execution {
        bool has_rule = false;                          // whether a rule was selected
        std::shared_ptr<event_exchange> left = nullptr; // the event, if actions are left
    };

    // Executes the actions of the rule for an event, if any.
    execution execute(asio::any_io_executor const& executor, event_exchange::description event,
                      std::vector<server_connection*> connections);
    // Makes the timer of an open connection, unless it exists.
    void make_clock();
    // Executes the rules of all times that have been reached, and waits for the next one.
    void on_time();
    // Waits for the next time at which rules have an event, if any.
    void wait();

    rule_engine& rules_;                                   // set by the constructor
    default_responses& tools_;                             // set by the constructor
    std::vector<server_connection*> open_;                 // added by on_connected(), removed by remove()
    std::vector<std::shared_ptr<event_exchange>> running_; // events with actions left
    std::shared_ptr<timer> clock_; // waits for the next time; null: no connection is open, or no rule has an event
    duration reached_{-1};         // the events up to this time have occurred
    bool started_ = false;         // set by the first on_connected()
};

} // namespace linkspan::test::detail

#endif
