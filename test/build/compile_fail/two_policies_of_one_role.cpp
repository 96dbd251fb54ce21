// error: linkspan: a connector accepts at most one routing policy
#include <linkspan/connector.hpp>
#include <linkspan/policy.hpp>
#include <linkspan/transport/inproc.hpp>

using linkspan::by_priority;

void misuse(boost::asio::any_io_executor executor)
{
    linkspan::connector<linkspan::transports<linkspan::inproc>, by_priority, by_priority> hub(executor, {}, {});
}
