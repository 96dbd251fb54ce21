#ifndef LINKSPAN_CONFIG_DIAGNOSE_HPP
#define LINKSPAN_CONFIG_DIAGNOSE_HPP

#include <linkspan/config/detail/http_choice.hpp>
#include <linkspan/config/server_config.hpp>
#include <linkspan/connector/connector.hpp>
#include <linkspan/core/config_problem.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/http/client/auto_http.hpp>
#include <linkspan/http/http_config.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/session/session_state.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/json/object.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Reason why a server cannot be used, or a warning about it.
enum class diagnosis_code {
    invalid_url,        ///< The configuration is invalid, no transport in the list `List` of `async_diagnose` supports
                        ///< it, or it has a command or a Unix socket, which `reachable::public_only` excludes. No
                        ///< connection was attempted.
    connection_failed,  ///< Name resolution, TCP, proxy, TLS or the start of the child process failed, the address is
                        ///< not allowed, or the URL is https and no TLS layer is configured.
    timeout,            ///< The server did not respond within `diagnose_options::timeout`, or the operating system
                        ///< reported earlier that the connection timed out.
    auth_failed,        ///< The server refused the credentials: HTTP status 401 or 403.
    invalid_mcp_server, ///< The peer accepted the connection, but closed it, did not respond as MCP requires, refused
                        ///< `tools/list`, or sent an HTTP error status other than 401 and 403.
    no_tools,           ///< Warning: the server works, but has no tools.
};

/// Returns the name of a code as it is written in JSON, such as "INVALID_URL".
///
/// \returns A string with static storage duration; "?" for a value that is no enumerator.
/// \par Exception safety
/// Never throws.
LINKSPAN_DECL std::string_view to_string(diagnosis_code code) noexcept;

/// Returns the code for an error of opening a server or of listing its tools.
///
/// The first matching row applies.
///
/// | error                                          | code                 |
/// |------------------------------------------------|----------------------|
/// | `errc::timed_out`                              | `timeout`            |
/// | 401 or 403 of `http_category`                  | `auth_failed`        |
/// | another code of `http_category`                | `invalid_mcp_server` |
/// | `error::stream_ended`, `error::truncated_line` | `invalid_mcp_server` |
/// | `condition::transport_failed`                  | `connection_failed`  |
/// | any other error                                | `invalid_mcp_server` |
///
/// \par Preconditions
/// `ec.failed()`.
/// \par Exception safety
/// Never throws.
LINKSPAN_DECL diagnosis_code diagnosis_code_of(error_code ec) noexcept;

/// Report of `async_diagnose` about a server.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe for concurrent reads.
struct diagnosis {
    /// Name of the server. Empty if the text that describes the server is invalid.
    std::string name;

    /// Whether the server was opened, and its tools were listed or the server lacks the capability `tools`. Default:
    /// false.
    bool success = false;

    /// Reason of the failure. Empty: success, or cancelled before the shutdown of the server.
    std::optional<diagnosis_code> code;

    /// Human-readable sentence about the failure or the warning. Empty: success without warnings, or cancelled
    /// before the shutdown of the server.
    std::string message;

    /// Warnings: `diagnosis_code::no_tools` or none.
    std::vector<diagnosis_code> warnings;

    /// Tools that the server listed. Empty: the server has no tools, or they were not listed.
    std::vector<tool> tools;

    /// Name, version, capabilities and instructions that the server reported. The members have their defaults if the
    /// server was not opened.
    server_description server;

    /// Negotiated protocol version. Empty: the server was not opened.
    std::optional<linkspan::protocol_version> protocol_version;

    /// Certificate of the server. Empty: no connection over TLS was made.
    std::optional<certificate> peer_certificate;

    /// `WWW-Authenticate` challenge of a response with status 401 or 403, without secrets. Empty: none.
    std::string challenge;

