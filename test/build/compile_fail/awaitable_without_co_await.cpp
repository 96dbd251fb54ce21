// error: ignoring return
// An awaitable that is not awaited has no effect.
#include <linkspan/connector.hpp>

#include <boost/asio/use_awaitable.hpp>

void misuse(linkspan::connector_base& hub) { hub.async_open(boost::asio::use_awaitable); }
