#ifndef LINKSPAN_CONFIG_MAKE_CONNECTOR_HPP
#define LINKSPAN_CONFIG_MAKE_CONNECTOR_HPP

#include <linkspan/config/connector_config.hpp>
#include <linkspan/config/default_servers.hpp>
#include <linkspan/config/detail/http_choice.hpp>
#include <linkspan/connector/connector.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/mapped_handler.hpp>
#include <linkspan/http/http_config.hpp>
#include <linkspan/transport/stdio.hpp>

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

namespace linkspan {

namespace detail {

// To the transport of the list that is made for its framing; else to the one that finds the framing out.
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
            throw std::invalid_argument("it is reached over HTTP, and this connector has no transport '" +
                                        std::string(wanted) + "'");
    } else {
        throw std::invalid_argument("it is reached over HTTP, and this connector starts its servers");
    }
}

// Adds a server whose transport cannot be made: a connector lists it, and an attempt to start it says why.
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

// Adds the servers of a configuration one by one, and collects what went wrong.
template<class Hub>
class server_adder {
public:
    server_adder(Hub& hub, connector_config const& config, variable_sources const& from)
        : hub_(hub), config_(config), from_(from)
    {}

    void add(server_config server)
    {
        auto& options = server.options;
        if (!options.validate_arguments)
            options.validate_arguments = config_.validate_arguments;
        if (!options.validate_results)
            options.validate_results = config_.validate_results;
        auto resolved = server.resolve(from_);
        options.secrets.add(resolved.secrets);
        bool const is_resolved = resolved.stdio || !resolved.url.empty();
        if (!options.enabled) // is listed, whatever is missing for its start
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

    std::vector<config_problem> take_problems() { return std::move(problems_); }

private:
    void report(server_config const& server, config_problem::severity how, std::string message)
    {
        problems_.push_back({how, server.name, server.pointer, std::move(message), server.origin});
    }

    // The first of its variables that has no value; empty: all have one.
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
        problems_.resize(before); // of a server that is not to be started
        if (is_added)
            return;
        try {
            unusable_server_adder::add(hub_, server, "its configuration has an error");
        } catch (std::invalid_argument const& refused) { // its name is taken
            report(server, config_problem::severity::error, words_of(refused));
        }
    }

    void add_resolved(server_config const& server, resolved_server& resolved)
    {
        try {
            if (resolved.stdio)
                hub_.template add<stdio>(server.key(), *std::move(resolved.stdio), server.options);
            else
                add_http(hub_, server, resolved.http(), server.options);
        } catch (std::invalid_argument const& refused) {
            report(server, config_problem::severity::error, words_of(refused));
        }
    }

    Hub& hub_;
    connector_config const& config_;
    variable_sources const& from_;
    std::vector<config_problem> problems_;
};

} // namespace detail

/// Adds the servers of a configuration, their variables replaced, to a connector that has `stdio` among its transports
/// and, for servers that are reached over HTTP, `http` or `https`. A server with an error is left out; one that lacks a
/// required variable is skipped, with a warning. A disabled server is always listed and never started, and its problems
/// are not reported. Yields the problems: those of the variables, names that are taken, addresses that cannot work,
/// folders that cannot be used, and servers for which the connector has no transport.
template<class Hub>
std::vector<config_problem> add_servers(Hub& hub, connector_config const& config, variable_sources const& from = {})
{
    detail::server_adder<Hub> adder(hub, config, from);
    for (auto const& server : config.servers)
        adder.add(server);
    return adder.take_problems();
}

/// How `async_make_connector` works.
///
/// No aggregate, so that g++ 12 does not miscompile a temporary of it in a `co_await` expression.
struct make_options {
    make_options() {}

    variable_sources from; ///< what the variables of the configuration are replaced by
    bool open = true;      ///< else the connector is made, and its report is empty

    /// How models call the tools, for connectors with `configured_naming` among their policies.
    naming_style naming = naming_style::qualified;
};

/// A connector, and how it came to be.
template<class Hub>
struct made_connector {
    std::unique_ptr<Hub> hub;             ///< null when there was no server to make it of
    open_report report;                   ///< how the servers were opened
    std::vector<config_problem> problems; ///< of the configuration, and of its variables
};

/// The failure of `async_make_connector` as an exception: a `connection_error` with the reports, or a text with the
/// problems where no server could be added.
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

// What the configuration and the options say to a policy; others are as their constructors make them.
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
struct to_made_connector {
    std::shared_ptr<made_connector<Hub>> made;

    template<class Handler>
    void operator()(Handler&& handler, error_code ec, open_report report) const
    {
        made->report = std::move(report);
        std::forward<Handler>(handler)(ec, std::move(*made));
    }
};

template<class Hub>
struct initiate_make : executor_initiation {
    template<class Handler>
    void operator()(Handler&& handler, connector_config const& config, make_options const& options) const
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
        if (is_empty || !options.open) {
            pending_handler<void(error_code, made_connector<Hub>)> done(std::forward<Handler>(handler), executor);
            auto const ec = is_empty ? error_code(error::nothing_configured) : error_code();
            asio::post(executor, [done = std::move(done), made, ec]() mutable { done.complete(ec, std::move(*made)); });
            return;
        }
        made_hub.async_open(mapped_handler(std::forward<Handler>(handler), to_made_connector<Hub>{made}));
    }
};

} // namespace detail

/// What `async_make_connector` makes unless it is told otherwise: its fallback policy tries as often as the
/// configuration says, and its tools have the names that `make_options::naming` selects.
using configured_connector = connector<transports<stdio>, safe_failover, configured_naming>;

/// Makes a connector of a configuration: creates it, adds the servers, opens them and reads their tools.
///
///     auto made = co_await async_make_connector(executor, connector_config::from_json(text));
///     auto reply = co_await made.hub->async_call("read_file", args);
///
/// Without a configuration, it makes one of `default_servers()`.
///
/// \par Completion signature
/// `void(error_code, made_connector<Hub>)`. The connector is there also on errors of `async_open`, and then reopens its
/// servers as their `restart_options` specify.
/// \par Errors
/// `nothing_configured`: none can be added. Those of `connector_base::async_open`. `operation_aborted`: cancelled.
/// \par Cancellation
/// `terminal`, `partial`: stops waiting and closes all servers. The handler gets the connector, which may be opened
/// again; tokens that throw destroy it. `total`: not supported.
/// \par Executor
/// Call on `executor`, and emit cancellations there. The handler runs on its associated executor, never inside the
/// initiating function, and never inside `emit`.
/// \par Lifetime
/// The configuration is copied.
/// \par Thread safety
/// None.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
template<class Hub = configured_connector,
         asio::completion_token_for<void(error_code, made_connector<Hub>)> Token = throwing_t>
auto async_make_connector(asio::any_io_executor executor, std::optional<connector_config> config = std::nullopt,
                          make_options options = {}, Token&& token = Token())
{
    if (!config)
        config = default_servers();
    return asio::async_initiate<Token, void(error_code, made_connector<Hub>)>(
        detail::initiate_make<Hub>{std::move(executor)}, token, *std::move(config), std::move(options));
}

} // namespace linkspan

#endif
