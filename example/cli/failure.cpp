#include "failure.hpp"

#include <linkspan/core/attempt.hpp>
#include <linkspan/model/call_error.hpp>

#include <utility>

#include "clean_text.hpp"
#include "standard_streams.hpp"

namespace cli {
namespace {

int status_of(linkspan::error_code ec, bool all_reached)
{
    using linkspan::error;
    for (auto const usage : {error::ambiguous_tool, error::invalid_arguments, error::unknown_server,
                             error::server_disabled, error::malformed_context})
        if (ec == usage)
            return wrong_usage;
    if (ec == error::tool_not_found)
        return all_reached ? wrong_usage : not_connected;
    bool const is_of_tool = ec.category() == linkspan::rpc_category() || ec == error::unexpected_result;
    return is_of_tool ? tool_failed : not_connected;
}

std::string begin_document(int status, std::string_view message)
{
    return R"({"error":{"exit_status":)" + std::to_string(status) + R"(,"message":)" + json_string(message);
}

} // namespace

finished failure(int status, std::string_view message, bool json)
{
    note(message);
    return {status, json ? begin_document(status, message) + "}}\n" : ""};
}

finished failure(linkspan::error_code ec, linkspan::call_result const& result, bool all_reached, bool json)
{
    auto const status = status_of(ec, all_reached);
    note(explain(ec, result));
    if (!json)
        return {status, ""};
    auto out = begin_document(status, ec.message()) + R"(,"category":)" + json_string(ec.category().name()) +
               R"(,"code":)" + std::to_string(ec.value()) + R"(,"detail":)" + json_string(result.detail()) +
               R"(,"attempts":[)";
    bool is_first = true;
    for (auto const& attempt : result.attempts()) {
        out += std::exchange(is_first, false) ? "" : ",";
        out += R"({"server":)" + json_string(attempt.server) + R"(,"certainty":)" +
               json_string(to_string(attempt.result.certainty)) + R"(,"message":)" +
               json_string(attempt.result.ec ? attempt.result.ec.message() : "") + R"(,"detail":)" +
               json_string(attempt.detail) + "}";
    }
    return {status, out + "]}}\n"};
}

} // namespace cli
