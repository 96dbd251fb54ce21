#ifndef LINKSPAN_CONFIG_MAKE_CONNECTOR_HPP
#define LINKSPAN_CONFIG_MAKE_CONNECTOR_HPP

#include <linkspan/config/connector_config.hpp>
#include <linkspan/config/default_servers.hpp>
#include <linkspan/config/detail/http_choice.hpp>
#include <linkspan/connector/connector.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/http/http_config.hpp>
#include <linkspan/policy/fallback.hpp>
#include <linkspan/policy/naming.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
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

namespace detail {

// Adds a server that uses the transport of the list for its framing, or else the transport that detects the framing.
template<class Hub>
void add_http(Hub& hub, server_config const& server, http_config config, server_options options)
{
    if constexpr (requires { typename Hub::transport_list; }) {
        typename Hub::transport_list const list;
        auto const add = [&]<class T>(std::type_identity<T>) {
            hub.template add<T>(server.key(), std::move(config), std::move(options));
        };
        auto const wanted = linkspan::kind_of(server.framing);
        if (!with_http_transport(list, wanted, add) && !with_http_transport(list, "http", add))
            throw std::invalid_argument("the server is reached over HTTP, but the connector has no transport '" +
                                        std::string(wanted) + "'");
    } else {
        throw std::invalid_argument("the server is reached over HTTP, but the connector has no transport over HTTP");
    }
}

// Adds a server whose transport cannot be created: a connector lists it, and an attempt to start it fails with `why`.
struct unusable_server_adder {
    template<class Hub>
    static void add(Hub& hub, server_config const& server, std::string why)
    {
        if constexpr (std::derived_from<Hub, connector_base>) {
            auto const kind = server.url.empty() ? std::string_view(stdio::kind) : linkspan::kind_of(server.framing);
            auto fail = [why = std::move(why)](asio::any_io_executor const&) -> any_transport {
                throw std::runtime_error(why);
            };
            connector_base& base = hub;
            base.add_server(server.key(), kind, std::move(fail), server.options);
        }
    }
};

// Adds the servers of a configuration one by one, and collects the problems.
template<class Hub>
class server_adder {
public:
    server_adder(Hub& hub, connector_config const& config, variable_sources const& from)
        : hub_(hub), config_(config), from_(from)
    {}

    void add(server_config const& server)
    {
        add_one(server);
        for (int i = 2; i <= server.replicas; ++i) {
            auto replica = server;
            replica.name += "_" + std::to_string(i);
            add_one(std::move(replica));
        }
    }

    std::vector<config_problem> take_problems() { return std::move(problems_); }

private:
    void add_one(server_config server)
    {
        auto& options = server.options;
        if (!options.validate_arguments.has_value())
            options.validate_arguments = config_.validate_arguments;
        if (!options.validate_results.has_value())
            options.validate_results = config_.validate_results;
        auto resolved = server.resolve(from_);
        options.secrets.add(resolved.secrets);
        bool const is_resolved = resolved.stdio || !resolved.url.empty();
        if (!options.enabled) // a disabled server is listed even if it could not be started
            return add_disabled(server, is_resolved ? &resolved : nullptr);
        if (auto const missing = find_missing(server); !missing.empty())
            return report(server, config_problem::severity::warning,
                          "variable '" + missing + "': not set; the server is skipped");
        problems_.insert(problems_.end(), resolved.problems.begin(), resolved.problems.end());
        if (!is_resolved)
            return;
        if (auto why = server.private_folder.empty() ? std::string() : create_private_folder(server.private_folder);
            !why.empty())
            return report(server, config_problem::severity::error, std::move(why));
        add_resolved(server, resolved);
    }

    void report(server_config const& server, config_problem::severity level, std::string message)
    {
        problems_.push_back({{level, server.name, server.pointer, std::move(message)}, server.origin});
    }

    // Returns the first required variable without a value; empty: all have one.
    std::string find_missing(server_config const& server) const
    {
        auto const has_no_value = [&](std::string const& name) {
            auto const value = from_.environment ? from_.environment(name) : std::nullopt;
            return !value || value->empty();
        };
        auto const found = std::ranges::find_if(server.required_variables, has_no_value);
        return found == server.required_variables.end() ? std::string() : *found;
    }

    void add_disabled(server_config const& server, resolved_server* resolved)
    {
        auto const before = problems_.size();
        if (resolved)
            add_resolved(server, *resolved);
        bool const is_added = resolved && problems_.size() == before;
        problems_.resize(before); // a disabled server has no reported problems
        if (is_added)
            return;
        try {
            unusable_server_adder::add(hub_, server, "the configuration of the server has an error");
        } catch (std::invalid_argument const& rejected) { // the key is already used, or an option is invalid
            report(server, config_problem::severity::error, message_of(rejected));
        }
    }

