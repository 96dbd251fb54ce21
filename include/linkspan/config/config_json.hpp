#ifndef LINKSPAN_CONFIG_CONFIG_JSON_HPP
#define LINKSPAN_CONFIG_CONFIG_JSON_HPP

#include <linkspan/config/connector_config.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/json/fwd.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Treatment of literal values that may be secrets, in `to_json`.
enum class literal_values {
    redacted, ///< Each such value is written as `***`.
    kept,     ///< Values are written as they are, so that `from_json` restores them. The document contains secrets.
};

/// Returns a configuration as a document that `connector_config::from_json` reads.
///
/// The servers are written as members of "servers" (the plain format) if no server has `inputs`, another `expansion`
/// than `expand::whole_value`, or a URL with another `framing` than `http_framing::automatic`. Otherwise, or if there
/// are no servers, the document has the member "mcpServers" instead. Members with default values are omitted, except
/// `args` and `inherit_env` of a command, `description` and `password` of an input, and the idle timeout of a server
/// whose `uses_default_timeout` is false. `default_timeout` and `max_retries` are written if `has_default_timeout` and
/// `has_max_retries` are true.
///
/// Members without a key in documents are not written: `problems` and `origin`, for example, and `required_variables`
/// and `private_folder` of a server. A `result_classifier` other than `find_status_error`, and the default of an input
/// with `password`, are not written either.
///
/// Variables are written as variables, such as `"${GITHUB_TOKEN}"`; the environment is not read. With
/// `literal_values::redacted` these literal values are redacted: values of `env` and `headers` that are not exactly one
/// variable without a default, alone or after `Bearer ` or `Basic `; in URLs, also in arguments that are URLs, the user
/// information and the values of all query parameters, except texts of less than 4 bytes; values of arguments whose
/// option name contains "key", "token", "secret", "passw", "auth" or "credential".
///
/// \param config The configuration.
/// \param literals Treatment of literal values that may be secrets. Default: they are redacted.
/// \returns The document, an object with the member "servers" or "mcpServers".
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL boost::json::object to_json(connector_config const& config,
                                          literal_values literals = literal_values::redacted);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/config_json.ipp>
#endif

#endif
