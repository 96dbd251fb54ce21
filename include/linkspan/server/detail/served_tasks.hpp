#ifndef LINKSPAN_SERVER_DETAIL_SERVED_TASKS_HPP
#define LINKSPAN_SERVER_DETAIL_SERVED_TASKS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/protocol/task_table.hpp>
#include <linkspan/server/detail/served_request.hpp>
#include <linkspan/server/task_options.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The tasks of a server, and the requests that became tasks and are not final.
//
// Owned by a `server_core`.
//
// Invariant: `running_` contains exactly the requests of the tasks that are not final.
class served_tasks {
public:
    // on_changed: called with the id of each task that has changed. The limits of an account apply to that of the
    // client; if it is not known, to a client of the era `handshake`.
    LINKSPAN_DECL served_tasks(asio::any_io_executor executor, task_limits limits,
                               std::function<void(std::string_view id)> on_changed);
    served_tasks(served_tasks const&) = delete;
    served_tasks& operator=(served_tasks const&) = delete;

    // Adds a task for a request; null: there are too many. Valid until the next call of a function of this object.
    LINKSPAN_DECL task const* create(served_request_pointer request, task_options const& options);

    // Removes a task that create() has added, and that was not announced to the client.
    LINKSPAN_DECL void discard(std::string const& id) noexcept;

    // Events of the request of a task. The outcomes return false if they exceed a limit of bytes.
    LINKSPAN_DECL void on_input_required(std::string const& id, std::string requests);
    LINKSPAN_DECL bool on_completed(std::string const& id, std::string_view members, bool has_failed);
    LINKSPAN_DECL bool on_failed(std::string const& id, std::string error);
    LINKSPAN_DECL void on_cancelled(std::string const& id);

    // Handles a request with a method that begins with "tasks/".
    LINKSPAN_DECL void handle(served_request_pointer const& request);

    // Returns the task as the params of a notification, without braces; empty: the owner has no such task.
    LINKSPAN_DECL std::string describe(std::string_view id, served_request const& listener) const;

    // Returns the status of the task of a client of the era `handshake` in the same form.
    LINKSPAN_DECL std::string describe(std::string_view id, served_client const& owner) const;

    // Returns whether the task exists and is not final.
    bool is_running(std::string_view id) const noexcept { return running_.contains(id); }

    bool has_running() const noexcept { return !running_.empty(); }

    // Returns an outstanding request `tasks/result` for a task; null: there is none.
    LINKSPAN_DECL served_request_pointer find_waiting(std::string_view id) const;

    // Cancels the requests of all tasks.
    LINKSPAN_DECL void clear();

    // Returns the number of tasks that have not expired.
    LINKSPAN_DECL std::size_t count() noexcept;

    bool is_offered = false; // a tool supports tasks; set by the owner, never cleared

private:
    task_timestamp now() const noexcept { return {time_.wall_now(), time_.now()}; }
    static std::string owner_of(served_request const& request);
    static std::string owner_of(std::string const& principal, served_client const* client);
    void handle_stateless(served_request_pointer const& request, task const* found);
    void handle_handshake(served_request_pointer const& request, task const* found);
    static void complete_with(served_request& request, task const& described);
    void list(served_request& request) const;
    void await_result(served_request_pointer const& request, task const& found);
    static void send_result(served_request& request, task const& found);
    void notify_changed(std::string const& id);
    void on_final(std::string const& id);
    void end_wait(served_request& request, std::string const& id);

    time_source& time_;                                // set by the constructor
    std::function<void(std::string_view)> on_changed_; // set by the constructor
    task_table table_;
    std::map<std::string, served_request_pointer, std::less<>> running_; // by task id; removed when the task is final
    // Requests `tasks/result` that wait for a final task, by its id. Added by await_result(), removed by on_final().
    std::multimap<std::string, std::weak_ptr<served_request>, std::less<>> waiting_;
};

} // namespace linkspan::detail

#endif
