#ifndef LINKSPAN_SESSION_DETAIL_HOSTED_TASKS_HPP
#define LINKSPAN_SESSION_DETAIL_HOSTED_TASKS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/client_capabilities.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/model/responder.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/task_table.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Tasks of this client: requests of a server of 2025-11-25 whose results the server reads later. The class performs no
// I/O. `task_host` implements it, in its own class, so that a header-only unit whose sessions host no tasks does not
// contain its functions.
//
// Exception safety: strong. All functions that allocate throw `std::bad_alloc`.
//
// Specification: MCP 2025-11-25, basic/utilities/tasks.
class hosted_tasks {
public:
    // Response to a request of the server.
    struct response {
        std::string raw_id; // id of the request as JSON text
        std::string result; // JSON text; empty: the response is an error
        int code = 0;       // of the error
        std::string message;
    };

    hosted_tasks() = default;
    hosted_tasks(hosted_tasks const&) = delete;
    hosted_tasks& operator=(hosted_tasks const&) = delete;
    virtual ~hosted_tasks() = default;

    // Returns whether a protocol version has such tasks.
    LINKSPAN_DECL static bool exist_in(protocol_version version) noexcept;

    // Returns whether a request must be continued as a task, in a protocol version that has such tasks.
    LINKSPAN_DECL static bool is_requested_by(envelope const& request) noexcept;

    // Returns the capability `tasks`; empty: no request can be continued as a task.
    LINKSPAN_DECL static std::optional<client_tasks_capability> capability(bool has_sampling,
                                                                           bool has_elicitation) noexcept;

    // Adds the task of a request, and returns the result that announces the task. Empty: there are too many tasks.
    virtual std::string begin(server_request_id request, std::string_view params, task_timestamp now) = 0;

    // Returns whether a request has a task that is not final.
    virtual bool is_running(server_request_id request) const noexcept = 0;

    // Handles a request with a method that begins with "tasks/". Returns the responses that must be sent now: one, or
    // none for `tasks/result` of a task that is not final, or two for a cancellation. `cancelled`: set to the request
    // whose task was cancelled.
    virtual std::vector<response> on_request(envelope const& request, task_timestamp now,
                                             server_request_id& cancelled) = 0;

    // Event: the handler has responded to a request with a task. Returns the responses to the requests `tasks/result`.
    // result: JSON text; empty: the handler has refused the request by `code` and `message`. A result that exceeds the
    // limit of bytes is replaced by an error.
    virtual std::vector<response> on_outcome(server_request_id request, std::string_view result, int code,
                                             std::string_view message, task_timestamp now) = 0;

    // Event: the server has cancelled a request `tasks/result`.
    virtual void on_cancelled(std::string_view raw_id) noexcept = 0;

    // Removes all tasks, because the server cannot read them any more.
    virtual void discard() = 0;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/hosted_tasks.ipp>
#endif

#endif
