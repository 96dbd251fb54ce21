#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/http/parser.hpp>
