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
    invalid_url,        ///< The configuration is invalid, or no transport supports it; no connection was attempted.
    connection_failed,  ///< Name resolution, TCP, proxy, TLS or the start of the child process failed, or the address
                        ///< is not allowed.
    timeout,            ///< The server did not respond within `diagnose_options::timeout`.
    auth_failed,        ///< The server refused the credentials: HTTP status 401 or 403.
    invalid_mcp_server, ///< The peer accepted the connection, but closed it or did not respond as MCP requires; also
                        ///< any other HTTP status of an error.
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
/// `errc::timed_out` is `timeout`; a code of `http_category` is `auth_failed` for 401 and 403, else
/// `invalid_mcp_server`; `condition::transport_failed` is `connection_failed`, except `error::stream_ended` and
/// `error::truncated_line`; all others are `invalid_mcp_server`.
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

    /// Whether the server was opened and its tools were listed. Default: false.
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
    std::optional<certificate> peer;

    /// `WWW-Authenticate` challenge of a response with status 401 or 403, without secrets. Empty: none.
    std::string challenge;

    /// Error of the failed operation. Empty: success.
    error_code ec;

    /// Human-readable details, without secrets: text of the server, or the end of its stderr output. May be empty.
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
///     diagnose_options with;
///     with.timeout = std::chrono::seconds(5);
///     with.reach = reachable::public_only;
///     with.tls = tls();
///
/// The type is not an aggregate, because g++ 12 miscompiles temporaries of aggregates in `co_await` expressions.
struct diagnose_options {
    diagnose_options() {}

    /// Timeout of the whole operation, and also of the connection and of each request. Must be greater than 0.
    /// Default: 10 s.
    duration timeout = std::chrono::seconds(10);

    /// Addresses to which connections are allowed. `public_only` protects the local network if untrusted users enter
    /// the server; child processes and Unix sockets are then reported as `invalid_url`. Default: all addresses.
    reachable reach = reachable::everything;

    /// TLS layer for https URLs, as in `http_config::tls`. Null: no layer is given; the transport `https` then uses
    /// `tls()`. Default: null.
    std::shared_ptr<dialer_layer const> tls;

    /// Dialer of connections over HTTP, as in `http_config::dialer`. Null: Unix socket or TCP. Default: null.
    std::shared_ptr<linkspan::dialer> dialer;

    /// Sources of the values of variables in the configuration. Default: the environment of this process.
    variable_sources from;
};

