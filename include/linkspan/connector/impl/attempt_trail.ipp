#ifndef LINKSPAN_CONNECTOR_IMPL_ATTEMPT_TRAIL_IPP
#define LINKSPAN_CONNECTOR_IMPL_ATTEMPT_TRAIL_IPP

#include <linkspan/connector/detail/attempt_trail.hpp>
#include <linkspan/protocol/outcome.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL outcome rejection_of_arguments()
{
    outcome rejected;
    rejected.certainty = certainty_of(evidence::rejected_locally);
    rejected.ec = error::invalid_arguments;
    return rejected;
}

LINKSPAN_DECL bool is_rejection_of_arguments(outcome const& result)
{
    return result.ec == error::invalid_arguments && result.certainty == certainty::not_sent;
}

LINKSPAN_DECL void attempt_trail::add_attempt(std::string_view server, request_id id, outcome const& result,
                                              std::string detail, std::string data)
{
    auto const known_id = result.certainty == certainty::not_sent ? 0 : id;
    records_.push_back({std::string(server), known_id, result, std::move(detail), std::move(data)});
}

LINKSPAN_DECL outcome attempt_trail::add_not_reached(std::string_view server, error_code ec, duration elapsed,
                                                     std::string detail)
{
    outcome failed;
    failed.certainty = certainty_of(evidence::not_connected);
    failed.ec = ec;
    failed.elapsed = elapsed;
    records_.push_back({std::string(server), 0, failed, std::move(detail)});
    return failed;
}

LINKSPAN_DECL void attempt_trail::add_stored(std::string_view server)
{
    outcome earlier;
    earlier.certainty = certainty_of(evidence::result);
    earlier.has_response = true;
    auto& added = records_.emplace_back();
    added.server = server;
    added.result = earlier;
    added.from_store = true;
}

LINKSPAN_DECL void attempt_trail::add_not_admitted(std::string_view server)
{
    outcome rejected;
    rejected.certainty = certainty_of(evidence::rejected_locally);
    rejected.ec = error::no_eligible_server;
    records_.push_back({std::string(server), 0, rejected, "rejected by the admission policy"});
}

LINKSPAN_DECL void attempt_trail::add_unavailable(unavailable_server const& server)
{
    attempt_record record;
    record.server = server.key;
    auto& result = record.result;
    result.certainty = certainty_of(evidence::rejected_locally);
    if (!server.is_connected) {
        result.certainty = certainty_of(evidence::not_connected);
        result.ec = error::not_connected;
        result.retry_after = server.restart_in;
        record.detail = server.diagnostics;
        if (!server.restart_text.empty())
            (record.detail += record.detail.empty() ? "" : "; ") += server.restart_text;
    } else if (server.has_open_breaker) {
        result.ec = error::no_eligible_server;
        result.retry_after = server.probe_in;
        record.detail = "circuit breaker is open until a probe succeeds";
        if (server.last_resort_in_use)
            record.detail += ", a trial call of another caller is in progress";
        if (server.last_failure)
            record.detail += "; last failure: " + server.last_failure.message();
    } else if (server.pause) {
        result.ec = error::no_eligible_server;
        result.retry_after = server.pause;
        record.detail = "the server requested a pause";
    } else {
        result.ec = error::queue_full;
    }
    records_.push_back(std::move(record));
}

LINKSPAN_DECL void attempt_trail::remove_unsent()
{
    std::erase_if(records_, [](attempt_record const& one) { return one.result.certainty == certainty::not_sent; });
}

LINKSPAN_DECL bool attempt_trail::all_reject_arguments() const
{
    return !empty() && std::ranges::all_of(records_, is_rejection_of_arguments, &attempt_record::result);
}

LINKSPAN_DECL bool attempt_trail::all_lack_tool() const
{
    auto const is_missing = [](attempt_record const& one) { return one.result.ec == error::tool_not_found; };
    return !empty() && std::ranges::all_of(records_, is_missing);
}

LINKSPAN_DECL bool attempt_trail::was_sent() const
{
    return std::ranges::any_of(records_,
                               [](attempt_record const& one) { return one.result.certainty != certainty::not_sent; });
}

LINKSPAN_DECL bool attempt_trail::may_have_executed() const
{
    return std::ranges::any_of(records_, [](attempt_record const& one) {
        return one.result.certainty == certainty::unknown || one.result.certainty == certainty::completed;
    });
}

LINKSPAN_DECL bool attempt_trail::has_failed_server() const
{
    return std::ranges::any_of(records_, [](attempt_record const& one) {
        return one.result.ec == error::not_connected || one.result.ec == error::no_eligible_server;
    });
}

LINKSPAN_DECL std::string attempt_trail::first_detail() const
{
    return empty() ? std::string() : records_.front().detail;
}

LINKSPAN_DECL std::string attempt_trail::last_failure_text() const
{
    auto const& record = last();
    auto out = "last attempt on '" + record.server + "': ";
    return out += record.detail.empty() ? record.result.ec.message() : record.detail;
}

} // namespace linkspan::detail

#endif
