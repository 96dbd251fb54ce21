#ifndef LINKSPAN_HTTP_SERVER_DETAIL_HTTP_RESPONSE_TEXT_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_HTTP_RESPONSE_TEXT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/server/http_server_message.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns true if a field has the name, ignoring case.
LINKSPAN_DECL bool has_field(std::vector<http_server_field> const& fields, std::string_view name);

// Replaces `out` by the status line and the fields of a response, without the empty line at the end of the head.
LINKSPAN_DECL void start_response(std::string& out, int status, std::vector<http_server_field> const& fields);

// Returns the text of a server-sent event.
LINKSPAN_DECL std::string event_text(http_server_event const& what);

// Returns bytes as a chunk of a chunked body.
LINKSPAN_DECL std::string chunk_text(std::string_view bytes);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/server/impl/http_response_text.ipp>
#endif

#endif
