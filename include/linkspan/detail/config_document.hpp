#ifndef LINKSPAN_DETAIL_CONFIG_DOCUMENT_HPP
#define LINKSPAN_DETAIL_CONFIG_DOCUMENT_HPP

#include <linkspan/detail/config.hpp>
#include <linkspan/detail/config_text.hpp>
#include <linkspan/detail/server_reader.hpp>

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <vector>

namespace linkspan {

struct connector_config;

namespace detail {

// The configuration that a document holds. Without a dialect, that of the document's format. The body stands with those
// of `connector_config`.
LINKSPAN_DECL connector_config read_document(json::value const& document, std::vector<repeated_key> const& repeated,
                                             std::string origin, std::optional<server_dialect> dialect);

} // namespace detail
} // namespace linkspan

#endif