    /// Error of the opening or of `tools/list`, `invalid_argument` with `diagnosis_code::invalid_url`, or
    /// `operation_aborted` after a cancellation. No error: success.
    error_code ec;

    /// Human-readable details, without secrets: the failed request and the text of the server, the end of the stderr
    /// output of the server, or the reason of `diagnosis_code::invalid_url`. May be empty.
    std::string detail;

    /// Time from the start of the operation to the success, failure or cancellation. The shutdown of the server is not
    /// included, unless the operation was cancelled.
    duration elapsed{};
};

/// Returns a report as a JSON object.
///
/// The keys are `name`, `success`, `error_code`, `error_message`, `tools` (an array of objects with `name` and
/// `description`), `server_info` (`name` and `version`), `protocol_version`, `era`, `warnings`, `elapsed_ms`,
/// `certificate` (`subject`, `issuer`, `not_before`, `not_after`, `protocol`), `challenge` and `detail`. All keys are
/// present; an unknown value is null. `error_message` is `diagnosis::message`, which may also be the text of a warning.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL boost::json::object to_json(diagnosis const& report);

/// Options of `async_diagnose`.
///
///     diagnose_options options;
///     options.timeout = std::chrono::seconds(5);
///     options.reach = reachable::public_only;
///     options.tls = tls();
///
/// The type is not an aggregate, because g++ 12 miscompiles temporaries of aggregates in `co_await` expressions.
struct diagnose_options {
    diagnose_options() {}

    /// Timeout of the whole operation. Each connection, request and event stream may use the whole timeout, except the
    /// probe of a child process (`server/discover`), which may use a third: a server that ignores the probe is then
    /// opened by the handshake. Must be greater than 0. Default: 10 s.
    duration timeout = std::chrono::seconds(10);

    /// Addresses to which connections are allowed. `public_only` protects the local network if untrusted end users
    /// enter the URL of the server; child processes and Unix sockets are then reported as `invalid_url`. Default: all
    /// addresses.
    reachable reach = reachable::everything;

    /// TLS layer for https URLs, as in `http_config::tls`. Null: no layer is given; the transport `https` then uses
    /// `tls()`. Default: null.
    std::shared_ptr<dialer_layer const> tls;

    /// Dialer of connections over HTTP, as in `http_config::dialer`. Null: Unix socket or TCP. Default: null.
    std::shared_ptr<linkspan::dialer> dialer;

    /// Sources of the values of variables in the configuration. Default: the environment of this process.
    variable_sources variables;
};

