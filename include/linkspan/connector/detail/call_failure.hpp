#ifndef LINKSPAN_CONNECTOR_DETAIL_CALL_FAILURE_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CALL_FAILURE_HPP

#include <linkspan/connector/detail/attempt_trail.hpp>
#include <linkspan/connector/detail/call_candidates.hpp>
#include <linkspan/connector/detail/call_flow.hpp>
#include <linkspan/connector/detail/connector_context.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/time.hpp>

#include <string>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Error of a call, with a text for human readers.
struct call_failure {
    error_code ec;
    std::string detail;
};

// A call that fails: input of the functions below, which add records to the trail.
struct failed_call {
    connector_context& context;        // of the connector
    tool_query query;                  // of the call
    call_candidates const& candidates; // looked up before
    server_entry* held;                // server of the last attempt; null: none
    attempt_trail& trail;              // of the call
    time_point now;                    // current time
};

// Returns the error of a call whose name no tool has: the server to which the name belongs is disconnected, or the tool
// is unknown.
LINKSPAN_DECL call_failure unknown_tool_failure(failed_call const& call);

// Returns the error of a call whose timeout elapsed before its servers listed their tools. `timeout`: of the call.
LINKSPAN_DECL call_failure list_timeout_failure(failed_call const& call, duration timeout);

// Returns a text about a server that was not ready within this time: the timeout of the call, or a share of it.
LINKSPAN_DECL std::string not_ready_text(server_entry const& server, duration time, bool is_share);

// Returns the error of a call that `call_flow` completes with this action.
LINKSPAN_DECL call_failure failure_at_end(failed_call const& call, call_flow::action const& end);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/call_failure.ipp>
#endif

#endif
