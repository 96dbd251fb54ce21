#ifndef LINKSPAN_SERVER_SERVER_HPP
#define LINKSPAN_SERVER_SERVER_HPP

#if defined(LINKSPAN_LINKS_COMPILED) && !defined(LINKSPAN_LINKS_COMPILED_SERVER)
#error "linkspan: a target with a server links linkspan::compiled: link linkspan::compiled_server"
#endif

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/describe/local_tool.hpp>
#include <linkspan/model/implementation.hpp>
#include <linkspan/model/prompt.hpp>
#include <linkspan/model/resource.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/protocol/uri_template.hpp>
#include <linkspan/server/client_session.hpp>
#include <linkspan/server/detail/handler_adapter.hpp>
#include <linkspan/server/server_counters.hpp>
#include <linkspan/server/server_request.hpp>
#include <linkspan/server/serving_options.hpp>
#include <linkspan/transport/any_transport.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

class server_core;
using server_pointer = std::shared_ptr<server_core>;

LINKSPAN_DECL server_pointer make_server(asio::any_io_executor executor, implementation self, serving_options options);
LINKSPAN_DECL asio::any_io_executor const& executor_of(server_pointer const& server) noexcept;
LINKSPAN_DECL void add_tool(server_core& server, tool what, request_handler run, bool validates_arguments);
LINKSPAN_DECL void add_resource(server_core& server, resource what, request_handler run);
LINKSPAN_DECL void add_template(server_core& server, resource_template what,
                                std::function<void(server_request, uri_template::values)> run);
LINKSPAN_DECL void add_prompt(server_core& server, prompt what, request_handler run);
LINKSPAN_DECL void serve_client(server_pointer const& server, any_transport client, std::string principal,
                                pending_handler<void(error_code)> done);
LINKSPAN_DECL void stop_server(server_pointer const& server, duration grace, pending_handler<void(error_code)> done);

// Returns the values of the variables of a URI as the text of a JSON object, for the JSON Schema of a struct.
LINKSPAN_DECL std::string json_of_values(std::string_view schema, uri_template::values const& values);

// Throws `std::invalid_argument` if a required member of a struct is not a variable of the template.
LINKSPAN_DECL void check_variables(std::string const& uri_template, std::string_view schema);

// Decodes the values of the variables of a URI, and calls a function with them.
template<class Function>
void handle_described(std::shared_ptr<Function> const& run, server_request request, uri_template::values const& values)
{
    first_parameter_t<Function> given{};
    mismatches problems;
    if (!decode(given, json_of_values(schema_text<first_parameter_t<Function>>, values), problems))
        return request.fail(-32602, "invalid URI: " + to_string(problems));
    handle(run, std::move(request), std::move(given));
}

// Returns the arguments of a prompt for the properties of the JSON Schema of a struct.
LINKSPAN_DECL std::vector<prompt_argument> prompt_arguments(std::string_view schema);

} // namespace detail

/// An MCP server: offers tools, resources and prompts to any number of clients, in every protocol version.
///
///     boost::asio::io_context context;
///     linkspan::server calculator(context.get_executor(), {.name = "calculator", .version = "1.0"});
///     calculator.add(linkspan::local_tool("add", "Adds two numbers",
///                                         [](operands const& two) { return sum{two.a + two.b}; }));
///     linkspan::serve_stdio(calculator);
///     context.run();
///
/// One object serves clients of both eras at once. A *carrier* connects clients to the server: `serve_stdio`,
/// `http_endpoint`, or any transport passed to `async_serve`. Entries may be added and removed at run time; clients are
/// notified. The capabilities that the server declares follow from its entries and handlers.
///
/// \par Handlers
/// The function of an entry returns the result, or it has a last parameter of type `server_request` and completes the
/// request, possibly later. A function with this parameter may be a coroutine that returns `asio::awaitable<void>`. If
/// the function throws an exception, other than a `tool_failure` of a `local_tool`, the client receives the error
/// -32603 without a detail, and `serving_options::on_defect` receives the text of the exception.
/// \par Executor
/// All functions are called, and all handlers run, on the executor that was passed to the constructor, which must not
/// run two handlers concurrently.
/// \par Lifetime
/// The destructor closes all connections. Objects of type `server_request` may outlive the server.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// MCP 2024-11-05 to 2026-07-28.
class server {
public:
    /// Type of the executor.
    using executor_type = asio::any_io_executor;