    void add_resolved(server_config const& server, resolved_server& resolved)
    {
        try {
            if (resolved.stdio)
                hub_.template add<stdio>(server.key(), *std::move(resolved.stdio), server.options);
            else
                add_http(hub_, server, resolved.http(), server.options);
        } catch (std::invalid_argument const& rejected) {
            report(server, config_problem::severity::error, message_of(rejected));
        }
    }

    Hub& hub_;
    connector_config const& config_;
    variable_sources const& from_;
    // of all servers so far; moved from by `take_problems`
    std::vector<config_problem> problems_;
};

} // namespace detail

/// Adds the servers of a configuration to a connector, with their variables replaced.
///
///     connector<transports<stdio, auto_http>> hub(executor);
///     for (auto const& problem : add_servers(hub, config))
///         std::cerr << to_string(problem) << '\n';
///
/// A server whose `replicas` is greater than 1 is added several times. A server is not added if it has an error. A
/// server is skipped, with a warning, if a variable of its `required_variables` is not set or is empty. A disabled
/// server is listed and not started, also if its configuration has an error; only a key that is already used, or an
/// invalid member of `options`, is reported. Folders of `server_config::private_folder` are created for enabled
/// servers. The servers are not opened.
///
/// \tparam Hub Connector with `stdio` among its transports, or a class with the same `add`. Servers with a URL require
/// a transport over HTTP in `Hub::transport_list`.
/// \param hub Connector to add the servers to, by their keys.
/// \param config Configuration. `validate_arguments` and `validate_results` apply to servers that do not set them.
/// `max_retries` has no effect: it is a setting of the fallback policy.
/// \param from Sources of values of variables. Default: the environment of this process.
/// \returns Errors and warnings about variables, about keys that are already used, about URLs that are invalid, about
/// folders that cannot be used, and about servers for which the connector has no transport.
/// \par Executor
/// Call on the connector's executor.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`, and exceptions of the sources of `from`. Servers that were added before the
/// exception stay in the connector.
template<class Hub>
std::vector<config_problem> add_servers(Hub& hub, connector_config const& config, variable_sources const& from = {})
{
    detail::server_adder<Hub> adder(hub, config, from);
    for (auto const& server : config.servers)
        adder.add(server);
    return adder.take_problems();
}

/// Options of `async_make_connector`.
///
/// The type is not an aggregate, because g++ 12 miscompiles temporaries of aggregates in `co_await` expressions.
struct make_options {
    make_options() {}

    /// Sources of the values of variables in the configuration. Default: the environment of this process.
    variable_sources from;

    /// Whether the servers are opened. If false, the operation completes with an empty report. Default: true.
    bool open = true;

    /// Style of the exposed names of tools. The option applies to connectors with `configured_naming` among their
    /// policies. Default: qualified names.
    naming_style naming = naming_style::qualified;
};

/// Connector that was created for a configuration, with the report of its opening and the problems of the
/// configuration.
///
/// \tparam Hub Type of the connector.
template<class Hub>
struct made_connector {
    /// The connector. Null: the configuration has no server that could be added.
    std::unique_ptr<Hub> hub;

    /// Result of opening the servers. Empty if `make_options::open` is false or `hub` is null.
    open_report report;

    /// Errors and warnings of the configuration and of `add_servers`.
    std::vector<config_problem> problems;
};

/// Returns the exception for an error of `async_make_connector`. Used by the token `throwing`.
///
/// \returns A `connection_error` with the report if there is a connector; else a `boost::system::system_error` whose
/// text lists the problems. The connector is destroyed.
template<class Hub>
std::exception_ptr make_exception(error_code ec, made_connector<Hub> made)
{
    if (made.hub)
        return make_exception(ec, std::move(made.report));
    std::string text = "make connector";
    for (auto const& problem : made.problems)
        (text += "\n  ") += to_string(problem);
    return std::make_exception_ptr(boost::system::system_error(ec, text));
}

