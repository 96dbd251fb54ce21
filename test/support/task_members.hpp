#ifndef LINKSPAN_TEST_SUPPORT_TASK_MEMBERS_HPP
#define LINKSPAN_TEST_SUPPORT_TASK_MEMBERS_HPP

#include <linkspan/core/detail/config.hpp>

#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns the members that describe a task. `more`: further members, after a comma.
inline std::string task_members(std::string_view id, std::string_view status, std::string_view more = {})
{
    return R"("taskId":")" + std::string(id) + R"(","status":")" + std::string(status) +
           R"(","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":null)" +
           std::string(more);
}

} // namespace linkspan::test

#endif