    /// Creates a server without entries.
    ///
    /// \param executor Executor of the server.
    /// \param self Name and version of the server.
    /// \param options Options.
    /// \throws std::invalid_argument `options.protocol_versions` is empty, or `options.state_key` is too short.
    explicit server(executor_type executor, implementation self, serving_options options = {})
        : core_(detail::make_server(std::move(executor), std::move(self), std::move(options)))
    {}

    server(server const&) = delete;
    server& operator=(server const&) = delete;
    /// Closes all connections.
    LINKSPAN_DECL ~server();

    /// Returns the executor of the server.
    executor_type get_executor() const noexcept { return detail::executor_of(core_); }
    /// Returns the name and version of the server.
    LINKSPAN_DECL implementation const& identity() const noexcept;
    /// Returns the protocol versions of the server.
    LINKSPAN_DECL std::vector<protocol_version> const& protocol_versions() const noexcept;

    /// @name Entries
    /// Each function `add` throws `std::invalid_argument`, whose text states the reason, if the entry is rejected: its
    /// name or URI is already used or invalid, or its template, schema or `meta` is invalid. If `add` throws any
    /// exception, nothing is added.
    /// @{

    /// Adds a tool that is a function over a described struct.
    LINKSPAN_DECL server& add(local_tool const& entry);

    /// Adds a tool with a function that completes its requests: `void(server_request)`, or
    /// `void(Arguments const&, server_request)` with a described struct, whose schema becomes the input schema if the
    /// definition has none. Both forms may be coroutines.
    ///
    /// For the first form, the arguments are validated against the input schema
    /// (`serving_options::validate_arguments`). For the second form, they are decoded to the struct.
    template<class Function>
    server& add(tool definition, Function function)
    {
        if constexpr (detail::takes_struct<Function>) {
            if (definition.input_schema.empty())
                definition.input_schema = schema_text<detail::first_parameter_t<Function>>;
            auto const reject = [](server_request& request, std::string why) {
                request.complete(tool_output::failure(std::move(why)));
            };
            detail::add_tool(*core_, std::move(definition), detail::make_typed_handler(std::move(function), reject),
                             false);
        } else {
            detail::add_tool(*core_, std::move(definition), detail::make_handler(std::move(function)), true);
        }
        return *this;
    }

    /// Adds a resource with a function that reads it.
    ///
    /// The function has no parameters and returns a `std::string`, a `resource_contents` or a
    /// `std::vector<resource_contents>`; or its parameter is a `server_request`. A returned text has the media type of
    /// the definition.
    template<class Function>
    server& add(resource definition, Function function)
    {
        detail::add_resource(*core_, std::move(definition), detail::make_handler(std::move(function)));
        return *this;
    }

    /// Adds a resource template with a function that reads the matching resources. The first parameter of the function
    /// is `uri_template::values`, or a described struct whose members have the names of the variables; otherwise the
    /// function is as for a resource.
    ///
    /// Each value is decoded to the type of its member: a text, a number, `true` or `false`, or an enumerator. A
    /// variable without a value is a missing member. For a URI whose values do not match the struct, the client
    /// receives the error -32602 with the reasons. A required member that is not a variable of the template is
    /// rejected.
    template<class Function>
    server& add(resource_template definition, Function function)
    {
        if constexpr (detail::takes_struct<Function>)
            detail::check_variables(definition.uri_template, schema_text<detail::first_parameter_t<Function>>);
        auto run = std::make_shared<Function>(std::move(function));
        detail::add_template(*core_, std::move(definition),
                             [run = std::move(run)](server_request request, uri_template::values values) {
                                 if constexpr (detail::takes_struct<Function>)
                                     detail::handle_described(run, std::move(request), values);
                                 else
                                     detail::handle(run, std::move(request), std::move(values));
                             });
        return *this;
    }

    /// Adds a prompt with a function that returns it.
    ///
    /// The function returns a `prompt_result`, a `std::vector<prompt_message>` or a `std::string`, which becomes one
    /// message with the role `user`; or its last parameter is a `server_request`. The first parameter may be a
    /// described struct, whose members become the arguments of the prompt if the definition has none; all arguments are
    /// strings.
    template<class Function>
    server& add(prompt definition, Function function)
    {
        if constexpr (detail::takes_struct<Function>) {
            if (definition.arguments.empty())
                definition.arguments = detail::prompt_arguments(schema_text<detail::first_parameter_t<Function>>);
            auto const reject = [](server_request& request, std::string const& why) { request.fail(-32602, why); };
            detail::add_prompt(*core_, std::move(definition), detail::make_typed_handler(std::move(function), reject));
        } else {
            detail::add_prompt(*core_, std::move(definition), detail::make_handler(std::move(function)));
        }
        return *this;
    }

