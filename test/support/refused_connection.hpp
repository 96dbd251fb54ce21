#ifndef LINKSPAN_TEST_SUPPORT_REFUSED_CONNECTION_HPP
#define LINKSPAN_TEST_SUPPORT_REFUSED_CONNECTION_HPP

#include <linkspan/transport/inproc.hpp>

#include <boost/asio/error.hpp>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns the configuration of a server that refuses each connection.
inline inproc_config refused_connection()
{
    inproc_config config;
    config.connect = [](auto const&, auto const&) { return error_code(asio::error::connection_refused); };
    return config;
}

} // namespace linkspan::test

#endif
