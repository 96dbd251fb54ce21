#ifndef LINKSPAN_MODEL_IMPL_LOG_MESSAGE_IPP
#define LINKSPAN_MODEL_IMPL_LOG_MESSAGE_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/log_message.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::optional<log_message> read_log_message(std::string_view params)
{
    auto const level = log_level_from(json_scan::string(json_scan::member(params, "level")).value_or(""));
    auto const data = json_scan::member(params, "data");
    if (!level || data.empty())
        return std::nullopt;
    log_message out;
    out.level = *level;
    out.logger = json_scan::string(json_scan::member(params, "logger")).value_or("");
    out.data = data;
    return out;
}

} // namespace linkspan

#endif
