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

namespace linkspan::inline LINKSPAN_ABI {

/// Servers of a connector with their common settings, read from one or several documents.
///
///     auto config = connector_config::from_json(text, "servers.json");
///     for (auto const& problem : config.problems)
///         std::cerr << to_string(problem) << '\n';
///
/// The members may be changed freely. `doc/configuration.md` lists the formats and the keys.
///
/// The type is not an aggregate, because g++ 12 miscompiles temporaries of aggregates in `co_await` expressions.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
struct connector_config {
    connector_config() {}

    /// Servers in the order of the document. Default: none.
    std::vector<server_config> servers;

    /// Idle timeout of requests to servers that have no `timeout` of their own. `from_json` and `operator|=` copy the
    /// value to `servers`; later changes of this member do not affect `servers`. A document may set 1 ms to 1000000 s.
    /// Default: 30 s.
    duration default_timeout = std::chrono::seconds(30);

    /// Maximum number of attempts of a call after the first attempt, over all servers. Attempts on servers that were
    /// not reached do not count; see `safe_failover::max_attempts`. A document may set 0 to 1000; 0: a call is retried
    /// only if its server was not reached. Default: 3.
    unsigned max_retries = 3;

    /// `call_validation::arguments` of servers that do not set it. Empty: the setting of the connector applies.
    std::optional<bool> validate_arguments;

    /// `call_validation::results` of servers that do not set it. Empty: the setting of the connector applies.
    std::optional<bool> validate_results;

    /// Whether the document sets `default_timeout`. If false, `operator|=` keeps the value of the earlier
    /// configuration.
    bool has_default_timeout = false;

    /// Whether the document sets `max_retries`. If false, `operator|=` keeps the value of the earlier configuration.
    bool has_max_retries = false;

    /// Errors and warnings in the order in which they were found. Empty: the documents are valid.
    std::vector<config_problem> problems;

    /// Reads a document in any supported format.
    ///
    /// The format is detected by the keys of the document: "mcpServers" (Claude, Cursor and others), "mcp_servers"
    /// (Codex), "servers" (VS Code, or the plain format, in which only whole values of `env` are variables), or an
    /// object of servers without a wrapper. Comments, trailing commas and a byte order mark are accepted.
    ///
    /// \param text The document.
    /// \param origin Name of the document, for `server_config::origin` and `config_problem::origin`. May be empty.
    /// \returns The configuration. Every problem is in `problems`, with its place; reading does not stop at the first
    /// one. A server with an error is not in `servers`. Text that is not JSON is one error, with line and column.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`. An invalid document is not reported as an exception.
    LINKSPAN_DECL static connector_config from_json(std::string_view text, std::string origin = {});

    /// Reads a document that is already parsed.
    ///
    /// Duplicate keys are not detected, because a parsed object contains each key once.
    ///
    /// \tparam Value `boost::json::value` exactly: a template prevents text from being converted to a JSON string.
    /// \param document The document, in any format that the overload for text accepts.
    /// \param origin Name of the document, for `server_config::origin` and `config_problem::origin`. May be empty.
    /// \returns The configuration. Every problem is in `problems`, with its place; a server with an error is not in
    /// `servers`.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`. An invalid document is not reported as an exception.
    template<std::same_as<boost::json::value> Value>
    static connector_config from_json(Value const& document, std::string origin = {})
    {
        return from_value(document, std::move(origin));
    }

    /// Merges a later configuration into this one.
    ///
    /// A server of `later` replaces the server with the same name, at the same place; other servers of `later` are
    /// appended. Values that `later` sets replace earlier values; a new `default_timeout` also applies to the earlier
    /// servers with `uses_default_timeout`. Problems are appended. Servers with different names but equal keys are all
    /// removed, and reported as errors in `problems`.
    ///
    /// \returns `*this`.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    LINKSPAN_DECL connector_config& operator|=(connector_config later);

    /// Returns the configuration that `earlier |= later` produces.
    friend connector_config operator|(connector_config earlier, connector_config later)
    {
        return earlier |= std::move(later);
    }

    /// Returns the server with the name `name`, or else the server with the key `name`, or else null.
    ///
    /// \par Lifetime
    /// The pointer is valid until `servers` changes.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    LINKSPAN_DECL server_config const* find(std::string_view name) const;

    /// Returns the server with the name `name`, or else the server with the key `name`, or else null.
    ///
    /// \par Lifetime
    /// The pointer is valid until `servers` changes.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    server_config* find(std::string_view name) { return const_cast<server_config*>(std::as_const(*this).find(name)); }

    /// Returns whether `problems` contains an error. Warnings are not errors.
    bool has_errors() const noexcept { return linkspan::has_errors(problems); }

    /// Returns the maximum number of attempts of a call, including the first attempt: `1 + max_retries`. The value is
    /// for `safe_failover::max_attempts`.
    ///
    ///     safe_failover policy{.max_attempts = config.max_attempts()};
    unsigned max_attempts() const noexcept { return 1 + max_retries; }

private:
    LINKSPAN_DECL static connector_config from_value(boost::json::value const& document, std::string origin);
};

/// Returns the configuration as human-readable text: one line per server, without secrets.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL std::string to_string(connector_config const& config);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/connector_config.ipp>
#endif

#endif