namespace detail {

// Input of `start_diagnosis`, independent of the list of transports.
struct diagnosis_plan {
    std::string name;          // of the server; empty: unknown
    transport_factory factory; // empty: the server cannot be opened, for the reason `fault`
    std::string fault;         // reason for an empty `factory`; empty: `factory` is set
    redactor secrets;          // for `diagnosis::detail` and `diagnosis::challenge`
    duration timeout{};        // `diagnose_options::timeout`
    duration probe_timeout{};  // `session_options::probe_timeout`
    // set by the transport when a connection over TLS was made
    std::shared_ptr<std::optional<certificate>> peer_certificate = std::make_shared<std::optional<certificate>>();
};

using diagnosis_handler = pending_handler<void(error_code, diagnosis)>;

// Opens a session, lists the tools, shuts the session down, and completes. Never completes inside the function.
LINKSPAN_DECL void start_diagnosis(asio::any_io_executor const& executor, diagnosis_plan plan, diagnosis_handler done);

// Throws `std::invalid_argument` if an option is outside of its range.
LINKSPAN_DECL void require_valid(diagnose_options const& options);

// Returns the reason why `diagnose_options::reach` excludes a server. Empty: permitted.
LINKSPAN_DECL std::string explain_exclusion(resolved_server const& server, reachable reach);

// Returns the reason why no transport in the list supports a server. Precondition: its configuration has no errors.
LINKSPAN_DECL std::string explain_missing_transport(resolved_server const& server);

// Selects the first of these transports that the list contains:
// 1. `http_sse`, if the framing is HTTP+SSE,
// 2. `auto_http`, or `https`, which detects the framing too,
// 3. `streamable_http`.
// The plan has no factory if the list contains none of these.
template<class List>
void plan_http(diagnosis_plan& plan, http_framing framing, http_config const& config)
{
    auto const take = [&]<class T>(std::type_identity<T>) { plan.factory = via<T>(config); };
    bool const is_sse = framing == http_framing::sse;
    (is_sse && with_http_transport(List(), linkspan::kind_of(framing), take)) ||
        with_http_transport(List(), "http", take) || with_http_transport(List(), "streamable_http", take);
}

template<class... Ts>
void plan_stdio(diagnosis_plan& plan, stdio_config const& config, transports<Ts...>)
{
    auto const take = [&]<class T>(std::type_identity<T>) {
        if constexpr (std::same_as<typename T::config_type, stdio_config>)
            plan.factory = via<T>(config);
    };
    (take(std::type_identity<Ts>()), ...);
}

template<class List>
diagnosis_plan plan_diagnosis(server_config const& server, diagnose_options const& options)
{
    require_valid(options);
    diagnosis_plan plan;
    plan.name = server.name;
    plan.timeout = plan.probe_timeout = options.timeout;
    auto const resolved = server.resolve(options.variables);
    plan.secrets = resolved.secrets;
    auto const problem = std::ranges::find(resolved.problems, diagnostic::severity::error, &config_problem::level);
    plan.fault = problem == resolved.problems.end() ? std::string() : problem->message;
    if (!resolved.stdio && resolved.url.empty())
        return plan;
    plan.fault = explain_exclusion(resolved, options.reach);
    if (!plan.fault.empty())
        return plan;
    try {
        if (resolved.stdio) {
            plan.probe_timeout = options.timeout / 3;
            plan_stdio(plan, *resolved.stdio, List());
        } else {
            auto config = resolved.http();
            config.reach = options.reach;
            config.tls = options.tls;
            config.dialer = options.dialer;
            config.connect_timeout = config.control_timeout = config.token_timeout = options.timeout;
            config.on_certificate = [to = plan.peer_certificate](certificate const& received) { *to = received; };
            plan_http<List>(plan, server.framing, config);
        }
        if (!plan.factory)
            plan.fault = explain_missing_transport(resolved);
    } catch (std::invalid_argument const& rejected) {
        plan.fault = message_of(rejected);
    }
    return plan;
}

template<class List>
diagnosis_plan plan_diagnosis(std::string_view server, diagnose_options const& options)
{
    require_valid(options);
    try {
        return plan_diagnosis<List>(server_config::from_string(server), options);
    } catch (std::invalid_argument const& rejected) {
        diagnosis_plan plan;
        plan.fault = message_of(rejected);
        return plan;
    }
}

} // namespace detail

