#ifndef LINKSPAN_HTTP_IMPL_HTTP_CONFIG_IPP
#define LINKSPAN_HTTP_IMPL_HTTP_CONFIG_IPP

#include <linkspan/http/http_config.hpp>

#include <memory>
#include <string>
#include <tuple>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL bool certificate::operator==(certificate const& other) const
{
    return std::tie(subject, issuer, not_before, not_after, protocol) ==
           std::tie(other.subject, other.issuer, other.not_before, other.not_after, other.protocol);
}

LINKSPAN_DECL http_config http_config::of(std::string url, std::shared_ptr<dialer_layer const> tls)
{
    http_config out;
    out.url = std::move(url);
    out.tls = std::move(tls);
    return out;
}

} // namespace linkspan

#endif
