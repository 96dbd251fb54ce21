#ifndef LINKSPAN_CONFIG_DETAIL_CONFIG_DOCUMENT_HPP
#define LINKSPAN_CONFIG_DETAIL_CONFIG_DOCUMENT_HPP

#include <linkspan/config/detail/config_text.hpp>
#include <linkspan/config/detail/server_reader.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

struct connector_config;

namespace detail {

// Returns the configuration in a parsed document, with its problems. `repeated`: the duplicate keys in the text of the
// document. `origin`: name of the document in problems. `dialect`: meaning of the keys of servers; empty: determined by
// the format of the document. The function is defined in connector_config.ipp.
LINKSPAN_DECL connector_config read_document(json::value const& document, std::vector<repeated_key> const& repeated,
                                             std::string origin, std::optional<server_dialect> dialect);

} // namespace detail
} // namespace linkspan

#endif
