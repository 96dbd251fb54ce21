#ifndef LINKSPAN_CONNECTOR_CATALOG_JSON_HPP
#define LINKSPAN_CONNECTOR_CATALOG_JSON_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/json/fwd.hpp>

namespace linkspan {

/// The catalog as a JSON object, for discovery by other programs: `tools`, in the order of `catalog::tools()`, and
/// `collisions`. A tool has `name`, `description`, `input_schema`, `server_name` and `server_priority`, and then
/// `exposed_name`, `title`, `output_schema`, `annotations`, `meta`, `fingerprint` (`input_fingerprint`),
/// `replay_class`, `tags` and `group`. A missing value, or a schema that is not JSON, is null.
LINKSPAN_DECL boost::json::object to_json(catalog const& from);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/catalog_json.ipp>
#endif

#endif
