#ifndef LINKSPAN_HTTP_IMPL_HTTP_URL_IPP
#define LINKSPAN_HTTP_IMPL_HTTP_URL_IPP

#include <linkspan/http/http_url.hpp>

#include <boost/url/parse.hpp>
#include <boost/url/url.hpp>
#include <boost/url/url_view.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline std::optional<http_url> refuse_url(std::string* reason, char const* sentence)
{
    if (reason)
        *reason = sentence;
    return std::nullopt;
}

// Returns the port; 0 if the text is not a number up to 65535. Boost.URL 1.81 reads 99999 as 34463 (test: http_url).
inline std::uint16_t port_in(std::string_view text) noexcept
{
    std::uint16_t out = 0;
    auto const end = text.data() + text.size();
    auto const [stop, ec] = std::from_chars(text.data(), end, out);
    return ec == std::errc() && stop == end ? out : std::uint16_t{0};
}

inline std::optional<http_url> convert_url(boost::urls::url_view const& from, std::string* reason)
{
    auto const scheme = from.scheme_id();
    bool const is_secure = scheme == boost::urls::scheme::https;
    if (!is_secure && scheme != boost::urls::scheme::http)
        return refuse_url(reason, "expected a URL that begins with http:// or https://");
    if (from.has_userinfo())
        return refuse_url(reason, "URL must not contain a user name or a password, use a header instead");
    if (from.host_address().empty())
        return refuse_url(reason, "expected a URL with a host");
    http_url out;
    out.is_secure = is_secure;
    out.host = from.host_address();
    std::ranges::transform(out.host, out.host.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
    if (std::ranges::any_of(out.host, [](unsigned char c) { return c <= 0x20 || c == 0x7f; }))
        return refuse_url(reason, "expected a host without blanks and control characters");
    out.port = from.has_port() && !from.port().empty() ? port_in({from.port().data(), from.port().size()})
               : is_secure                             ? 443
                                                       : 80;
    if (out.port == 0)
        return refuse_url(reason, "expected a port from 1 to 65535");
    auto const target = from.encoded_target();
    out.target.assign(target.data(), target.size());
    // Boost.URL 1.81 parses an invalid port as the beginning of the path.
    if (!out.target.empty() && out.target.front() != '/' && out.target.front() != '?')
        return refuse_url(reason, "expected a port from 1 to 65535");
    if (out.target.empty() || out.target.front() != '/')
        out.target.insert(0, 1, '/');
    return out;
}

} // namespace detail

LINKSPAN_DECL std::string http_url::authority() const
{
    auto out = host.find(':') == host.npos ? host : "[" + host + "]";
    if (port != (is_secure ? 443 : 80))
        out += ":" + std::to_string(port);
    return out;
}

LINKSPAN_DECL std::string http_url::text() const { return (is_secure ? "https://" : "http://") + authority() + target; }

LINKSPAN_DECL std::optional<http_url> read_http_url(std::string_view text, std::string* reason)
{
    auto const parsed = boost::urls::parse_uri({text.data(), text.size()});
    if (!parsed)
        return detail::refuse_url(reason, "expected an absolute URL such as https://host/path");
    return detail::convert_url(*parsed, reason);
}

LINKSPAN_DECL std::optional<http_url> resolve_http_url(http_url const& base, std::string_view reference,
                                                       std::string* reason)
{
    auto const text = base.text();
    auto const from = boost::urls::parse_uri(text);
    auto const to = boost::urls::parse_uri_reference({reference.data(), reference.size()});
    boost::urls::url out;
    if (!from || !to || !boost::urls::resolve(*from, *to, out))
        return detail::refuse_url(reason, "expected an absolute or relative URL");
    return detail::convert_url(out, reason);
}

} // namespace linkspan

#endif
