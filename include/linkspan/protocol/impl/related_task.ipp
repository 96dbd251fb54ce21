#ifndef LINKSPAN_PROTOCOL_IMPL_RELATED_TASK_IPP
#define LINKSPAN_PROTOCOL_IMPL_RELATED_TASK_IPP

#include <linkspan/json/detail/with_member.hpp>
#include <linkspan/protocol/meta_keys.hpp>
#include <linkspan/protocol/related_task.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string with_related_task(std::string_view object, std::string_view task_id)
{
    return detail::with_member(object, "_meta", meta_keys::related_task, R"({"taskId":)" + std::string(task_id) + '}');
}

} // namespace linkspan

#endif
