#ifndef LINKSPAN_CONNECTOR_IMPL_CORE_CALLS_IPP
#define LINKSPAN_CONNECTOR_IMPL_CORE_CALLS_IPP

#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/connector_core.hpp>
#include <linkspan/connector/detail/core_calls.hpp>
#include <linkspan/core/detail/shared_redactor.hpp>
#include <linkspan/session/session_core.hpp>
#include <linkspan/session/task_marker.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL asio::any_io_executor const& executor_of(core_pointer const& core) noexcept { return core->executor(); }

LINKSPAN_DECL call_pointer prepare_call(core_pointer const& core, std::string_view target, std::string_view tool)
{
    return call_runner::prepare(core, target, tool);
}

LINKSPAN_DECL std::string& arguments_text(call_runner& call) noexcept { return call.request().arguments_text(); }

LINKSPAN_DECL void set_options(call_runner& call, call_options options)
{
    call.request().set_options(std::move(options));
}

LINKSPAN_DECL void select_servers(call_runner& call, selector which) { call.request().select(std::move(which)); }

LINKSPAN_DECL void restrict_to_exposed_names(call_runner& call) noexcept { call.request().restrict_to_exposed_names(); }

LINKSPAN_DECL void start_task(call_runner& call, std::shared_ptr<requested_task> requested)
{
    call.request().start_task(std::move(requested));
}

LINKSPAN_DECL void reject_arguments(call_pointer const& call, std::string_view problem)
{
    call->request().reject(error::invalid_arguments, redact(secrets_of(call), problem));
}

// Starts a call that may become a task, which the handler of the call then marks in the result. A function of its own,
// so that other calls have no part of it.
LINKSPAN_DECL void start_with_task(call_pointer call, pending_handler<void(error_code, call_result)> done)
{
    auto requested = call->request().task();
    if (!requested)
        call->request().start_task(requested = std::make_shared<requested_task>());
    auto const* const form = &requested->form; // of the last attempt
    task_marker marker({std::move(requested), form}, {nullptr, secrets_of(call)}, std::move(done));
    auto const executor = executor_of(call.get_deleter().owner);
    call_runner::start(std::move(call), {std::move(marker), executor});
}

LINKSPAN_DECL void start_call(call_pointer call, pending_handler<void(error_code, call_result)> done)
{
    if (call->request().options().allow_task) [[unlikely]]
        return start_with_task(std::move(call), std::move(done));
    call_runner::start(std::move(call), std::move(done));
}

LINKSPAN_DECL secrets_pointer secrets_of(call_pointer const& call) noexcept
{
    return call.get_deleter().owner->operations().secrets();
}

LINKSPAN_DECL std::string redact(secrets_pointer const& secrets, std::string_view text) { return (*secrets)(text); }

LINKSPAN_DECL void open_servers(core_pointer const& core, pending_handler<void(error_code, open_report)> done)
{
    core->open(std::move(done));
}

LINKSPAN_DECL void connect_server(core_pointer const& core, std::string_view server,
                                  pending_handler<void(error_code, server_report)> done)
{
    core->operations().connect(server, std::move(done));
}

LINKSPAN_DECL void disconnect_server(core_pointer const& core, std::string_view server,
                                     pending_handler<void(error_code)> done)
{
    core->operations().disconnect(server, std::move(done));
}

LINKSPAN_DECL void enable_server(core_pointer const& core, std::string_view server,
                                 pending_handler<void(error_code, server_report)> done)
{
    core->operations().enable(server, std::move(done));
}

LINKSPAN_DECL void disable_server(core_pointer const& core, std::string_view server,
                                  pending_handler<void(error_code)> done)
{
    core->operations().disable(server, std::move(done));
}

LINKSPAN_DECL void remove_server(core_pointer const& core, std::string_view server,
                                 pending_handler<void(error_code)> done)
{
    core->operations().remove(server, std::move(done));
}

LINKSPAN_DECL void replace_server(core_pointer const& core, std::string_view server, std::string_view kind,
                                  transport_factory transport, server_options options,
                                  pending_handler<void(error_code, server_report)> done)
{
    core->operations().replace(server, kind, std::move(transport), std::move(options), std::move(done));
}

LINKSPAN_DECL void refresh_tools(core_pointer const& core,
                                 pending_handler<void(error_code, std::shared_ptr<catalog const>)> done)
{
    core->refresh_all(std::move(done));
}

LINKSPAN_DECL void verify_pins(core_pointer const& core, std::string_view server, std::vector<tool_pin> pins,
                               pending_handler<void(error_code, std::vector<pin_difference>)> done)
{
    core->operations().verify(server, std::move(pins), std::move(done));
}

LINKSPAN_DECL void shut_down_servers(core_pointer const& core, duration timeout,
                                     pending_handler<void(error_code, shutdown_report)> done)
{
    core->shutdown(timeout, std::move(done));
}

LINKSPAN_DECL void set_request_handlers(connector_core& core, std::string method, std::string capability,
                                        std::function<input_handler(std::string const& server)> make)
{
    auto const name = method;
    core.operations().prepare_servers(name, [method = std::move(method), capability = std::move(capability),
                                             make = std::move(make)](server_entry& server) {
        server.session->handle(method, capability, make(server.key));
    });
}

#if defined(LINKSPAN_SEPARATE_COMPILATION)
template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code, open_report>*, error_code,
                               open_report);
template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code, server_report>*, error_code,
                               server_report);
template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code, shutdown_report>*, error_code,
                               shutdown_report);
template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code, std::shared_ptr<catalog const>>*,
                               error_code, std::shared_ptr<catalog const>);
template void dispatch_pending(asio::any_io_executor const&, pending_op<error_code, std::vector<pin_difference>>*,
                               error_code, std::vector<pin_difference>);
#endif

} // namespace linkspan::detail

#endif
