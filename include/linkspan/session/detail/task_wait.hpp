#ifndef LINKSPAN_SESSION_DETAIL_TASK_WAIT_HPP
#define LINKSPAN_SESSION_DETAIL_TASK_WAIT_HPP

#include <linkspan/core/detail/cancellable_completion.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/responder.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/protocol/client/task_poll.hpp>
#include <linkspan/session/detail/request_origin.hpp>
#include <linkspan/session/detail/request_pointer.hpp>
#include <linkspan/session/detail/session_end_handlers.hpp>
#include <linkspan/session/detail/task_watchers.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// One wait for the end of a task: performs the steps of a `task_poll`.
//
// The outstanding request, the pause or a posted handler owns the object. Responders and the cancellation slot have
// weak references.
//
// Invariant: at most one request is outstanding, and `has_request_` is true while one is.
//
// Specification: MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks`.
class task_wait final : public response_sink, public task_watcher, public std::enable_shared_from_this<task_wait> {
public:
    using handler_type = pending_handler<void(error_code, call_result)>;

    LINKSPAN_DECL task_wait(session_pointer session, request_origin origin, task known, call_options options,
                            handler_type handler);
    task_wait(task_wait const&) = delete;
    LINKSPAN_DECL ~task_wait();

    // Begins the wait, in a later handler.
    LINKSPAN_DECL void start();

    // Implements `response_sink`: responses of the handlers. The ids are the positions in `task_poll::inputs`, plus 1.
    LINKSPAN_DECL void respond(server_request_id id, std::string_view result) override;
    LINKSPAN_DECL void refuse(server_request_id id, int code, std::string_view message) override;
    void report_progress(server_request_id, progress_update const&) override {} // not in the era `stateless`
    LINKSPAN_DECL bool awaits_response(server_request_id id) const override;

    // Implements `task_watcher`: the events take effect in a later handler.
    LINKSPAN_DECL void on_task_notified(task const& found) override;
    LINKSPAN_DECL void on_task_watched(bool is_watched) override;

private:
    using step = task_poll::action::kind;

    void begin();
    void act(task_poll::action const& next);
    void send(step what, std::string_view members);
    call_options options_of(step what) const;
    void on_reply(step what, error_code ec, call_result result);
    void pause(time_point until);
    void on_timer();
    void call_handlers();
    void on_session_end(error_code ec);
    void post_failure(error_code ec, std::string why);
    void fail(error_code ec, std::string const& why);
    void complete(error_code ec, call_result result);
    void stop() noexcept;

    session_pointer session_; // this, `origin_`, `known_`, `options_` and `deadline_`: set by the constructor
    request_origin origin_;
    task known_;
    call_options options_;
    time_point deadline_;
    task_poll poll_;                                                                    // decides the steps
    std::shared_ptr<cancellable_completion<void(error_code, call_result)>> completion_; // set by the constructor
    timer pause_;                       // started by `pause`, cancelled by `stop`
    asio::cancellation_signal request_; // cancels the outstanding request
    bool has_request_ = false;          // set by `send`, cleared by `on_reply`
    // Set by `start`; the handler is removed by its call, by `stop` and by the destructor.
    session_end_handlers::handler_id end_handler_ = 0;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/task_wait.ipp>
#endif

#endif
