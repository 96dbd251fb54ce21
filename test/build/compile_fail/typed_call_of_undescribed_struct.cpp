// error: linkspan: the struct of a typed call is not described: use LINKSPAN_STRUCT
#include <linkspan.hpp>
#include <linkspan/transport/stdio.hpp>

#include <string_view>

struct add {
    static constexpr std::string_view tool = "add";
    using result_type = double;
    double a = 0, b = 0;
};

boost::asio::awaitable<void> misuse(linkspan::connector<linkspan::transports<linkspan::stdio>>& hub)
{
    add call;
    co_await hub.async_call(call);
}
