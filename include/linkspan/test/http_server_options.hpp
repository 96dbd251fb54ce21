#ifndef LINKSPAN_TEST_HTTP_SERVER_OPTIONS_HPP
#define LINKSPAN_TEST_HTTP_SERVER_OPTIONS_HPP

#include <linkspan/http/server/http_service_options.hpp>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Options of an `http_server`: the behaviour that the protocol leaves to the server.
using http_server_options = http_service_options;

} // namespace linkspan::test

#endif
