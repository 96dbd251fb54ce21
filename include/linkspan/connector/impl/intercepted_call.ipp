#ifndef LINKSPAN_CONNECTOR_IMPL_INTERCEPTED_CALL_IPP
#define LINKSPAN_CONNECTOR_IMPL_INTERCEPTED_CALL_IPP

#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/intercepted_call.hpp>
#include <linkspan/connector/detail/interception.hpp>
#include <linkspan/model/arguments.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void start_intercepted(call_pointer call, pending_handler<void(error_code, call_result)> handler)
{
    auto const owner = call.get_deleter().owner;
    auto& given = call->request();
    tool_request request;
    request.server = given.target();
    request.tool = given.tool();
    request.arguments = given.arguments();
    request.options = given.take_options();
    auto last = [owner, target = given.target(), which = std::shared_ptr<selector>(given.take_selector()),
                 is_exposed = given.is_exposed(),
                 requested = given.task()](call_runner::handler_type done, tool_request intercepted) {
        arguments const args{raw_json(intercepted.arguments)}; // may have been changed by interceptors
        auto inner = call_runner::prepare(owner, target, intercepted.tool);
        auto& changed = inner->request();
        changed.set_options(std::move(intercepted.options));
        changed.arguments_text() += args.text();
        if (!args.problem().empty())
            changed.reject(error::invalid_arguments, (*owner->operations().secrets())(args.problem()));
        changed.skip_interceptors();
        changed.restrict_to_exposed_names(is_exposed);
        if (which)
            changed.select(*which);
        if (requested) {
            auto const own = std::make_shared<requested_task>();
            own->ttl = requested->ttl;
            changed.start_task(own);
            done = {task_form_recorder(own, requested, std::move(done)), owner->executor()};
        }
        call_runner::start(std::move(inner), std::move(done));
    };
    call.reset();
    auto const slot = handler.cancellation_slot();
    auto done = [handler = std::move(handler)](error_code ec, call_result result) mutable {
        handler.cancellation_slot().clear();
        handler.complete(ec, std::move(result));
    };
    run_interceptors(owner->executor(), owner->interceptors(), std::move(request), std::move(last), slot,
                     std::move(done));
}

} // namespace linkspan::detail

#endif
