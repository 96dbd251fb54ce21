#ifndef LINKSPAN_CONFIG_CONNECTOR_CONFIG_HPP
#define LINKSPAN_CONFIG_CONNECTOR_CONFIG_HPP

#include <linkspan/config/server_config.hpp>
#include <linkspan/core/config_problem.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>

#include <boost/json/fwd.hpp>

#include <chrono>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan {

/// The servers of a connector, as one or several documents have them. `doc/configuration.md` has the formats and keys.
///
/// No aggregate, so that g++ 12 does not miscompile a temporary of it in a `co_await` expression.
struct connector_config {
    connector_config() {}

    std::vector<server_config> servers;                  ///< in the order of the document
    duration default_timeout = std::chrono::seconds(30); ///< of a request, for servers without a `timeout` of their own
    unsigned max_retries = 3;                            ///< attempts of a call after the first, on any server
    std::optional<bool> validate_arguments;              ///< for servers that do not say; see `call_validation`
    std::optional<bool> validate_results;                ///< likewise
    bool has_default_timeout = false;                    ///< the document says so; else the other's stays in `|=`
    bool has_max_retries = false;                        ///< likewise
    std::vector<config_problem> problems;

    /// Reads a document in any of the formats, told apart by what it holds; with comments, and commas behind the last
    /// member. Nothing is thrown for what it says, and nothing stops at the first problem: every one is reported, with
    /// its place. A server with an error is left out. `origin` tells problems and servers of several documents apart.
    LINKSPAN_DECL static connector_config from_json(std::string_view text, std::string origin = {});

    /// The same, for a value that was read elsewhere. No template for others: text must not become a JSON string.
    template<std::same_as<boost::json::value> Value>
    static connector_config from_json(Value const& document, std::string origin = {})
    {
        return from_value(document, std::move(origin));
    }

    /// Adds what another one has: a server takes the place of one with its name, and later values replace earlier ones.
    /// Problems are added up.
    LINKSPAN_DECL connector_config& operator|=(connector_config later);
    friend connector_config operator|(connector_config earlier, connector_config later)
    {
        return earlier |= std::move(later);
    }

    /// The server of that name, or else the one with that key; null: there is none. Lifetime: until `servers` changes.
    LINKSPAN_DECL server_config const* find(std::string_view name) const;
    server_config* find(std::string_view name) { return const_cast<server_config*>(std::as_const(*this).find(name)); }

    bool has_errors() const noexcept { return linkspan::has_errors(problems); }

    /// For `safe_failover{.max_attempts = config.max_attempts()}`: the first attempt counts too.
    unsigned max_attempts() const noexcept { return 1 + max_retries; }

private:
    LINKSPAN_DECL static connector_config from_value(boost::json::value const& document, std::string origin);
};

/// For people, and without secrets: a line for each server.
LINKSPAN_DECL std::string to_string(connector_config const& config);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/connector_config.ipp>
#endif

#endif
