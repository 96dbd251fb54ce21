#include <boost/asio/ssl/stream.hpp>
#include <openssl/ssl.h>
#include <linkspan/http/client/streamable_http.hpp>