namespace detail {

// Creates a policy with the settings of the configuration and the options that apply to it.
template<class Policy>
Policy make_policy([[maybe_unused]] connector_config const& config, [[maybe_unused]] make_options const& options)
{
    Policy policy{};
    if constexpr (std::same_as<Policy, safe_failover>)
        policy.max_attempts = config.max_attempts();
    else if constexpr (std::same_as<Policy, configured_naming>)
        policy.style = options.naming;
    return policy;
}

// Creates a connector. If all policies are default constructible, they receive the settings of the configuration; else
// `Hub` is constructed from the executor only.
template<class Hub>
struct hub_maker {
    static std::unique_ptr<Hub> make(asio::any_io_executor const& executor, connector_config const&,
                                     make_options const&)
    {
        return std::make_unique<Hub>(executor);
    }
};

template<class Transports, class... Policies>
    requires(sizeof...(Policies) > 0 && (std::default_initializable<Policies> && ...))
struct hub_maker<connector<Transports, Policies...>> {
    static auto make(asio::any_io_executor const& executor, connector_config const& config, make_options const& options)
    {
        return std::make_unique<connector<Transports, Policies...>>(executor,
                                                                    make_policy<Policies>(config, options)...);
    }
};

template<class Hub>
void start_making(asio::any_io_executor const& executor, connector_config const& config, make_options const& options,
                  pending_handler<void(error_code, made_connector<Hub>)> done)
{
    auto const made = std::make_shared<made_connector<Hub>>();
    auto hub = hub_maker<Hub>::make(executor, config, options);
    made->problems = config.problems;
    auto more = add_servers(*hub, config, options.from);
    made->problems.insert(made->problems.end(), more.begin(), more.end());
    bool const is_empty = hub->state().servers.empty();
    auto& made_hub = *hub;
    if (!is_empty)
        made->hub = std::move(hub);
    auto const slot = done.cancellation_slot();
    auto complete = [done = std::move(done), made](error_code ec, open_report report) mutable {
        made->report = std::move(report);
        done.complete(ec, std::move(*made));
    };
    if (is_empty || !options.open) {
        auto const ec = is_empty ? error_code(error::nothing_configured) : error_code();
        asio::post(executor, [complete = std::move(complete), ec]() mutable { complete(ec, {}); });
        return;
    }
    made_hub.async_open(asio::bind_cancellation_slot(slot, std::move(complete)));
}

} // namespace detail

/// Default connector of `async_make_connector`. The fallback policy uses `connector_config::max_retries`, and tools
/// have names of the style `make_options::naming`. Servers are child processes only.
using configured_connector = connector<transports<stdio>, safe_failover, configured_naming>;

/// Creates a connector for a configuration, adds the servers, opens them and lists their tools.
///
///     auto made = co_await async_make_connector(executor, connector_config::from_json(text));
///     auto reply = co_await made.hub->async_call("read_file", args);
///
/// \tparam Hub Type of the connector. If all policies are default constructible, `safe_failover` receives
/// `connector_config::max_retries`, and `configured_naming` receives `make_options::naming`.
/// \param executor Executor of the connector.
/// \param config Configuration. Empty optional: `default_servers()`.
/// \param options Sources of variables, whether the servers are opened, and the style of the exposed names.
/// \par Completion signature
/// `void(error_code, made_connector<Hub>)`. The connector is present also if the servers could not be opened; it
/// reopens them as their `restart_options` specify.
/// \par Errors
/// `nothing_configured`: no server could be added. `connection_failed`: no server could be opened, or a server with
/// `required` could not. `operation_aborted`: cancelled.
/// \par Cancellation
/// `terminal`, `partial`: stops waiting and closes all servers. The handler receives the connector, which may be opened
/// again; a completion token that throws errors, such as `throwing`, destroys the connector. `total`: not supported.
/// \par Executor
/// Call on `executor`, and emit cancellations there. The handler runs on its associated executor, never inside the
/// initiating function, and never inside `emit`.
/// \par Lifetime
/// The configuration and the options are copied.
/// \par Thread safety
/// Distinct executors: safe. The same executor: unsafe; call on `executor`, which must not run two handlers
/// concurrently.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`, and exceptions of the sources of `options.from`.
/// \par Specification
/// MCP 2025-11-25, basic/lifecycle, "Initialization"; 2026-07-28, `server/discover`.
template<class Hub = configured_connector,
         asio::completion_token_for<void(error_code, made_connector<Hub>)> Token = throwing_t>
auto async_make_connector(asio::any_io_executor executor, std::optional<connector_config> config = std::nullopt,
                          make_options options = {}, Token&& token = Token())
{
    if (!config)
        config = default_servers();
    return asio::async_initiate<Token, void(error_code, made_connector<Hub>)>(
        detail::initiate<&detail::start_making<Hub>>(std::move(executor)), token, *std::move(config),
        std::move(options));
}

} // namespace linkspan

#endif
