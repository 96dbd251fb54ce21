#ifndef LINKSPAN_MAKE_CONNECTOR_HPP
#define LINKSPAN_MAKE_CONNECTOR_HPP

#include <linkspan/connector.hpp>
#include <linkspan/connector_config.hpp>
#include <linkspan/default_servers.hpp>
#include <linkspan/detail/http_choice.hpp>
#include <linkspan/detail/mapped_handler.hpp>
#include <linkspan/transport/http_config.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/post.hpp>

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

} // namespace detail

/// Adds the servers of a configuration, their variables replaced, to a connector that has `stdio` among its transports
/// and, for servers that are reached over HTTP, `http` or `https`. A server with an error is left out. Yields the
/// problems: those of the variables, names that are taken, addresses that cannot work, and servers for which the
/// connector has no transport.
template<class Hub>
std::vector<config_problem> add_servers(Hub& hub, connector_config const& config, variable_sources const& from = {})
{
    std::vector<config_problem> problems;
    auto const add_problem = [&](server_config const& server, std::string message) {
        auto& problem = problems.emplace_back();
        problem.server = server.name;
        problem.pointer = server.pointer;
        problem.origin = server.origin;
        problem.message = std::move(message);
    };
    for (auto const& server : config.servers) {
        auto resolved = server.resolve(from);
        problems.insert(problems.end(), resolved.problems.begin(), resolved.problems.end());
        if (!resolved.stdio && resolved.url.empty())
            continue;
        auto options = server.options;
        if (!options.validate_arguments)
            options.validate_arguments = config.validate_arguments;
        if (!options.validate_results)
            options.validate_results = config.validate_results;
        options.secrets.add(resolved.secrets);
        try {
            if (resolved.stdio)
                hub.template add<stdio>(server.key(), *std::move(resolved.stdio), std::move(options));
            else
                detail::add_http(hub, server, resolved.http(), std::move(options));
        } catch (std::invalid_argument const& refused) {
            add_problem(server, detail::words_of(refused));
        }
    }
    return problems;
}

/// How `async_make_connector` works.
///
/// No aggregate, so that g++ 12 does not miscompile a temporary of it in a `co_await` expression.
struct make_options {
    make_options() {}

    variable_sources from; ///< what the variables of the configuration are replaced by
    bool open = true;      ///< else the connector is made, and its report is empty
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

template<class Hub>
std::unique_ptr<Hub> make_hub(asio::any_io_executor const& executor, connector_config const& config)
{
    safe_failover fallback;
    fallback.max_attempts = config.max_attempts();
    if constexpr (std::constructible_from<Hub, asio::any_io_executor, safe_failover>)
        return std::make_unique<Hub>(executor, fallback);
    else
        return std::make_unique<Hub>(executor);
}

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
struct initiate_make {
    asio::any_io_executor executor;

    template<class Handler>
    void operator()(Handler&& handler, connector_config const& config, make_options const& options) const
    {
        auto const made = std::make_shared<made_connector<Hub>>();
        auto hub = make_hub<Hub>(executor, config);
        made->problems = config.problems;
        auto more = add_servers(*hub, config, options.from);
        made->problems.insert(made->problems.end(), more.begin(), more.end());
        bool const is_empty = hub->state().servers.empty();
        auto& made_hub = *hub;
        if (!is_empty)
            made->hub = std::move(hub);
        if (is_empty || !options.open) {
            pending_handler<void(error_code, made_connector<Hub>)> done(std::forward<Handler>(handler), executor);
            auto const ec = is_empty ? error_code(error::no_servers) : error_code();
            asio::post(executor, [done = std::move(done), made, ec]() mutable { done.complete(ec, std::move(*made)); });
            return;
        }
        made_hub.async_open(mapped_handler(std::forward<Handler>(handler), to_made_connector<Hub>{made}));
    }
};

} // namespace detail

/// What `async_make_connector` makes unless it is told otherwise: its fallback policy tries as often as the
/// configuration says.
using configured_connector = connector<transports<stdio>, safe_failover>;

/// Makes a connector of a configuration: creates it, adds the servers, opens them and reads their tools.
///
///     auto made = co_await async_make_connector(executor, connector_config::from_json(text));
///     auto reply = co_await made.hub->async_call("read_file", args);
///
/// Without a configuration, it makes one of `default_servers()`.
///
/// Completion signature: `void(error_code, made_connector<Hub>)`.
/// Errors: `no_servers` when none can be added; those of `async_open`. The connector is there all the same in the
/// latter case, and goes on trying.
/// Cancellation: none; to destroy the connector ends it.
/// Lifetimes: the configuration is copied.
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
