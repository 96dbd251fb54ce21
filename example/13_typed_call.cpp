// Typed calls: tools as described structs. Arguments are validated before a request is sent, and results are converted.
#include <linkspan.hpp>
#include <linkspan/transport/stdio.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/io_context.hpp>

#include "programs.hpp"

namespace asio = boost::asio;
using hub_type = linkspan::connector<linkspan::transports<linkspan::stdio>>;

//[ struct
struct add {
    static constexpr std::string_view tool = "add";
    using result_type = double;
    static constexpr linkspan::tool_annotations hints{.idempotent = true};
    double a = 0, b = 0;
    std::optional<int> delay_ms{};
};
LINKSPAN_STRUCT((add, "Two numbers"), (a, "The first", max{1000}), (b, "The second"), (delay_ms, min{0}))
//]
//[ separate
struct operands {
    double a, b;
};
LINKSPAN_STRUCT(operands, (a), (b))

constexpr linkspan::typed_tool<"multiply", operands, double> multiply;
//]

//[ call
asio::awaitable<double> sum_of(hub_type& hub, double a, double b)
{
    add request{.a = a, .b = b};
    auto const sum = co_await hub.async_call(request);
    std::cout << *sum << " from " << sum.result().server() << '\n';
    co_return *sum;
}
//]
//[ rejected
asio::awaitable<bool> is_rejected(hub_type& hub)
{
    add request{.a = 2000}; // the detail is "/a: expected a number up to 1000, found 2000"
    auto const [ec, failed] = co_await hub.async_call(request, asio::as_tuple(asio::deferred));
    std::cout << ec.message() << ": " << failed.result().detail() << '\n';
    co_return ec == linkspan::error::invalid_arguments;
}
//]

asio::awaitable<bool> calls(hub_type& hub)
{
    co_await hub.async_open();
    operands const numbers{6, 7};
    bool const fine = *co_await hub.async_call(multiply, numbers) == 42 && co_await sum_of(hub, 2, 3) == 5 &&
                      co_await is_rejected(hub);
    co_await hub.async_shutdown();
    co_return fine;
}

int main()
try {
    asio::io_context context(1);
    hub_type hub(context.get_executor());
    hub.add<linkspan::stdio>("calculator", mock_server("mock-calculator"));
    return linkspan::run(context, calls(hub)) ? 0 : 1;
} catch (std::exception const& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
