#ifndef LINKSPAN_CONNECTOR_CATALOG_JSON_HPP
#define LINKSPAN_CONNECTOR_CATALOG_JSON_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/json/fwd.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns the catalog as a JSON object, for other programs.
///
/// The object has `tools`, in the order of `catalog::tools()`, and `collisions`, an array of names. Each tool has
/// `name`, `description`, `input_schema`, `server_name`, `server_priority`, `exposed_name` (the displayed name),
/// `title`, `output_schema`, `annotations`, `meta`, `fingerprint` (`input_fingerprint`), `replay_class`, `tags` and
/// `group`. A missing value is null, and so is a schema that is not JSON. A missing description is an empty text;
/// missing tags are an empty array.
///
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
LINKSPAN_DECL boost::json::object to_json(catalog const& from);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/catalog_json.ipp>
#endif

#endif
