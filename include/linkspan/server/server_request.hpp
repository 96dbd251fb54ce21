#ifndef LINKSPAN_SERVER_SERVER_REQUEST_HPP
#define LINKSPAN_SERVER_SERVER_REQUEST_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/completion.hpp>
#include <linkspan/model/log_level.hpp>
#include <linkspan/model/prompt.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/model/resource.hpp>
#include <linkspan/server/ask_options.hpp>
#include <linkspan/server/client_info.hpp>
#include <linkspan/server/client_session.hpp>
#include <linkspan/server/detail/client_request.hpp>
#include <linkspan/server/request_handler.hpp>
#include <linkspan/server/required_input.hpp>
#include <linkspan/server/task_options.hpp>
#include <linkspan/server/tool_output.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {

LINKSPAN_DECL asio::any_io_executor const& executor_of(served_request_pointer const& request) noexcept;
LINKSPAN_DECL client_info const& client_of(served_request const& request) noexcept;
LINKSPAN_DECL protocol_version version_of(served_request const& request) noexcept;
LINKSPAN_DECL void wait_until_read(served_request_pointer const& request, std::size_t max_bytes,
                                   pending_handler<void(error_code)> done);
LINKSPAN_DECL void request_of_client(served_request_pointer const& request, client_request wanted);
// Returns whether an input matches the schema of its request, or is not validated.
LINKSPAN_DECL bool is_valid_input(served_request const& request, std::string_view method, std::string_view params,
                                  std::string_view result);
served_request_pointer pointer_of(server_request const& request) noexcept;

// Reports an exception of a handler as a defect of the server, except `operation_aborted` of a cancelled request. Null:
// no effect.
LINKSPAN_DECL void report_exception(served_request const& request, std::exception_ptr failure);

// Sends a request of the given kind to the client, and completes the handler with its result.
template<class Kind>
void start_ask(served_request_pointer const& request, typename Kind::request_type const& what, ask_options options,
               pending_handler<void(error_code, typename Kind::result_type)> done)
{
    request_of_client(request, make_client_request<Kind>(what, version_of(*request), client_of(*request),
                                                         std::move(options), std::move(done)));
}

} // namespace detail

/// A request that a server handles: a handle that is completed once.
///
/// The first call of `complete`, `fail` or `require_input` determines the response; later ones have no effect. A
/// handle that is destroyed without a response sends the error -32603. After the client has cancelled the request or
/// disconnected, nothing is sent.
///
///     server.add(definition, [](linkspan::server_request request) {
///         request.report_progress(1, 2);
///         request.complete(linkspan::tool_output::text("done"));
///     });
///
/// \par Executor
/// The program must call all functions on the executor of the server. Functions that are passed to the object are
/// called on this executor; completion handlers run on their associated executor (default: that of the server).
/// \par Lifetime
/// The object may outlive the server and the connection. Its functions then have no effect.
/// \par Thread safety
/// Distinct objects of different servers: safe. Otherwise unsafe.
class server_request {
public:
    /// Type of the executor.
    using executor_type = asio::any_io_executor;

    /// Constructs the handle of a request. Called by servers.
    explicit server_request(detail::served_request_pointer request) noexcept : request_(std::move(request)) {}

    /// Moves the request into the new object; the moved-from object may only be destroyed.
    server_request(server_request&&) noexcept = default;
    server_request& operator=(server_request&&) = delete;

    /// Sends the error -32603 if the request has no response.
    LINKSPAN_DECL ~server_request();

    /// Returns the executor of the server.
    executor_type get_executor() const noexcept { return detail::executor_of(request_); }

    /// @name Content of the request
    /// The texts are valid as long as the object.
    /// @{

