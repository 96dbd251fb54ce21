#ifndef LINKSPAN_MOCK_SERVERS_TAPE_SERVER_CONFIG_HPP
#define LINKSPAN_MOCK_SERVERS_TAPE_SERVER_CONFIG_HPP

#include <linkspan/http/http_config.hpp>
#include <linkspan/http/http_url.hpp>

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

#if defined(LINKSPAN_WITH_TLS)
#include <linkspan/http/tls/tls.hpp>
#endif

namespace mock_servers {

/// Time in which a server may respond after the end of its client.
inline constexpr std::chrono::seconds grace{10};

/// Returns why the program cannot connect to the URL of a server; empty: it can.
inline std::string check_server_url(std::string const& text)
{
    std::string why;
    [[maybe_unused]] auto const url = linkspan::read_http_url(text, &why);
#if !defined(LINKSPAN_WITH_TLS)
    if (url && url->is_secure)
        why = "this program has no TLS";
#endif
    return why;
}

/// Returns the URL of a server.
///
/// \throws std::invalid_argument The text is no absolute URL, or the program cannot connect to it.
inline linkspan::http_url server_url(std::string const& text)
{
    if (auto const why = check_server_url(text); !why.empty())
        throw std::invalid_argument("option '--url': expected an http or https URL, found '" + text + "': " + why);
    return linkspan::read_http_url(text).value();
}

/// Returns the configuration of the connections to a server.
///
/// \throws std::invalid_argument As `server_url`.
inline linkspan::http_config server_config(std::string const& url)
{
    linkspan::http_config out;
    out.url = server_url(url).text();
#if defined(LINKSPAN_WITH_TLS)
    out.tls = linkspan::tls();
#endif
    return out;
}

} // namespace mock_servers

#endif
