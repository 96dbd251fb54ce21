// error: linkspan: the arguments of a tool must be a JSON object
#include <linkspan/connector.hpp>
#include <linkspan/describe.hpp>
#include <linkspan/transport/inproc.hpp>

#include <vector>

using hub_type = linkspan::connector<linkspan::transports<linkspan::inproc>>;

constexpr linkspan::typed_tool<"sum", std::vector<int>, int> sum;

void misuse(hub_type& hub, std::vector<int> const& numbers)
{
    hub.async_call(sum, numbers, [](linkspan::error_code, linkspan::typed_result<int> const&) {});
}