/// Diagnoses a server: opens the server, lists its tools, shuts the server down, and reports the result in
/// human-readable form.
///
///     auto const report = co_await linkspan::async_diagnose(executor, server);
///     if (!report.success)
///         std::cerr << report.message << ' ' << report.detail << '\n';
///
/// A failure of the server is a report, not an error of the operation.
///
/// \tparam List Transports that may be used: `transports<stdio, https>` for TLS. Omit `stdio` if untrusted end users
/// enter the configuration of the server, because `stdio` starts any program.
/// \param executor Executor of the connection.
/// \param server Configuration of the server. Its variables are replaced before the operation starts.
/// \param options Timeout, permitted addresses, TLS, dialer and sources of variables.
/// \par Completion signature
/// `void(error_code, diagnosis)`. The report is valid also after an error. The operation completes within
/// `diagnose_options::timeout`.
/// \par Errors
/// `operation_aborted`: cancelled. `diagnosis::ec` is then `operation_aborted` too; the report contains results only if
/// the cancellation occurred during the shutdown of the server. No other errors: a failure of the server is in the
/// report.
/// \par Cancellation
/// `terminal`, `partial`, `total`: closes the connection or kills the child process immediately.
/// \par Executor
/// Call on `executor`, and emit cancellations there. The handler is invoked on its associated executor, by default
/// `executor`, never inside the initiating function and never inside `emit`.
/// \par Lifetime
/// The arguments are copied. The functions of `options.variables` are called before the initiating function returns.
/// \par Thread safety
/// Distinct executors: safe. The same executor: unsafe; call on `executor`, which must not run two handlers
/// concurrently.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`, exceptions of the sources of `options.variables`, and `std::invalid_argument` if
/// `options.timeout` is not greater than 0.
/// \par Specification
/// MCP 2025-11-25, basic/lifecycle, and server/tools, "Listing Tools"; 2026-07-28, `server/discover`.
template<class List = transports<stdio, auto_http>,
         asio::completion_token_for<void(error_code, diagnosis)> Token = asio::deferred_t>
auto async_diagnose(asio::any_io_executor executor, server_config const& server, diagnose_options options = {},
                    Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, diagnosis)>(
        detail::initiate<&detail::start_diagnosis>(std::move(executor)), token,
        detail::plan_diagnosis<List>(server, options));
}

/// Diagnoses a server that an end user entered as text: reads the text, opens the server, lists its tools, shuts the
/// server down, and reports the result.
///
///     using list = linkspan::transports<linkspan::stdio, linkspan::https>;
///     auto const report = co_await linkspan::async_diagnose<list>(executor, "https://search.example/mcp");
///
/// With the default list, an https URL requires `diagnose_options::tls`. A text that `server_config::from_string`
/// rejects is reported as `diagnosis_code::invalid_url`.
///
/// \tparam List Transports that may be used: `transports<stdio, https>` for TLS. Omit `stdio` if untrusted end users
/// enter the configuration of the server, because `stdio` starts any program.
/// \param executor Executor of the connection.
/// \param server URL or command line, as for `server_config::from_string`.
/// \param options Timeout, permitted addresses, TLS, dialer and sources of variables.
/// \par Completion signature
/// `void(error_code, diagnosis)`. The report is valid also after an error. The operation completes within
/// `diagnose_options::timeout`.
/// \par Errors
/// `operation_aborted`: cancelled. `diagnosis::ec` is then `operation_aborted` too; the report contains results only if
/// the cancellation occurred during the shutdown of the server. No other errors: a failure of the server is in the
/// report.
/// \par Cancellation
/// `terminal`, `partial`, `total`: closes the connection or kills the child process immediately.
/// \par Executor
/// Call on `executor`, and emit cancellations there. The handler is invoked on its associated executor, by default
/// `executor`, never inside the initiating function and never inside `emit`.
/// \par Lifetime
/// The arguments are copied. The text is read before the initiating function returns.
/// \par Thread safety
/// Distinct executors: safe. The same executor: unsafe; call on `executor`, which must not run two handlers
/// concurrently.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`, exceptions of the sources of `options.variables`, and `std::invalid_argument` if
/// `options.timeout` is not greater than 0.
/// \par Specification
/// MCP 2025-11-25, basic/lifecycle, and server/tools, "Listing Tools"; 2026-07-28, `server/discover`.
template<class List = transports<stdio, auto_http>,
         asio::completion_token_for<void(error_code, diagnosis)> Token = asio::deferred_t>
auto async_diagnose(asio::any_io_executor executor, std::string_view server, diagnose_options options = {},
                    Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, diagnosis)>(
        detail::initiate<&detail::start_diagnosis>(std::move(executor)), token,
        detail::plan_diagnosis<List>(server, options));
}

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/diagnose.ipp>
#endif

#endif
