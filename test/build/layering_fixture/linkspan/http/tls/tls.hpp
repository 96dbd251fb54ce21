#include <linkspan/http/client/streamable_http.hpp>

#include <boost/asio/ssl/stream.hpp>

#include <openssl/ssl.h>
