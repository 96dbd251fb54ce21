#ifndef LINKSPAN_SESSION_DETAIL_TASK_HOST_HPP
#define LINKSPAN_SESSION_DETAIL_TASK_HOST_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/protocol/task_table.hpp>
#include <linkspan/session/detail/hosted_tasks.hpp>
#include <linkspan/session/hosted_task_limit.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The tasks of a client.
//
// Invariant: `running_` contains exactly the requests whose tasks are in `table_` and not final.
class task_host final : public hosted_tasks {
public:
    // max_bytes: maximum number of bytes of all results and errors.
    explicit task_host(std::size_t max_tasks, std::size_t max_bytes = std::size_t{64} << 20)
        : table_(task_limits{max_tasks, max_tasks, max_bytes})
    {}

    LINKSPAN_DECL std::string begin(server_request_id request, std::string_view params, task_timestamp now) override;
    bool is_running(server_request_id request) const noexcept override { return running_.contains(request); }
    LINKSPAN_DECL std::vector<response> on_request(envelope const& request, task_timestamp now,
                                                   server_request_id& cancelled) override;
    LINKSPAN_DECL std::vector<response> on_outcome(server_request_id request, std::string_view result, int code,
                                                   std::string_view message, task_timestamp now) override;
    LINKSPAN_DECL void on_cancelled(std::string_view raw_id) noexcept override;
    LINKSPAN_DECL void discard() override;

private:
    using running_map = std::map<server_request_id, std::string>;

    std::vector<response> cancel(task const& found, std::string_view raw_id, task_timestamp now,
                                 server_request_id& cancelled);
    std::vector<response> outcomes_of(task const& ended, task_timestamp now) const;
    static response outcome_of(task const& from, std::string_view raw_id);

    task_table table_;    // emptied by discard()
    running_map running_; // task ids; added by begin(), removed when the task is final
    // Ids of the requests `tasks/result` without a response, by task ids. Removed when the task is final.
    std::multimap<std::string, std::string, std::less<>> waiting_;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/task_host.ipp>
#endif

#endif
