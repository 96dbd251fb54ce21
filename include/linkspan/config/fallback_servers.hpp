#ifndef LINKSPAN_CONFIG_FALLBACK_SERVERS_HPP
#define LINKSPAN_CONFIG_FALLBACK_SERVERS_HPP

#include <linkspan/config/make_connector.hpp>
#include <linkspan/connector/call_with_fallback.hpp>
#include <linkspan/connector/selector.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/model/arguments.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Call of `async_call_with_fallback`, with the connector that exists for this call only. The handler of the outstanding
// operation owns the object: first that of the call, then that of the shutdown of the connector.
template<class Hub>
class fallback_call : public std::enable_shared_from_this<fallback_call<Hub>> {
public:
    using handler_type = pending_handler<void(error_code, call_result)>;

    // Adds all servers to a new connector with `start_mode::lazy`, so that an attempt starts its server.
    fallback_call(asio::any_io_executor executor, std::vector<server_config> const& servers, handler_type done)
        : executor_(std::move(executor)), done_(std::move(done))
    {
        connector_config all;
        all.max_retries = std::max(all.max_retries, static_cast<unsigned>(servers.size()));
        hub_ = hub_maker<Hub>::make(executor_, all, make_options());
        for (auto const& server : servers)
            add(server);
    }

    // Starts the call on the servers, in their order. Completes later with `nothing_configured` if no server was added.
    void start(std::string_view tool, arguments const& args)
    {
        if (auto slot = done_.cancellation_slot(); slot.is_connected())
            slot.assign([weak = this->weak_from_this()](asio::cancellation_type type) {
                if (auto const self = weak.lock())
                    self->cancel(type);
            });
        auto on_call_done = [self = this->shared_from_this()](error_code ec, call_result result) {
            self->on_call_done(ec, std::move(result));
        };
        if (in_order_.servers.empty())
            return post_handler(executor_, [on_call_done] { on_call_done(error::nothing_configured, {}); });
        hub_->on_servers(in_order_).async_call(tool, args,
                                               asio::bind_cancellation_slot(signal_.slot(), std::move(on_call_done)));
    }

private:
    void add(server_config server)
    {
        auto const before = hub_->state().servers.size();
        server.options.start = start_mode::lazy;
        server.replicas = 1; // the call has one attempt per element of the list
        connector_config one;
        one.servers = {server};
        auto const problems = add_servers(*hub_, one);
        if (hub_->state().servers.size() != before)
            return in_order_.servers.push_back(server.key());
        outcome not_reached;
        not_reached.certainty = certainty_of(evidence::not_connected);
        not_reached.ec = error::not_connected;
        unavailable_.push_back(
            {server.key(), 0, not_reached, problems.empty() ? std::string() : to_string(problems.back())});
    }

    // Cancels the call or, if the call has completed, closes the servers instead of shutting them down gracefully.
    void cancel(asio::cancellation_type type)
    {
        if (is_call_done_)
            hub_->close();
        else
            signal_.emit(type);
    }

    void on_call_done(error_code ec, call_result result)
    {
        is_call_done_ = true;
        if (!unavailable_.empty())
            add_unavailable(result);
        hub_->async_shutdown([self = this->shared_from_this(), ec,
                              result = std::move(result)](error_code, shutdown_report const&) mutable {
            auto done = std::move(self->done_);
            done.cancellation_slot().clear();
            self.reset();
            done.complete(ec, std::move(result));
        });
    }

    // Inserts the records of the servers that could not be added before the attempts of the call.
    void add_unavailable(call_result& result)
    {
        auto trail = std::move(unavailable_);
        trail.insert(trail.end(), result.attempts().begin(), result.attempts().end());
        // A call that succeeds at its first attempt has no records.
        if (result.attempts().empty() && !result.server().empty()) {
            auto& completed = trail.emplace_back();
            completed.server = result.server();
            completed.result.certainty = certainty::completed;
            completed.result.has_response = true;
        }
        result.trail(std::move(trail), std::string(result.detail()));
    }

    asio::any_io_executor executor_;
    // moved from when the operation completes
    handler_type done_;
    // created in the constructor, never null
    std::unique_ptr<Hub> hub_;
    // keys of the servers that were added, in the order of attempts
    selector in_order_;
    // one record per server that could not be added
    std::vector<attempt_record> unavailable_;
    // forwards cancellations to the call
    asio::cancellation_signal signal_;
    // set when the call has completed and the shutdown begins
    bool is_call_done_ = false;
};

