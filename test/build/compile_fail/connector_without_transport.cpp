// error: linkspan: a connector requires at least one transport, as in transports<stdio>
#include <linkspan/connector.hpp>

void misuse(boost::asio::any_io_executor executor) { linkspan::connector<linkspan::transports<>> hub(executor); }