    /// Returns the method, such as `tools/call`.
    LINKSPAN_DECL std::string_view method() const noexcept;
    /// Returns the params as JSON text; empty: none.
    LINKSPAN_DECL std::string_view params() const noexcept;
    /// Returns the member `arguments` of the params, as the text of a JSON object; `{}` if it is missing.
    LINKSPAN_DECL std::string_view arguments() const noexcept;
    /// Returns the protocol version of the request.
    LINKSPAN_DECL enum protocol_version protocol_version() const noexcept;
    /// Returns the client, as the client describes itself.
    LINKSPAN_DECL client_info const& client() const noexcept;
    /// Returns the session of the client, for messages outside of this request. In the era `stateless`, the returned
    /// object has no session: `is_open()` is false.
    LINKSPAN_DECL client_session session() const;
    /// @}

    /// Returns whether this handle has no further effect: the handler has completed or failed the request, the client
    /// has cancelled it or disconnected, the server was closed, or the handler runs again with another handle
    /// (`require_input`).
    LINKSPAN_DECL bool is_over() const noexcept;

    /// Sets the function that is called once if the request is cancelled before its response: by the client, by the end
    /// of the connection, or because the server is stopped or closed. The function replaces an earlier one; it is not
    /// called if the request is already over.
    LINKSPAN_DECL void on_cancelled(std::function<void()> callback);

    /// @name Response
    /// @{

    /// Completes the request with a result.
    ///
    /// \param result The result as the text of a JSON object. Members that the protocol version requires in addition,
    /// such as `resultType`, are added.
    /// \throws std::bad_alloc
    LINKSPAN_DECL void complete(raw_json result);

    /// Completes `tools/call`. Structured content is repeated as a text block if `content` is empty.
    ///
    /// \throws std::bad_alloc
    LINKSPAN_DECL void complete(tool_output const& result);

    /// Completes `prompts/get`.
    LINKSPAN_DECL void complete(prompt_result const& result);

    /// Completes `resources/read`. An element without a URI receives the URI of the request. No elements: the resource
    /// does not exist, and the client receives the error for an unknown URI.
    LINKSPAN_DECL void complete(std::vector<resource_contents> result);

    /// Completes `completion/complete`.
    LINKSPAN_DECL void complete(completion_result const& result);

    /// Completes the request with an error.
    ///
    /// \param code Code of the JSON-RPC error, such as -32602 (invalid params).
    /// \param message Text for the client, in UTF-8.
    /// \param data Additional data as JSON text; empty: none. Invalid text is a defect of the handler, which
    /// `serving_options::on_defect` receives, and the error is then -32603.
    LINKSPAN_DECL void fail(int code, std::string_view message, raw_json data = raw_json({}));

    /// Completes the request with the error that corresponds to a failed `async_ask`: for a kind of input that the
    /// client does not declare, -32021 with the required capabilities, or -32602 in the era `handshake`; after other
    /// errors, -32603.
    LINKSPAN_DECL void fail(error_code ec);
    /// @}

    /// @name Notifications about this request
    /// No effect if `is_over()`. After `become_task`, the notifications of a task of 2025-11-25 contain the id of the
    /// task; for a task of the extension, progress and log messages are not sent.
    /// @{

    /// Sends `notifications/progress` if the client requests progress.
    ///
    /// \param value Progress so far; must be finite, and greater than the value of the previous call, otherwise nothing
    /// is sent.
    /// \param total Value at which the request is complete; empty, infinite or NaN: not known.
    /// \param message Text for display (since 2025-03-26); empty: none.
    LINKSPAN_DECL void report_progress(double value, std::optional<double> total = {}, std::string_view message = {});

    /// Sends `notifications/message` if the level is at least the level that the client requests: by `logging/setLevel`
    /// (without it, all levels), or in the era `stateless` by the member `io.modelcontextprotocol/logLevel` of `_meta`
    /// (without it, none).
    ///
    /// \param level Severity of the message.
    /// \param data Any JSON value. With invalid text, nothing is sent, and `serving_options::on_defect` is called.
    /// \param logger Name of the logger; empty: none.
    LINKSPAN_DECL void log(log_level level, raw_json data, std::string_view logger = {});

