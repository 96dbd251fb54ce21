#ifndef LINKSPAN_AGENT_IMPL_AGENT_IPP
#define LINKSPAN_AGENT_IMPL_AGENT_IPP

#include <linkspan/agent/agent.hpp>
#include <linkspan/core/detail/many_operations.hpp>
#include <linkspan/core/detail/mapped_handler.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/json_scan.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Checks a request without arguments: if the stream of a model is truncated before the first argument, the request has
// none. Returns whether the tool requires arguments; `call.problem` then names them. Precondition:
// `!call.has_arguments`.
inline bool find_missing_arguments(model_call& call, catalog const& tools)
{
    auto const found = tools.find(call.name);
    if (found.entries.empty())
        return false;
    auto const& schema = tools.tools()[found.entries.front()].tool->input_schema;
    std::string names;
    json_scan::reader required(json_scan::member(schema, "required"));
    if (required.is_array())
        while (auto const name = required.next())
            names += (names.empty() ? "'" : ", '") + json_scan::string(name->value).value_or("") + '\'';
    if (!names.empty())
        call.problem = "arguments are missing: the tool requires " + shortened_text(names);
    return !names.empty();
}

// Converts a completion of `void(error_code, call_result)` to one of `void(error_code, std::string)`.
struct to_tool_result_message {
    model_call call;
    tool_format format;

    template<class Handler>
    void operator()(Handler&& handler, error_code ec, call_result const& result) const
    {
        auto message = tool_result_message(call, ec, result, format);
        std::forward<Handler>(handler)(ec, std::move(message));
    }
};

// Starts one request, and completes with the message for the model and with every error.
template<class Handler>
void execute(connector_base& hub, std::string_view request, tool_format format, call_options options, Handler&& handler)
{
    error_code ec;
    auto call = read_model_call(request, format, ec);
    if (!ec && !call.has_arguments && find_missing_arguments(call, *hub.catalog()))
        ec = error::malformed_message;
    if (ec) {
        pending_handler<void(error_code, std::string)> done(std::forward<Handler>(handler), hub.get_executor());
        asio::post(hub.get_executor(), [done = std::move(done), ec, call = std::move(call), format]() mutable {
            done.complete(ec, tool_result_message(call, ec, {}, format));
        });
        return;
    }
    auto const name = call.name; // `call` is moved into the handler
    auto const args = arguments::unchecked(call.arguments);
    hub.async_invoke(name, args, std::move(options),
                     mapped_handler(std::forward<Handler>(handler), to_tool_result_message{std::move(call), format}));
}

LINKSPAN_DECL void start_execution(connector_base* hub, std::string_view request, tool_format format,
                                   call_options options, pending_handler<void(error_code, std::string)> done)
{
    auto const slot = done.cancellation_slot();
    auto complete = [done = std::move(done)](error_code ec, std::string message) mutable {
        bool const is_aborted = ec == asio::error::operation_aborted;
        done.complete(is_aborted ? ec : error_code(), std::move(message));
    };
    execute(*hub, request, format, std::move(options), asio::bind_cancellation_slot(slot, std::move(complete)));
}

LINKSPAN_DECL void start_executions(connector_base* hub, std::vector<std::string> const& requests, tool_format format,
                                    call_options const& options,
                                    pending_handler<void(error_code, std::vector<execution_outcome>)> done)
{
    auto const all = std::make_shared<many_operations<execution_outcome>>(std::move(done), requests.size());
    auto const start = [&](std::size_t i, auto handler) {
        execute(*hub, requests[i], format, options, std::move(handler));
    };
    all->run(hub->get_executor(), start, [](execution_outcome& outcome, error_code ec, std::string message) {
        outcome = {ec, std::move(message)};
    });
}

} // namespace linkspan::detail

#endif
