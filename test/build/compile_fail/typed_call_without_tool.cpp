// error: linkspan: a call without the name of a tool needs a struct that is described with LINKSPAN_STRUCT and has the
#include <linkspan.hpp>

#include <boost/asio/detached.hpp>

struct operands {
    double a = 0, b = 0;
};

void misuse(linkspan::connector_base& hub)
{
    operands numbers;
    hub.async_call(numbers, linkspan::call_options(), boost::asio::detached);
}
