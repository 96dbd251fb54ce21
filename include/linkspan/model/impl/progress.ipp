#ifndef LINKSPAN_MODEL_IMPL_PROGRESS_IPP
#define LINKSPAN_MODEL_IMPL_PROGRESS_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/progress.hpp>

#include <charconv>

namespace linkspan::inline LINKSPAN_ABI {
LINKSPAN_DECL std::optional<progress_notification> read_progress(std::string_view params)
{
    std::optional<request_id> token;
    std::optional<double> value;
    progress_notification notification;
    json_scan::reader members(params);
    while (auto const member = members.next()) {
        if (member->key == "progressToken")
            token = json_scan::integer(json_scan::quoted(member->value).value_or(member->value));
        else if (member->key == "progress")
            value = json_scan::number(member->value);
        else if (member->key == "total")
            notification.update.total = json_scan::number(member->value);
        else if (member->key == "message")
            notification.update.message = json_scan::string(member->value).value_or("");
    }
    if (!token || !value)
        return std::nullopt;
    notification.token = *token;
    notification.update.progress = *value;
    return notification;
}

} // namespace linkspan

#endif
