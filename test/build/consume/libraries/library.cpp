#include <linkspan/connector.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/io_context.hpp>

std::size_t servers_of_empty_connector();

std::size_t servers_of_empty_connector()
{
    boost::asio::io_context context;
    linkspan::connector<linkspan::transports<linkspan::inproc>> const hub(context.get_executor());
    return hub.state().servers.size();
}
