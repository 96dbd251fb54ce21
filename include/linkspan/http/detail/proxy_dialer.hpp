#ifndef LINKSPAN_HTTP_DETAIL_PROXY_DIALER_HPP
#define LINKSPAN_HTTP_DETAIL_PROXY_DIALER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/dialer.hpp>
#include <linkspan/http/http_url.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Dialer for tunnels through a proxy. The dialer `below` makes the connections to the proxy.
class proxy_dialer final : public dialer {
public:
    proxy_dialer(std::shared_ptr<dialer> below, http_url proxy) : below_(std::move(below)), proxy_(std::move(proxy)) {}

    LINKSPAN_DECL std::shared_ptr<void> dial(asio::any_io_executor const& executor, dial_target const& target,
                                             handler done) override;

private:
    // Set by the constructor and not changed later.
    std::shared_ptr<dialer> below_; // makes the connections to the proxy
    http_url proxy_;                // address of the proxy
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/impl/proxy_dialer.ipp>
#endif

#endif
