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

} // namespace linkspan

#endif
