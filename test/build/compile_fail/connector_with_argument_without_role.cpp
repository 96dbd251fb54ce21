// error: linkspan: a policy names its role, as in: using role = linkspan::routing_role
#include <linkspan/connector.hpp>
#include <linkspan/transport/inproc.hpp>

struct no_policy {};

void misuse(boost::asio::any_io_executor executor)
{
    linkspan::connector<linkspan::transports<linkspan::inproc>, no_policy> hub(executor, no_policy());
}
