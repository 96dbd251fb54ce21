#ifndef LINKSPAN_PROTOCOL_SERVER_FREQUENT_REQUEST_HPP
#define LINKSPAN_PROTOCOL_SERVER_FREQUENT_REQUEST_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/server/request_params.hpp>

#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Member `_meta` of a request in two parts. A client usually sends a progress token that differs in each request, and
/// then the same members in all of them.
struct split_meta {
    /// JSON text of a first member `progressToken`; empty: the first member is another one.
    std::string_view progress_token;
    /// Text after that member and its comma, with the closing brace; empty: no object.
    std::string_view members;

    /// Splits the value of `_meta`, an object, which is well-formed JSON. Other text has no parts.
    LINKSPAN_DECL static split_meta read(std::string_view meta) noexcept;
};

/// Structure of a request.
///
/// \par Lifetime
/// All views refer to the text of the request.
struct frequent_request {
    envelope message;            ///< envelope of the request
    request_params params;       ///< members of the params
    split_meta meta;             ///< parts of `params.meta`
    bool has_known_meta = false; ///< `meta.members` is equal to the known text
};

/// Reads a request in its most frequent form, in one pass. The form is an object without whitespace between its
/// members. Each of the members `id`, `method` and `params` occurs once, the params are an object, and the member
/// `jsonrpc` with the value "2.0" occurs any number of times. The order of the members is arbitrary.
///
/// The result is the same as that of `read_envelope`, `request_params::read` and `split_meta::read`. Returns false for
/// every other text, valid or not; `out` is then unspecified.
///
/// \param text The message.
/// \param known_meta The `split_meta::members` of an earlier request, which are compared instead of being read again;
/// empty: none. Text that does not begin with a key is not compared, because "}" must not follow a comma.
/// \param out Receives the structure.
LINKSPAN_DECL bool read_frequent_request(std::string_view text, std::string_view known_meta,
                                         frequent_request& out) noexcept;

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/server/impl/frequent_request.ipp>
#endif

#endif
