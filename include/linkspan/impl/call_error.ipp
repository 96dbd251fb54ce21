#ifndef LINKSPAN_IMPL_CALL_ERROR_IPP
#define LINKSPAN_IMPL_CALL_ERROR_IPP

#include <linkspan/call_error.hpp>

#include <chrono>

namespace linkspan {

LINKSPAN_DECL std::string explain(error_code ec, call_result const& result)
{
    std::string out = ec.message();
    if (!result.detail().empty())
        (out += ": ") += result.detail();
    unsigned number = 0;
    for (auto const& attempt : result.attempts()) {
        using milliseconds = std::chrono::milliseconds;
        auto const elapsed = std::chrono::duration_cast<milliseconds>(attempt.result.elapsed).count();
        out += "\n  " + std::to_string(++number) + ". ";
        out += attempt.server.empty() ? "server" : attempt.server;
        if (attempt.id != 0)
            out += " (request " + std::to_string(attempt.id) + ")";
        (out += ": ") += to_string(attempt.result.how);
        if (attempt.result.ec)
            out += ", " + attempt.result.ec.message();
        out += ", after " + std::to_string(elapsed) + " ms";
        if (!attempt.detail.empty())
            out += ": " + attempt.detail;
    }
    return out;
}

LINKSPAN_DECL std::exception_ptr make_exception(error_code ec, call_result result)
{
    if (ec == error::tool_not_found || ec == error::invalid_tool_name)
        return std::make_exception_ptr(tool_not_found_error(ec, std::move(result)));
    if (ec == error::all_servers_failed)
        return std::make_exception_ptr(all_servers_failed_error(ec, std::move(result)));
    if (ec == error::outcome_unknown)
        return std::make_exception_ptr(outcome_unknown_error(ec, std::move(result)));
    if (ec.category() == rpc_category() || ec == condition::protocol_violated)
        return std::make_exception_ptr(protocol_error(ec, std::move(result)));
    return std::make_exception_ptr(call_error(ec, std::move(result)));
}

} // namespace linkspan

#endif
