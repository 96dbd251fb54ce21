#ifndef LINKSPAN_PROTOCOL_RELATED_TASK_HPP
#define LINKSPAN_PROTOCOL_RELATED_TASK_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns params or a result with the id of the task to which the message belongs, in `_meta`. An id that `_meta`
/// contains already is kept.
///
/// \param object Text of a JSON object.
/// \param task_id Id of the task, as JSON text.
/// \throws std::bad_alloc
/// \par Specification
/// MCP 2025-11-25, basic/utilities/tasks, "Associating Task-Related Messages".
LINKSPAN_DECL std::string with_related_task(std::string_view object, std::string_view task_id);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/impl/related_task.ipp>
#endif

#endif
