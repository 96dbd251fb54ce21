#ifndef LINKSPAN_HTTP_SERVER_DETAIL_HTTP_REMOTE_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_HTTP_REMOTE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/server/detail/request_quota.hpp>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The remote side of one connection.
struct http_remote {
    std::string address; // of the client, for limits; empty: not known, such as the one of a Unix domain socket

    // Principal of the last request, and the name under which its client is limited (`client_account`);
    // empty: anonymous, and not known. Set by http_service.
    std::string principal{};
    std::string account{};
    request_quota::counter requests{}; // of `account`; null: the requests are not limited
    bool is_counted = false;           // the outstanding request is counted by `requests`

    // Counts the outstanding request until it ends. Has no effect if requests are not limited.
    void count_request() noexcept
    {
        if (!requests)
            return;
        ++*requests;
        is_counted = true;
    }

    // Event: the outstanding request has a response, or the connection is closed.
    void on_request_end() noexcept
    {
        if (std::exchange(is_counted, false))
            --*requests;
    }
};

// Returns the part of an address that a client cannot choose: IPv6 assigns networks of 64 bits to clients.
inline std::string address_of_client(boost::asio::ip::address const& from)
{
    if (from.is_v4())
        return from.to_string();
    auto const v6 = from.to_v6();
    if (v6.is_v4_mapped())
        return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, v6).to_string();
    return boost::asio::ip::network_v6(v6, 64).canonical().to_string();
}

} // namespace linkspan::detail

#endif
