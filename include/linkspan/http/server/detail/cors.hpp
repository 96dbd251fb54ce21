#ifndef LINKSPAN_HTTP_SERVER_DETAIL_CORS_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_CORS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/http_head.hpp>
#include <linkspan/http/server/http_server_message.hpp>

#include <algorithm>
#include <string>
#include <vector>

// Header fields with which browsers permit pages of other origins to read responses (CORS). Specification: Fetch,
// "HTTP CORS protocol".
namespace linkspan::inline LINKSPAN_ABI::detail::cors {

// Returns whether the page of a request has one of these origins.
inline bool is_from(std::vector<std::string> const& origins, http_head const& head)
{
    auto const origin = head.find("Origin");
    return origin && std::ranges::find(origins, *origin) != origins.end();
}

// Returns whether a browser asks with a request for permission to send another one.
inline bool is_preflight(http_head const& head)
{
    return head.method() == "OPTIONS" && head.find("Access-Control-Request-Method");
}

// Returns the fields of each response of a server with these origins. Caches must not use the response to a page for a
// page of another origin, nor for a request without an origin.
inline std::vector<http_server_field> response_fields(std::vector<std::string> const& origins, http_head const& head)
{
    std::vector<http_server_field> out{{"Vary", "Origin"}};
    if (is_from(origins, head)) {
        out.push_back({"Access-Control-Allow-Origin", std::string(head["Origin"])});
        out.push_back({"Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate, Retry-After"});
    }
    return out;
}

// Returns the further fields of the response to a preflight request. The requested headers are permitted, because the
// headers of arguments have any name (`Mcp-Param-...`).
inline std::vector<http_server_field> preflight_fields(http_head const& head)
{
    std::vector<http_server_field> out{{"Access-Control-Allow-Methods", "POST, GET, DELETE"},
                                       {"Access-Control-Max-Age", "600"}};
    if (auto const headers = head.find("Access-Control-Request-Headers"))
        out.push_back({"Access-Control-Allow-Headers", std::string(*headers)});
    return out;
}

} // namespace linkspan::detail::cors

#endif
