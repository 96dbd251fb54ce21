// error: linkspan: the hints of this tool forbid a second execution
#include <linkspan/connector.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/policy.hpp>
#include <linkspan/transport/inproc.hpp>

struct pay {
    static constexpr std::string_view tool = "pay";
    using result_type = std::string;
    static constexpr linkspan::tool_annotations hints{};
    int amount;
};

LINKSPAN_STRUCT(pay, (amount))

using hub_type = linkspan::connector<linkspan::transports<linkspan::inproc>, linkspan::fallback::at_least_once>;

void misuse(hub_type& hub, pay const& order)
{
    hub.on_server("bank").async_call(order, [](linkspan::error_code, linkspan::typed_result<std::string> const&) {});
}
