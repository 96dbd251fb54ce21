#ifndef LINKSPAN_PROTOCOL_HEADER_VALUE_HPP
#define LINKSPAN_PROTOCOL_HEADER_VALUE_HPP

#include <linkspan/core/detail/config.hpp>

#include <optional>
#include <string>
#include <string_view>

// Encoding of the values of the headers `Mcp-Name` and `Mcp-Param-*`, which repeat parts of a message. The encoding
// represents any text with the characters that HTTP permits.
//
// Specification: 2026-07-28, basic/transports, "Streamable HTTP", "Encoding of header values".

namespace linkspan::inline LINKSPAN_ABI {
/// Name and value of an HTTP header, as views.
struct header_value {
    /// Name of the header.
    std::string_view name;
    /// Encoded value of the header.
    std::string_view value;
};

/// Returns `text` as the value of a header.
///
/// The text is returned unchanged if it consists of printable ASCII characters and tabs, has no leading or trailing
/// whitespace, and does not have the form of an encoded value. All other texts are encoded as "=?base64?...?=".
LINKSPAN_DECL std::string encode_header_value(std::string_view text);

/// Returns the text that a header value represents. Leading and trailing whitespace is ignored, because it belongs to
/// the HTTP syntax. Empty: the value has the form "=?base64?...?=" and contains no valid Base64.
LINKSPAN_DECL std::optional<std::string> decode_header_value(std::string_view value);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/impl/header_value.ipp>
#endif

#endif