    /// Replaces all tools, resources, resource templates and prompts by those that a function adds.
    ///
    /// No client sees a state in between. Clients are notified of each list that differs in its entries or their
    /// order: tools, resources together with templates, and prompts. Entries with an equal definition and another
    /// function are replaced without a notification. Requests that the earlier entries handle continue. A cursor stays
    /// valid if its list does not differ. A list that had entries stays declared in the capabilities.
    ///
    ///     own.replace_offer([&](linkspan::server& next) {
    ///         for (auto const& each : listed_now)
    ///             next.add(each, forward_to(upstream));
    ///     });
    ///
    /// \param fill Function `void(server&)` that adds the new entries to the server, whose earlier entries are already
    /// removed. Called once, before `replace_offer` returns.
    /// \par Executor
    /// Call on the executor of the server.
    /// \par Thread safety
    /// Unsafe.
    /// \par Exception safety
    /// Strong: after an exception of `fill`, such as `std::invalid_argument` of a rejected entry, the server has the
    /// earlier entries, and no client is notified. Throws `std::bad_alloc` and the exceptions of `fill`.
    /// \par Specification
    /// MCP 2026-07-28, server/tools, "List Changed Notification".
    template<std::invocable<server&> Function>
    void replace_offer(Function fill)
    {
        replace_entries([this, &fill] { fill(*this); });
    }

    /// Removes a tool. Outstanding requests for the tool continue. Returns whether there was such a tool.
    LINKSPAN_DECL bool remove_tool(std::string_view name);
    /// Removes a resource. Returns whether there was such a resource.
    LINKSPAN_DECL bool remove_resource(std::string_view uri);
    /// Removes a resource template. Returns whether there was such a template.
    LINKSPAN_DECL bool remove_resource_template(std::string_view uri_template);
    /// Removes a prompt. Returns whether there was such a prompt.
    LINKSPAN_DECL bool remove_prompt(std::string_view name);
    /// @}

    /// Notifies the subscribers of a resource that its contents have changed. A subscription to `file:///a` also
    /// includes resources below it, such as `file:///a/b`. Notifications of one turn of the event loop are sent
    /// together.
    LINKSPAN_DECL void resource_updated(std::string_view uri);

    /// Sets the function that completes arguments (`completion/complete`): from a `completion_request` to a
    /// `completion_result`, or with a second parameter of type `server_request`. It is called for a prompt, a template
    /// or a resource of the server, and for an argument that the prompt declares, if it declares any; other requests
    /// are refused with -32602.
    template<class Function>
    void set_completion_handler(Function function)
    {
        auto run = std::make_shared<Function>(std::move(function));
        set_completion([run = std::move(run)](server_request request) {
            auto asked = read_completion_request(request.params()).value_or(completion_request());
            detail::handle(run, std::move(request), std::move(asked));
        });
    }

    /// Sets the handler of a method that the library does not handle, or replaces the handler of the library:
    /// `void(server_request)`, which may be a coroutine. The methods `initialize`, `server/discover` and, in the
    /// handshake protocol versions, `ping` cannot be replaced: their handlers are not called.
    template<class Function>
    void set_request_handler(std::string method, Function function)
    {
        set_method(std::move(method), detail::make_handler(std::move(function)));
    }

    /// Sets the function for notifications with a method, such as one of an extension:
    /// `void(client_info const& from, std::string_view params)`, or with a third parameter of type `client_session`,
    /// with which the server can send messages to the client.
    ///
    /// The function replaces an earlier one for the same method. A function for `notifications/roots/list_changed`
    /// replaces that of `on_roots_changed`, and is also called if the client has not declared the notification.
    ///
    /// \param method Name of the method. Range: any method; the library itself handles `notifications/cancelled`, and
    /// the progress and the status of tasks of its own requests, for which the function is not called.
    /// \param function The function. The server calls a copy of it for each notification; state must therefore be
    /// outside of the function object. `params` is JSON text, valid during the call; empty: none.
    template<class Function>
    void set_notification_handler(std::string method, Function function)
    {
        if constexpr (std::invocable<Function&, client_info const&, std::string_view, client_session>)
            set_notification(std::move(method), std::move(function));
        else
            set_notification(std::move(method), [function = std::move(function)](
                                                    client_info const& from, std::string_view params,
                                                    client_session const&) mutable { function(from, params); });
    }

