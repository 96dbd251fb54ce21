#ifndef LINKSPAN_AGENT_HPP
#define LINKSPAN_AGENT_HPP

#include <linkspan/call_error.hpp>
#include <linkspan/connector.hpp>
#include <linkspan/detail/config.hpp>
#include <linkspan/detail/mapped_handler.hpp>
#include <linkspan/tool_export.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace linkspan {

/// What a model asks for: the tool, by its exposed name, and what to give it.
struct model_call {
    std::string id;              ///< the model's name for this request; empty: it gave none
    std::string name;            ///< as `export_tools` wrote it
    std::string arguments{"{}"}; ///< a JSON object
};

/// Reads what a model asks for, in the format that it was told the tools in:
///
/// | format      | request                                                                                   |
/// |-------------|-------------------------------------------------------------------------------------------|
/// | `openai`    | `{"id": ..., "type": "function", "function": {"name": ..., "arguments": "{...}"}}`        |
/// | `anthropic` | `{"type": "tool_use", "id": ..., "name": ..., "input": {...}}`                            |
/// | `flat`      | `{"name": ..., "arguments": {...}}`, and `id` if you like                                 |
///
/// Errors: `malformed_message` when it is nothing of the kind.
LINKSPAN_DECL model_call read_model_call(std::string_view json, tool_format format, error_code& ec);

/// What the model is told: the answer of the tool, or why there is none, in the same format. Each is a message or block
/// to be put behind what the model said.
LINKSPAN_DECL std::string model_answer(model_call const& asked, error_code ec, call_result const& result,
                                       tool_format format);

namespace detail {

struct to_model_answer {
    model_call asked;
    tool_format format;

    template<class Handler>
    void operator()(Handler&& handler, error_code ec, call_result const& result) const
    {
        bool const is_over = ec == asio::error::operation_aborted;
        std::forward<Handler>(handler)(is_over ? ec : error_code(), model_answer(asked, ec, result, format));
    }
};

struct initiate_dispatch {
    connector_base* hub;

    template<class Handler>
    void operator()(Handler&& handler, std::string const& request, tool_format format) const
    {
        error_code ec;
        auto asked = read_model_call(request, format, ec);
        if (ec) {
            pending_handler<void(error_code, std::string)> done(std::forward<Handler>(handler), hub->get_executor());
            asio::post(hub->get_executor(), [done = std::move(done), ec, asked, format]() mutable {
                done.complete({}, model_answer(asked, ec, {}, format));
            });
            return;
        }
        std::string const name = asked.name;
        arguments const args{raw_json(asked.arguments)}; // a copy: the request goes with the handler
        hub->async_invoke(name, args,
                          mapped_handler(std::forward<Handler>(handler), to_model_answer{std::move(asked), format}));
    }
};

} // namespace detail

/// One turn of an agent's loop: takes what a model asks for, calls the tool, and gives what the model is to be told. A
/// failure is told the model in words, so that it can try something else.
///
///     std::string answer = co_await async_dispatch(hub, asked, tool_format::anthropic);
///
/// Completion signature: `void(error_code, std::string)`.
/// Errors: `operation_aborted` when the call was cancelled, or the connector closed.
/// Cancellation: as `connector_base::async_call`.
/// Lifetimes: nothing is borrowed but the connector, which must live until the operation starts.
template<asio::completion_token_for<void(error_code, std::string)> Token = asio::deferred_t>
auto async_dispatch(connector_base& hub, std::string request, tool_format format, Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, std::string)>(detail::initiate_dispatch{&hub}, token,
                                                                      std::move(request), format);
}

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/impl/agent.ipp>
#endif

#endif
