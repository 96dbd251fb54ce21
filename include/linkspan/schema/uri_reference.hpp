#ifndef LINKSPAN_SCHEMA_URI_REFERENCE_HPP
#define LINKSPAN_SCHEMA_URI_REFERENCE_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns the URI that `reference` denotes in a document with the URI `base`.
///
///     resolve_uri("https://example.com/a/b", "../c#d"); // "https://example.com/c#d"
///
/// \param base URI of the document. May be empty or relative.
/// \param reference Absolute URI, relative reference, or fragment. An absolute URI is returned unchanged.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
/// \par Specification
/// RFC 3986, section 5.2.
LINKSPAN_DECL std::string resolve_uri(std::string_view base, std::string_view reference);

/// Returns `text` with its percent-encoded bytes decoded.
///
/// A '%' that is not followed by two hexadecimal digits is kept.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
/// \par Specification
/// RFC 3986, section 2.1.
LINKSPAN_DECL std::string decode_percent(std::string_view text);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/uri_reference.ipp>
#endif

#endif
