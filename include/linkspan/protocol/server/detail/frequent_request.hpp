#ifndef LINKSPAN_PROTOCOL_SERVER_DETAIL_FREQUENT_REQUEST_HPP
#define LINKSPAN_PROTOCOL_SERVER_DETAIL_FREQUENT_REQUEST_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/server/request_params.hpp>

#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Member `_meta` of a request in two parts. A client usually sends a progress token that differs in each request, and
// then the same members in all of them.
struct split_meta {
    std::string_view progress_token; // JSON text of a first member `progressToken`; empty: the first member is another
    std::string_view members;        // text after that member and its comma, with the closing brace; empty: no object
};

// Splits an object, which is well-formed JSON. Other text has no parts.
LINKSPAN_DECL split_meta split(std::string_view meta) noexcept;

// Structure of a request.
struct frequent_request {
    envelope message;
    request_params params;
    split_meta meta;
    bool has_known_meta = false; // `meta.members` is equal to the known text
};

// Reads a request in its most frequent form, in one pass: an object without white space between its members, which are
// `id`, `method` and `params` in any order, each of them once, with an object as params, and any number of times the
// member `jsonrpc` with the value "2.0".
//
// The result is the same as that of `read_envelope`, `request_params::read` and `split`. Returns false for each other
// text, valid or not; `out` is then unspecified.
//
// `known_meta`: the `split_meta::members` of an earlier request, which are compared instead of being read again; empty:
// none. Text that does not begin with a key is not compared, because "}" must not follow a comma.
LINKSPAN_DECL bool read_frequent_request(std::string_view text, std::string_view known_meta,
                                         frequent_request& out) noexcept;

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/server/impl/frequent_request.ipp>
#endif

#endif
