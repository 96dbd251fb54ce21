#ifndef LINKSPAN_CONNECTOR_CATALOG_JSON_HPP
#define LINKSPAN_CONNECTOR_CATALOG_JSON_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/json/fwd.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns the catalog as a JSON object, for other programs.
///
/// The object has the members `tools`, an array in the order of `catalog::tools()`, and `collisions`, an array of
/// names. Each tool has the members `name` (own name), `description`, `input_schema`, `server_name`
/// (`catalog_entry::server_key`), `server_priority`, `exposed_name` (`catalog_entry::display_name()`), `title`,
/// `output_schema`, `annotations`, `meta`, `fingerprint` (input fingerprint), `replay_class`, `tags` and `group`. A
/// missing value is null. A schema that is not valid JSON is null too. A missing description is an empty text, and
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
