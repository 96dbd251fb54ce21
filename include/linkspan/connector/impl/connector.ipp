#ifndef LINKSPAN_CONNECTOR_IMPL_CONNECTOR_IPP
#define LINKSPAN_CONNECTOR_IMPL_CONNECTOR_IPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/connector_core.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL connector_base::connector_base(executor_type executor, std::unique_ptr<policy_table> policies)
    : core_(std::make_shared<detail::connector_core>(std::move(executor), std::move(policies)))
{
    detail::report_outstanding(*core_, core_->calls().objects());
}

LINKSPAN_DECL connector_base::~connector_base() { core_->close(); }

LINKSPAN_DECL void connector_base::add_interceptor(interceptor around) { core_->add_interceptor(std::move(around)); }

LINKSPAN_DECL void connector_base::set_call_validation(call_validation parts) noexcept
{
    core_->operations().set_call_validation(parts.arguments, parts.results);
}

LINKSPAN_DECL void connector_base::close() noexcept { core_->close(); }

LINKSPAN_DECL std::shared_ptr<linkspan::catalog const> connector_base::catalog() const
{
    return core_->current_catalog();
}

LINKSPAN_DECL connector_state connector_base::state() const { return core_->state(); }

LINKSPAN_DECL void connector_base::add_server(std::string key, std::string_view kind, transport_factory transport,
                                              server_options options)
{
    if (key.empty() || core_->find(key))
        throw std::invalid_argument(key.empty() ? "linkspan: the name of a server is empty"
                                                : "linkspan: the server name '" + key + "' is already used");
    check_options(key, options);
    core_->operations().add(std::move(key), kind, std::move(transport), std::move(options));
}

LINKSPAN_DECL void connector_base::check_options(std::string_view key, server_options const& options)
{
    auto const owner = "server '" + std::string(key) + "'";
    if (options.priority < 0 || options.priority > 100)
        throw std::invalid_argument("linkspan: the priority of " + owner + " is " + std::to_string(options.priority) +
                                    ", expected an integer from 0 to 100");
    detail::check(options.session, owner);
}

} // namespace linkspan

#endif
