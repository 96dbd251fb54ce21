#ifndef LINKSPAN_CONNECTOR_CALL_MANY_HPP
#define LINKSPAN_CONNECTOR_CALL_MANY_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/model/arguments.hpp>
#include <linkspan/model/call_options.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// One call of `async_call_many`.
struct tool_call {
    /// Constructs a call of a tool by its name, by default without arguments and with default options.
    explicit tool_call(std::string name, arguments call_args = {}, call_options call_settings = {})
        : tool(std::move(name)), args(std::move(call_args)), options(std::move(call_settings))
    {}

    /// Name of the tool, as for `async_call`.
    std::string tool;

    /// Arguments of the tool, a JSON object.
    arguments args;

    /// Options of this call.
    call_options options;
};

/// Outcome of one call of `async_call_many`.
struct call_outcome {
    /// Error of the call, as for `async_call`. No error: `result` is the result of the tool.
    error_code ec;

    /// Result of the call. On error: the attempts and the detail text of the call.
    call_result result;
};

namespace detail {

LINKSPAN_DECL void start_calls(connector_base* hub, std::vector<tool_call> calls,
                               pending_handler<void(error_code, std::vector<call_outcome>)> done);

} // namespace detail

/// Starts several calls concurrently, and completes when all of them are complete.
///
/// The calls do not depend on each other. A transport that sends lines (`stdio`, `inproc`) collects the requests to one
/// server and writes them together.
///
///     std::vector<linkspan::tool_call> calls;
///     calls.emplace_back("add", R"({"a": 1, "b": 2})"_json); // using namespace linkspan::literals
///     calls.emplace_back("add", R"({"a": 3, "b": 4})"_json);
///     auto outcomes = co_await async_call_many(hub, std::move(calls));
///
/// \param hub The connector.
/// \param calls The calls; may be empty. Their arguments are serialized when the operation is initiated.
/// \par Completion signature
/// `void(error_code, std::vector<call_outcome>)`, with one outcome per call, in the order of the calls.
/// \par Errors
/// None; the errors of the calls are in the outcomes.
/// \par Cancellation
/// `terminal`, `partial`, `total`: forwarded to each call. The operation completes without an error when all calls are
/// complete; the outcomes of cancelled calls have the error `operation_aborted`.
/// \par Executor
/// Call on the connector's executor, and emit cancellations there. The handler is invoked on its associated executor,
/// by default the connector's, never inside the initiating function and never inside `emit`.
/// \par Lifetime
/// The connector must exist until the operation is initiated; with a deferred token, the initiation is later than the
/// call of this function. The connector may be destroyed during the operation; the calls then complete with
/// `operation_aborted`.
/// \par Thread safety
/// Distinct connectors: safe. The same connector: unsafe; call on the executor of the connector, which must not run
/// two handlers concurrently.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`; calls that were already started continue.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools".
template<asio::completion_token_for<void(error_code, std::vector<call_outcome>)> Token = asio::deferred_t>
auto async_call_many(connector_base& hub, std::vector<tool_call> calls, Token&& token = Token())
{
    return asio::async_initiate<Token, void(error_code, std::vector<call_outcome>)>(
        detail::initiate<&detail::start_calls>(&hub), token, std::move(calls));
}

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/call_many.ipp>
#endif

#endif
