// error: linkspan: hedging is not supported: remove the hedging policy
#include <linkspan/connector.hpp>
#include <linkspan/transport/inproc.hpp>

struct hedging_policy {
    using role = linkspan::hedging_role;
    std::optional<linkspan::duration> after(linkspan::call_view const&, std::span<linkspan::server_view const>);
};

void misuse(boost::asio::any_io_executor executor)
{
    linkspan::connector<linkspan::transports<linkspan::inproc>, hedging_policy> hub(executor, hedging_policy());
}
