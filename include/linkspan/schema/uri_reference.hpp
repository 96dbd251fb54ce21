#ifndef LINKSPAN_SCHEMA_URI_REFERENCE_HPP
#define LINKSPAN_SCHEMA_URI_REFERENCE_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace linkspan {

/// What `reference` means in a document whose URI is `base`, which may be empty or relative too. RFC 3986, 5.2.
LINKSPAN_DECL std::string resolve_uri(std::string_view base, std::string_view reference);

/// `text` with its %XX decoded; what follows a '%' otherwise stays. RFC 3986, 2.1.
LINKSPAN_DECL std::string decode_percent(std::string_view text);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/uri_reference.ipp>
#endif

#endif
