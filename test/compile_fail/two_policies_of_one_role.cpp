// error: linkspan: two routing policies; a connector has one
#include <linkspan/connector.hpp>
#include <linkspan/transport/inproc.hpp>

using linkspan::by_priority;

void misuse(boost::asio::any_io_executor executor)
{
    linkspan::connector<linkspan::transports<linkspan::inproc>, by_priority, by_priority> hub(executor, {}, {});
}
