// error: linkspan: a connector has one routing policy, and got two
#include <linkspan/connector.hpp>
#include <linkspan/transport/inproc.hpp>

using linkspan::by_priority;

void misuse(boost::asio::any_io_executor executor)
{
    linkspan::connector<linkspan::transports<linkspan::inproc>, by_priority, by_priority> hub(executor, {}, {});
}