namespace detail {

// Input of `start_diagnosis`, independent of the list of transports.
struct diagnosis_plan {
    std::string name;          // of the server; empty: unknown
    transport_factory factory; // empty: the server cannot be opened, for the reason `fault`
    std::string fault;         // set if `factory` is empty; may be empty: no transport supports the server
    redactor secrets;          // for `diagnosis::detail` and `diagnosis::challenge`
    duration timeout{};        // `diagnose_options::timeout`
    // set by the transport when a connection over TLS was made
    std::shared_ptr<std::optional<certificate>> peer = std::make_shared<std::optional<certificate>>();
};

using diagnosis_handler = pending_handler<void(error_code, diagnosis)>;

// Opens a session, lists the tools, shuts the session down, and completes. Never completes inside the function.
LINKSPAN_DECL void start_diagnosis(asio::any_io_executor const& executor, diagnosis_plan plan, diagnosis_handler done);

// Throws `std::invalid_argument` if an option is outside of its range.
LINKSPAN_DECL void require_valid(diagnose_options const& with);

// Selects the transport for a configuration: for HTTP+SSE the transport with this framing, else the transport that
// detects the framing, else Streamable HTTP. The plan has no factory if the list has none of these.
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
diagnosis_plan plan_diagnosis(server_config const& server, diagnose_options const& with)
{
    require_valid(with);
    diagnosis_plan plan;
    plan.name = server.name;
    plan.timeout = with.timeout;
    auto resolved = server.resolve(with.from);
    plan.secrets = resolved.secrets;
    try {
        bool const is_local = resolved.stdio || !resolved.unix_socket.empty();
        if (is_local && with.reach == reachable::public_only) {
            plan.fault = "expected an HTTP or HTTPS URL: child processes and Unix sockets are not allowed";
        } else if (resolved.stdio) {
            plan_stdio(plan, *resolved.stdio, List());
        } else if (!resolved.url.empty()) {
            auto config = resolved.http();
            config.reach = with.reach;
            config.tls = with.tls;
            config.dialer = with.dialer;
            config.connect_timeout = with.timeout;
            config.on_certificate = [peer = plan.peer](certificate const& received) { *peer = received; };
            plan_http<List>(plan, server.framing, config);
        } else if (!resolved.problems.empty()) {
            plan.fault = resolved.problems.front().message;
        }
    } catch (std::invalid_argument const& refused) {
        plan.fault = message_of(refused);
    }
    return plan;
}

template<class List>
diagnosis_plan plan_diagnosis(std::string_view server, diagnose_options const& with)
{
    require_valid(with);
    try {
        return plan_diagnosis<List>(server_config::from_string(server), with);
    } catch (std::invalid_argument const& refused) {
        diagnosis_plan plan;
        plan.fault = message_of(refused);
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
/// \tparam List Transports that may be used: `transports<stdio, https>` for TLS. Omit `stdio` if untrusted users enter
/// the server, because `stdio` starts any program.
/// \param executor Executor of the connection.
/// \param server Configuration of the server. Its variables are replaced before the operation starts.
/// \param with Options.
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
/// Call on `executor`, and emit cancellations there. The handler runs on its associated executor, never inside the
/// initiating function, and never inside `emit`.
/// \par Lifetime
/// The arguments are copied. The functions of `with.from` are called before the initiating function returns.
/// \par Thread safety
/// The executor must not run two handlers concurrently.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`, exceptions of the sources of `with.from`, and `std::invalid_argument` if
/// `with.timeout` is not greater than 0.
/// \par Specification
/// MCP 2025-11-25, basic/lifecycle, and server/tools, "Listing Tools"; 2026-07-28, `server/discover`.
template<class List = transports<stdio, auto_http>,
         asio::completion_token_for<void(error_code, diagnosis)> Token = asio::deferred_t>
auto async_diagnose(asio::any_io_executor executor, server_config const& server, diagnose_options with = {},
                    Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, diagnosis)>(
        detail::initiate<&detail::start_diagnosis>(std::move(executor)), token,
        detail::plan_diagnosis<List>(server, with));
}

/// Diagnoses a server that a user entered as text: reads the text, opens the server, lists its tools, shuts the server
/// down, and reports the result.
///
///     auto const report = co_await linkspan::async_diagnose(executor, "https://search.example/mcp");
///
/// A text that `server_config::from_string` rejects is reported as `diagnosis_code::invalid_url`.
///
/// \tparam List Transports that may be used: `transports<stdio, https>` for TLS. Omit `stdio` if untrusted users enter
/// the server, because `stdio` starts any program.
/// \param executor Executor of the connection.
/// \param server URL or command line, as for `server_config::from_string`.
/// \param with Options.
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
/// Call on `executor`, and emit cancellations there. The handler runs on its associated executor, never inside the
/// initiating function, and never inside `emit`.
/// \par Lifetime
/// The arguments are copied. The text is read before the initiating function returns.
/// \par Thread safety
/// The executor must not run two handlers concurrently.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`, exceptions of the sources of `with.from`, and `std::invalid_argument` if
/// `with.timeout` is not greater than 0.
/// \par Specification
/// MCP 2025-11-25, basic/lifecycle, and server/tools, "Listing Tools"; 2026-07-28, `server/discover`.
template<class List = transports<stdio, auto_http>,
         asio::completion_token_for<void(error_code, diagnosis)> Token = asio::deferred_t>
auto async_diagnose(asio::any_io_executor executor, std::string_view server, diagnose_options with = {},
                    Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, diagnosis)>(
        detail::initiate<&detail::start_diagnosis>(std::move(executor)), token,
        detail::plan_diagnosis<List>(server, with));
}

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/diagnose.ipp>
#endif

#endif
