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

/// Returns the URL of a server.
///
/// \throws std::invalid_argument The text is no absolute URL, or the program cannot connect to it.
inline linkspan::http_url server_url(std::string const& text)
{
    std::string why;
    auto out = linkspan::read_http_url(text, &why);
#if !defined(LINKSPAN_WITH_TLS)
    if (out && out->is_secure) {
        why = "this program has no TLS";
        out.reset();
    }
#endif
    if (!out)
        throw std::invalid_argument("option '--url': expected an http or https URL, found '" + text + "': " + why);
    return *std::move(out);
}

/// Returns the configuration of the connections to a recorded server.
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
