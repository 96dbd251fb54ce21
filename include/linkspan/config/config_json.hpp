#ifndef LINKSPAN_CONFIG_CONFIG_JSON_HPP
#define LINKSPAN_CONFIG_CONFIG_JSON_HPP

#include <linkspan/config/connector_config.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/json/fwd.hpp>

namespace linkspan {

/// What `to_json` writes for values that may be secrets.
enum class literal_values {
    redacted, ///< `***`
    kept,     ///< the values, so that the document can be used again
};

/// The configuration as a document that `from_json` reads, under "mcpServers", or under "servers" if its variables are
/// replaced as whole values only. Members with default values are left out; `problems` and `origin` are not written.
///
/// Variables are written as variables, as in `"${GITHUB_TOKEN}"`: no value of the environment is ever written. Literal
/// values of the configuration that may be secrets are redacted by default: in `env` and `headers` all values other than
/// one variable, alone or after `Bearer ` or `Basic `; credentials in addresses; arguments whose option is named as a
/// key, token, secret or password.
LINKSPAN_DECL boost::json::object to_json(connector_config const& config,
                                          literal_values literals = literal_values::redacted);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/config_json.ipp>
#endif

#endif
