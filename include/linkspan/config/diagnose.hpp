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

namespace linkspan {

/// What is wrong with a server that somebody wants to use.
enum class diagnosis_code {
    invalid_url,       ///< there is nobody to ask: the address or the command makes no sense
    connection_failed, ///< no name, no route, refused, a certificate that is not trusted, a program that does not start
    timeout,           ///< no answer in time
    auth_failed,       ///< 401 or 403
    invalid_mcp_server, ///< somebody answers, and does not speak the protocol
    no_tools,           ///< a warning: it works, and offers nothing
};

/// As documents spell it: "INVALID_URL".
LINKSPAN_DECL std::string_view to_string(diagnosis_code code) noexcept;

/// What an error that ended the opening of a server, or of its list of tools, says about the server.
LINKSPAN_DECL diagnosis_code diagnosis_code_of(error_code ec) noexcept;

/// What was found out about a server.
struct diagnosis {
    std::string name; ///< of the server; empty when nobody could tell
    bool success = false;
    std::optional<diagnosis_code> code; ///< empty on success
    std::string message;                ///< a sentence for people; empty when there is nothing to say
    std::vector<diagnosis_code> warnings;
    std::vector<tool> tools;
    server_description server;
    std::optional<linkspan::protocol_version> protocol_version; ///< empty until the server has agreed to one
    std::optional<certificate> peer;                            ///< over TLS
    std::string challenge;                                      ///< `WWW-Authenticate` of a refusal
    error_code ec;                                              ///< what exactly went wrong
    std::string detail; ///< for people: the server's own words, or the end of its stderr
    duration elapsed{};
};

/// name, success, error_code, error_message, tools, server_info, protocol_version, era, warnings, elapsed_ms, certificate,
/// challenge, detail; null for what is not known.
LINKSPAN_DECL boost::json::object to_json(diagnosis const& report);

/// How `async_diagnose` works.
///
/// No aggregate, so that g++ 12 does not miscompile a temporary of it in a `co_await` expression.
struct diagnose_options {
    diagnose_options() {}

    duration timeout = std::chrono::seconds(10); ///< for everything
    reachable reach = reachable::everything;     ///< `public_only` keeps strangers from having us look into our network
    std::shared_ptr<dialer_layer const> tls;     ///< for https, where the transport has none of its own
    std::shared_ptr<linkspan::dialer> dialer;    ///< as in `http_config`
    variable_sources from;                       ///< what the variables of the configuration are replaced by
};

namespace detail {

struct diagnosis_plan {
    std::string name;
    transport_factory factory; ///< empty: nobody can be asked, because of `fault`
    std::string fault;
    redactor secrets;
    duration timeout{};
    std::shared_ptr<std::optional<certificate>> peer = std::make_shared<std::optional<certificate>>();
};

using diagnosis_handler = pending_handler<void(error_code, diagnosis)>;

LINKSPAN_DECL void start_diagnosis(asio::any_io_executor const& executor, diagnosis_plan plan, diagnosis_handler done);

// What finds the framing out is asked before what has one of its own, but for a server of which it is known.
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
    diagnosis_plan plan;
    plan.name = server.name;
    plan.timeout = with.timeout;
    auto resolved = server.resolve(with.from);
    plan.secrets = resolved.secrets;
    try {
        bool const is_local = resolved.stdio || !resolved.unix_socket.empty();
        if (is_local && with.reach == reachable::public_only) {
            plan.fault = "a program or a Unix socket is not for everybody to reach";
        } else if (resolved.stdio) {
            plan_stdio(plan, *resolved.stdio, List());
        } else if (!resolved.url.empty()) {
            auto config = resolved.http();
            config.reach = with.reach;
            config.tls = with.tls;
            config.dialer = with.dialer;
            config.connect_timeout = with.timeout;
            config.on_certificate = [peer = plan.peer](certificate const& theirs) { *peer = theirs; };
            plan_http<List>(plan, server.framing, config);
        } else if (!resolved.problems.empty()) {
            plan.fault = resolved.problems.front().message;
        }
    } catch (std::invalid_argument const& refused) {
        plan.fault = words_of(refused);
    }
    return plan;
}

template<class List>
diagnosis_plan plan_diagnosis(std::string_view server, diagnose_options const& with)
{
    try {
        return plan_diagnosis<List>(server_config::from_string(server), with);
    } catch (std::invalid_argument const& refused) {
        diagnosis_plan plan;
        plan.fault = words_of(refused);
        return plan;
    }
}

struct initiate_validation : executor_initiation {
    template<class Handler>
    void operator()(Handler&& handler, diagnosis_plan plan) const
    {
        start_diagnosis(executor, std::move(plan), {std::forward<Handler>(handler), executor});
    }
};

} // namespace detail

/// Tries a server, before anybody depends on it: opens it, reads its tools, closes it, and says how it went, in words
/// that a user understands. Nothing is thrown for a server that cannot work, and no error is a `code` less.
///
///     auto const report = co_await linkspan::async_diagnose(executor, server);
///
/// `List` has the transports that may be needed: `transports<stdio, https>` for TLS. Where strangers name the server,
/// leave `stdio` out: it starts whatever program they name.
///
/// \par Completion signature
/// `void(error_code, diagnosis)`, within `diagnose_options::timeout`.
/// \par Errors
/// None but `operation_aborted`: cancelled. The report then has what was known, and `ec` in it is the same.
/// \par Cancellation
/// `terminal`, `partial`, `total`: ends the connection or the child process at once.
/// \par Executor
/// Call on `executor`, and emit cancellations there. The handler runs on its associated executor, never inside the
/// initiating function, and never inside `emit`.
/// \par Lifetime
/// Nothing is borrowed.
/// \par Thread safety
/// The executor must not run two handlers at once.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
template<class List = transports<stdio, auto_http>,
         asio::completion_token_for<void(error_code, diagnosis)> Token = asio::deferred_t>
auto async_diagnose(asio::any_io_executor executor, server_config const& server, diagnose_options with = {},
                    Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, diagnosis)>(detail::initiate_validation{std::move(executor)},
                                                                    token, detail::plan_diagnosis<List>(server, with));
}

/// The same for a server that somebody has typed, as `server_config::from_string` reads it. What it refuses is
/// `invalid_url`.
///
///     auto const report = co_await linkspan::async_diagnose(executor, "https://search.example/mcp");
template<class List = transports<stdio, auto_http>,
         asio::completion_token_for<void(error_code, diagnosis)> Token = asio::deferred_t>
auto async_diagnose(asio::any_io_executor executor, std::string_view server, diagnose_options with = {},
                    Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, diagnosis)>(detail::initiate_validation{std::move(executor)},
                                                                    token, detail::plan_diagnosis<List>(server, with));
}

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/diagnose.ipp>
#endif

#endif