    /// Sets the function that is called if the roots of a client have changed (`notifications/roots/list_changed`).
    ///
    /// `handler(from)` receives the session of the client, from which it can request the roots. The function is not
    /// called in 2026-07-28, which does not have the notification, nor for a client that has not declared `listChanged`
    /// of its capability `roots`.
    ///
    ///     own.on_roots_changed([](linkspan::client_session from) {
    ///         from.async_ask<linkspan::roots>({}, [](linkspan::error_code ec, linkspan::roots_result now) {
    ///             if (!ec)
    ///                 restrict_to(now.roots);
    ///         });
    ///     });
    ///
    /// The function replaces an earlier one, and that of `set_notification_handler` with the same method. If it throws
    /// an exception, `serving_options::on_defect` receives the text.
    ///
    /// \param handler Not empty. The server calls a copy of it for each notification; state must therefore be outside
    /// of the function object.
    /// \par Executor
    /// Call on the executor of the server. The handler is called on this executor.
    /// \par Thread safety
    /// Unsafe.
    /// \throws std::bad_alloc
    /// \par Specification
    /// MCP 2024-11-05 to 2025-11-25, client/roots, "Root List Changes".
    LINKSPAN_DECL void on_roots_changed(std::function<void(client_session from)> handler);

    /// Declares an extension in `capabilities.extensions` (since 2026-07-28).
    ///
    /// \param id Identifier of the extension, such as `com.example/search`.
    /// \param settings Settings as the text of a JSON object.
    /// \throws std::invalid_argument `settings` is not a JSON object, or `id` is `io.modelcontextprotocol/tasks`, which
    /// the server declares if a tool supports tasks.
    LINKSPAN_DECL void declare_extension(std::string id, std::string settings = "{}");

    /// Serves one client until it disconnects.
    ///
    /// \param client An open transport to the client.
    /// \param principal Identity of the client that the carrier has authenticated; empty: not authenticated.
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// `operation_aborted`: the server was closed or stopped. `too_many_clients`: the server already serves
    /// `serving_options::max_clients` clients; this one was disconnected. The error of the transport: the connection
    /// failed. If the client ends the stream, the operation completes without an error.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` and the destructor complete the operation.
    /// \par Executor
    /// Call on the executor of the server. The handler runs on its associated executor (default: that of the server),
    /// never inside the initiating function.
    /// \par Lifetime
    /// The server may be destroyed during the operation, which then completes with `operation_aborted`.
    /// \par Thread safety
    /// Unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_serve(any_transport client, std::string principal, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(detail::initiate<&detail::serve_client>(core_), token,
                                                             std::move(client), std::move(principal));
    }

    /// Stops the server gracefully: refuses new requests and clients, ends the streams of `subscriptions/listen` by
    /// their responses, waits for the other requests and for all tasks that are not final, and closes all connections.
    ///
    /// Meanwhile, the requests `tasks/get`, `tasks/result`, `tasks/update` and `tasks/cancel` are accepted. Stateless
    /// requests that wait for input are cancelled immediately.
    ///
    /// \param grace Maximum time for the requests and tasks.
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// `timed_out`: requests or tasks were cancelled after `grace`.
    /// \par Cancellation
    /// Cancellation signals are ignored.
    /// \par Executor
    /// Call on the executor of the server. The handler runs on its associated executor (default: that of the server),
    /// never inside the initiating function.
    /// \par Lifetime
    /// The server must exist until the operation completes.
    /// \par Thread safety
    /// Unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_stop(duration grace, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(detail::initiate<&detail::stop_server>(core_), token,
                                                             grace);
    }

    /// Closes all connections immediately, which cancels their requests. Later clients are not served. Idempotent.
    LINKSPAN_DECL void close();

    /// Returns the counters of the server.
    LINKSPAN_DECL server_counters counters() const;

private:
    friend class http_backend;

    LINKSPAN_DECL void replace_entries(std::function<void()> const& fill);
    LINKSPAN_DECL void set_completion(request_handler run);
    LINKSPAN_DECL void set_method(std::string method, request_handler run);
    LINKSPAN_DECL void set_notification(std::string method,
                                        std::function<void(client_info const&, std::string_view, client_session)> run);

    detail::server_pointer core_; // set by the constructor
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/server/impl/server.ipp>
#endif

#endif
