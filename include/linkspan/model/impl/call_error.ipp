#ifndef LINKSPAN_MODEL_IMPL_CALL_ERROR_IPP
#define LINKSPAN_MODEL_IMPL_CALL_ERROR_IPP

#include <linkspan/model/call_error.hpp>

#include <boost/system/errc.hpp>

#include <chrono>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {

// Returns the first line of the description of a failed call.
inline std::string headline(error_code ec, call_result const& result)
{
    std::string out;
    if (!result.tool().empty())
        ((out += "call of tool '") += result.tool()) += "' failed: ";
    out += ec.message();
    if (!result.detail().empty())
        (out += ": ") += result.detail();
    if (result.attempts().empty() && !result.server().empty()) // else the records of the attempts contain the server
        ((out += " (server '") += result.server()) += "')";
    return out;
}

// Returns one line per attempt, each preceded by a line break.
inline std::string trail_lines(call_result const& result)
{
    std::string out;
    unsigned number = 0;
    for (auto const& attempt : result.attempts()) {
        using milliseconds = std::chrono::milliseconds;
        auto const elapsed = std::chrono::duration_cast<milliseconds>(attempt.result.elapsed).count();
        out += "\n  " + std::to_string(++number) + ". ";
        out += attempt.server.empty() ? "server" : attempt.server;
        if (attempt.id != 0)
            out += " (request " + std::to_string(attempt.id) + ")";
        (out += ": ") += to_string(attempt.result.certainty);
        if (attempt.result.ec)
            out += ", " + attempt.result.ec.message() + " [" + attempt.result.ec.to_string() + "]";
        out += attempt.from_store ? ", stored result" : ", after " + std::to_string(elapsed) + " ms";
        if (!attempt.detail.empty())
            out += ": " + attempt.detail;
    }
    return out;
}

} // namespace detail

LINKSPAN_DECL std::string explain(error_code ec, call_result const& result)
{
    return detail::headline(ec, result) + detail::trail_lines(result);
}

LINKSPAN_DECL call_error::call_error(error_code ec, call_result result)
    : system_error(ec),
      result_(std::move(result)),
      text_(detail::headline(ec, result_) + " [" + ec.to_string() + "]" + detail::trail_lines(result_))
{}

LINKSPAN_DECL bool timed_out(error_code ec) noexcept
{
    if (ec == boost::system::errc::timed_out)
        return true;
    constexpr int request_timeout = 408, gateway_timeout = 504;
    bool const is_status = ec.category() == http_category() || ec.category() == proxy_category();
    return is_status && (ec.value() == request_timeout || ec.value() == gateway_timeout);
}

LINKSPAN_DECL bool timed_out(error_code ec, call_result const& result) noexcept
{
    // For these codes, the reasons are in the records of the attempts.
    bool const sums_up =
        ec == error::all_servers_failed || ec == error::outcome_unknown || ec == error::no_eligible_server;
    return timed_out(ec) || (sums_up && timed_out(result));
}

LINKSPAN_DECL bool timed_out(call_result const& result) noexcept
{
    for (auto const& attempt : result.attempts())
        if (timed_out(attempt.result.ec))
            return true;
    return false;
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