    /// Sends a notification with a method of an extension or of the program; over HTTP, on the stream of this request.
    ///
    /// \param method The method, such as `com.example/partial`.
    /// \param params The params as the text of a JSON object; empty: none. With other text, nothing is sent, and
    /// `serving_options::on_defect` is called.
    LINKSPAN_DECL void notify(std::string_view method, raw_json params);
    /// @}

    /// @name Input of the client
    /// @{

    /// Sends a request to the client, and waits for its result. `Kind` is `elicitation`, `sampling` or `roots`.
    ///
    /// In the era `handshake`, the request is a JSON-RPC request. In the era `stateless`, the response is
    /// `input_required`; the operation completes when the client sends the request again with the input, to the same
    /// server object. Requests that are made in one turn of the event loop are sent together. If the handler completes
    /// the request before the client sends it again, for example after a timeout of the handler, the response is sent
    /// when the client sends the request again.
    ///
    /// \param request The request.
    /// \param token The completion token.
    /// \par Completion signature
    /// `void(error_code, Kind::result_type)`
    /// \par Errors
    /// `unsupported_input_request`: the client does not declare the capability, the protocol version does not have the
    /// request, or in the era `stateless` the method is not `tools/call`, `prompts/get` or `resources/read`.
    /// `input_refused`: the client sent an error. `malformed_message`: the result is invalid, or the content of an
    /// accepted form does not match the requested schema. `invalid_argument` of Asio: the requested schema or a JSON
    /// text of the request is invalid, which `serving_options::on_defect` receives; nothing was sent. `timed_out`: no
    /// result within `serving_options::input_timeout`. `operation_aborted`: the request that the handler handles was
    /// cancelled or has its response, or the server was stopped.
    /// \par Cancellation
    /// Cancellation signals are ignored.
    /// \par Executor
    /// Call on the executor of the server. The handler runs on its associated executor (default: that of the server),
    /// never inside the initiating function.
    /// \par Lifetime
    /// If the object is destroyed while the request that the handler handles has no response, the server responds with
    /// the error -32603, and the operation completes with `operation_aborted`.
    /// \par Thread safety
    /// Unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, client/elicitation, client/sampling, client/roots; 2026-07-28, basic/patterns, "Multi Round-Trip
    /// Requests".
    template<class Kind,
             asio::completion_token_for<void(error_code, typename Kind::result_type)> Token = asio::deferred_t>
    auto async_ask(typename Kind::request_type request, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, typename Kind::result_type)>(
            detail::initiate<&detail::start_ask<Kind>>(request_), token, std::move(request), ask_options());
    }

    /// Sends a request to the client with options, and waits for its result, as the function without options does.
    ///
    /// \param request The request.
    /// \param options The functions for progress and for the reason of invalid input, the timeout, and the options of a
    /// task of the client.
    /// \param token The completion token.
    /// \par Completion signature
    /// `void(error_code, Kind::result_type)`
    /// \par Errors
    /// `unsupported_input_request`: the client does not declare the capability, the protocol version does not have the
    /// request, or in the era `stateless` the method is not `tools/call`, `prompts/get` or `resources/read`.
    /// `input_refused`: the client sent an error. `malformed_message`: the result or the task is invalid, or the
    /// content of an accepted form does not match the requested schema (`ask_options::on_invalid_input`).
    /// `invalid_argument` of Asio: the requested schema or a JSON text of the request is invalid; nothing was sent.
    /// `timed_out`: no result within `ask_options::timeout` or `serving_options::input_timeout`, which progress does
    /// not extend, no response to `tasks/get` within `input_timeout`, or no outcome of the task within
    /// `client_task_options::timeout`; the request to the client, or the task of the client, is cancelled.
    /// `task_cancelled`: a response to `tasks/get` reports that the client has cancelled its task; `input_refused` if
    /// the client does so while `tasks/result` is outstanding. `operation_aborted`: the request that the handler
    /// handles was cancelled or has its response, or the server was stopped; a task of the client is cancelled.
    /// \par Cancellation
    /// Cancellation signals are ignored.
    /// \par Executor
    /// Call on the executor of the server. The handler runs on its associated executor (default: that of the server),
    /// never inside the initiating function.
    /// \par Lifetime
    /// If the object is destroyed while the request that the handler handles has no response, the server responds with
    /// the error -32603, and the operation completes with `operation_aborted`.
    /// \par Thread safety
    /// Unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    /// \par Specification
    /// MCP 2025-11-25, client/elicitation, client/sampling, client/roots, basic/utilities/progress,
    /// basic/utilities/tasks; 2026-07-28, basic/patterns, "Multi Round-Trip Requests".
    template<class Kind,
             asio::completion_token_for<void(error_code, typename Kind::result_type)> Token = asio::deferred_t>
    auto async_ask(typename Kind::request_type request, ask_options options, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code, typename Kind::result_type)>(
            detail::initiate<&detail::start_ask<Kind>>(request_), token, std::move(request), std::move(options));
    }

    /// Returns the input with a key, as input() without `request` does; empty also if the content of an accepted form
    /// does not match the schema of its request.
    ///
    /// \param key Key of the input.
    /// \param request The request for the input, as it was passed to to_input(). With
    /// `serving_options::validate_input == false`, the request is ignored.
    template<class Kind>
    std::optional<typename Kind::result_type> input(std::string_view key,
                                                    typename Kind::request_type const& request) const
    {
        auto const text = input_text(key);
        bool const is_valid =
            !text.empty() &&
            detail::is_valid_input(*request_, Kind::method, Kind::params_of(request, protocol_version()), text);
        return is_valid ? Kind::read_result(text) : std::nullopt;
    }

    /// Returns the input with a key; empty: the client has not sent it, or it is invalid. For handlers that run again
    /// with all inputs so far (`require_input`). A client can send inputs that no run has required; a handler for which
    /// the order of the rounds is significant checks state(). In the era `stateless`, the content of a form is not
    /// validated: use the function with the request.
    template<class Kind>
    std::optional<typename Kind::result_type> input(std::string_view key) const
    {
        auto const text = input_text(key);
        return text.empty() ? std::nullopt : Kind::read_result(text);
    }

    /// Returns the input with a key as JSON text; empty: the client has not sent it.
    LINKSPAN_DECL std::string_view input_text(std::string_view key) const noexcept;

    /// Returns the state that the handler passed to `require_input` in the previous run; empty: there was none.
    LINKSPAN_DECL std::string_view state() const noexcept;

    /// Returns a request to the client for `require_input`.
    ///
    /// \param key Key by which the next run reads the input.
    /// \param request The request.
    template<class Kind>
    required_input to_input(std::string key, typename Kind::request_type const& request) const
    {
        auto const id = protocol_version();
        return {std::move(key), std::string(Kind::method), Kind::params_of(request, id), Kind::required(request, id),
                Kind::exists_in(id, request) && Kind::is_declared(client().declared(), request, id)};
    }

    /// Requires inputs of the client. The handler then runs again, with all inputs so far and with `state`.
    ///
    /// In the era `stateless`, the state and the inputs so far are sent to the client and sealed with
    /// `serving_options::state_key`, so that another instance of the server can continue. The client can read the
    /// state. In the era `handshake`, the requests are sent as JSON-RPC requests. If the client does not declare a
    /// required capability, the request fails with -32021, or with -32602 in the era `handshake`. In the era
    /// `stateless`, only `tools/call`, `prompts/get` and `resources/read` can require input: another request fails with
    /// -32603, and `serving_options::on_defect` is called.
    ///
    /// \param inputs The inputs; not empty, unless `state` is not empty.
    /// \param state State for the next run, any bytes; empty: none.
    LINKSPAN_DECL void require_input(std::vector<required_input> inputs, std::string_view state = {});
    /// @}

    /// Continues the request as a task: sends a response with the task, whose result the client reads later.
    ///
    /// The handle remains valid; `complete` and `fail` set the outcome of the task, and the requests of `async_ask` are
    /// members of the task (`inputRequests`), or in 2025-11-25 JSON-RPC requests, over HTTP on the stream of a request
    /// `tasks/result`. The task continues if the client disconnects, and ends if the client cancels it. A tool that
    /// supports tasks is added with `tool::tasks`. For a client of 2025-11-25 that requests a task, the request is a
    /// task with the default options before the handler is called, so that `options` has no effect.
    ///
    /// \returns Whether the request is a task. False: the client of 2025-11-25 has not requested a task, the client of
    /// 2026-07-28 does not declare the extension, no tool of the server supports tasks, the request is not `tools/call`
    /// or is over, or a limit is reached: `serving_options::max_tasks`, `max_tasks_per_principal` or `max_kept_params`.
    /// After false, the handler completes the request as usual.
    /// \par Specification
    /// MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks`.
    LINKSPAN_DECL bool become_task(task_options const& options = {});

    /// Ends the HTTP exchange of the request before its response (2025-11-25). The client then resumes the stream by
    /// GET with `Last-Event-ID`, and receives the response on it. No effect with other carriers and protocol versions,
    /// and if the streams of the endpoint cannot be resumed.
    LINKSPAN_DECL void end_exchange();

    /// Returns the number of queued bytes that the client has not read: over HTTP the bytes of the stream of this
    /// request, otherwise the bytes of the connection. Over HTTP, up to 64 KiB that are being written are not counted.
    /// 0 after the end of the connection. A handler that sends many notifications should wait while the number is
    /// large, by `async_wait_read`.
    ///
    /// \par Exception safety
    /// Strong.
    LINKSPAN_DECL std::size_t unread_bytes() const;

    /// Waits until `unread_bytes` is at most a number: flow control for handlers that send many notifications.
    ///
    ///     for (std::string const& json : lines) {
    ///         request.log(linkspan::log_level::info, linkspan::raw_json(json));
    ///         co_await request.async_wait_read(65'536, asio::use_awaitable);
    ///     }
    ///
    /// \param max_bytes Number of bytes that may remain unread.
    /// \par Completion signature
    /// `void(error_code)`
    /// \par Errors
    /// `timed_out`: `unread_bytes` has not decreased for `serving_options::read_timeout`. `operation_aborted`:
    /// cancelled, or the request needs no response any more.
    /// \par Cancellation
    /// `terminal`, `partial`, `total`: ends the wait.
    /// \par Executor
    /// Call on the executor of the server. The handler runs on its associated executor (default: that of the server),
    /// never inside the initiating function.
    /// \par Lifetime
    /// The object may be destroyed during the operation.
    /// \par Thread safety
    /// Unsafe.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    template<asio::completion_token_for<void(error_code)> Token = asio::deferred_t>
    auto async_wait_read(std::size_t max_bytes, Token&& token = Token())
    {
        return asio::async_initiate<Token, void(error_code)>(detail::initiate<&detail::wait_until_read>(request_),
                                                             token, max_bytes);
    }

private:
    friend detail::served_request_pointer detail::pointer_of(server_request const&) noexcept;

    detail::served_request_pointer request_; // null in a moved-from object
    bool is_replaced_ = false;               // set by require_input(): the handler runs again with another handle
};

namespace detail {

inline served_request_pointer pointer_of(server_request const& request) noexcept { return request.request_; }

} // namespace detail

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
// includes the bodies, which need the classes of several headers
#include <linkspan/server/detail/server_core.hpp>
#endif

#endif