template<class Hub>
void start_fallback_call(asio::any_io_executor const& executor, std::vector<server_config> const& servers,
                         std::string_view tool, arguments const& args,
                         pending_handler<void(error_code, call_result)> done)
{
    std::make_shared<fallback_call<Hub>>(executor, servers, std::move(done))->start(tool, args);
}

} // namespace detail

/// Calls a tool on a server that is started for this call and, if that server fails, on further servers.
///
/// If an attempt fails, and the tool was not executed, or its replay class or the fallback policy permits a second
/// execution, the operation starts the next server of `fallbacks`, in their order, regardless of their priorities. A
/// server that is not needed is not started. All started servers are shut down before the operation completes. Disabled
/// servers are skipped. A server that cannot be added, for example because of an undefined variable, is recorded as an
/// attempt with `not_connected`.
///
///     std::vector<server_config> const fallbacks{server_config::from_string("mcp-database --replica")};
///     auto rows = co_await async_call_with_fallback(executor, primary, fallbacks, "query", args);
///
/// \tparam Hub Type of the connector that is created for the call. With `https` among its transports, servers may be
/// reached by https URLs.
/// \param executor Executor of the connector.
/// \param primary Server of the first attempt.
/// \param fallbacks Servers of the further attempts, in their order. If `safe_failover` is among the policies of `Hub`,
/// and all policies are default constructible, the maximum number of retries is the number of servers, including
/// `primary`, but at least the default of `connector_config::max_retries`.
/// \param tool The tool's own name, which is the same on all servers.
/// \param args Arguments of the tool.
/// \par Completion signature
/// `void(error_code, call_result)`. `call_result::attempts()` has a record per attempt, including the successful one,
/// preceded by a record per server that could not be added. The trail is empty if every server was added, and the first
/// attempt succeeded or the call failed before its first attempt.
/// \par Errors
/// - `nothing_configured`: no server could be added.
/// - `tool_not_found`: none of the servers has the tool, or all servers are disabled.
/// - `all_servers_failed`: each server failed or is unavailable; the call may safely be repeated.
/// - `outcome_unknown`: the tool may have run, and its replay class forbids another attempt.
/// - `no_eligible_server`: the policies of `Hub` admit no server.
/// - `deadline_exceeded`: 300 s elapsed, the default of `call_options::timeout`.
/// - `invalid_arguments`: `args` is not one JSON object without duplicate keys, or does not match the input schema, if
///   `server_options::validate_arguments` is true. `unexpected_result`: the result does not match the output schema, if
///   `server_options::validate_results` is true.
/// - A code of `rpc_category`: a server returned an error response to the call. `malformed_message`: the response of
///   the server is not readable.
/// - `unsupported_input_request`: a server requested input for the call; the connector of the call has no handlers.
/// - `operation_aborted`: cancelled.
/// \par Cancellation
/// `terminal`, `partial`: completes the call with `operation_aborted`. A request that was not sent is discarded. For a
/// request that was sent, the server is notified by `notifications/cancelled` or, over stateless HTTP, by closing the
/// response stream; the server may have run the tool. `total`: completes the call only while no server can have run the
/// tool. While the servers are being shut down, every type closes them immediately, and the operation completes with
/// the result of the call.
/// \par Executor
/// Call on `executor`, and emit cancellations there. The handler is invoked on its associated executor, by default
/// `executor`, never inside the initiating function and never inside `emit`.
/// \par Lifetime
/// `primary`, `fallbacks`, `tool` and `args` are copied.
/// \par Thread safety
/// Distinct executors: safe. The same executor: unsafe; call on `executor`, which must not run two handlers
/// concurrently.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, "Calling Tools".
template<class Hub = configured_connector, asio::completion_token_for<void(error_code, call_result)> Token = throwing_t>
auto async_call_with_fallback(asio::any_io_executor executor, server_config primary,
                              std::vector<server_config> fallbacks, std::string_view tool, arguments const& args = {},
                              Token&& token = Token())
{
    fallbacks.insert(fallbacks.begin(), std::move(primary));
    return asio::async_initiate<Token, void(error_code, call_result)>(
        detail::initiate<&detail::start_fallback_call<Hub>>(std::move(executor)), token, std::move(fallbacks),
        std::string(tool), args);
}

} // namespace linkspan

#endif
