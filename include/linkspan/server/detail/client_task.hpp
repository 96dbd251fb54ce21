#ifndef LINKSPAN_SERVER_DETAIL_CLIENT_TASK_HPP
#define LINKSPAN_SERVER_DETAIL_CLIENT_TASK_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/optional_timer.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/protocol/client/task_poll.hpp>
#include <linkspan/server/detail/client_request.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

class served_client;

// A request of the server that continues as a task of its client (2025-11-25): performs the steps of a `task_poll`, and
// completes the request with the result of the task. The progress of the request belongs to the task too, with the same
// token.
//
// The pause, or the outstanding request about the task, owns the object. At most one such request is outstanding, apart
// from `tasks/cancel`.
//
// Invariant: `done_` is called exactly once, unless `drop` is called before.
//
// Specification: MCP 2025-11-25, basic/utilities/tasks.
class client_task final : public std::enable_shared_from_this<client_task> {
public:
    // Returns the stream of the requests about the task; 0: no particular one.
    using stream_function = std::function<std::uint64_t()>;

    // Continues a request after its first response `created`: the result that announces the task, or, if the client has
    // not created one, the result of the request. Returns the task; null: the request is complete.
    LINKSPAN_DECL static std::shared_ptr<client_task> start(std::shared_ptr<served_client> const& client,
                                                            stream_function stream, client_request what,
                                                            std::string_view created);

    // Use start(). `id`: of the task.
    LINKSPAN_DECL client_task(std::shared_ptr<served_client> const& client, stream_function stream,
                              std::string const& id, client_request::task_terms const& terms);
    client_task(client_task const&) = delete;
    client_task& operator=(client_task const&) = delete;

    // Requests that the client cancels the task, if it supports this. The request completes with `ec`, in a later
    // handler. Has no effect if the request is complete.
    LINKSPAN_DECL void cancel(error_code ec);

    // Cancels the task because its request is over.
    LINKSPAN_DECL void abort();

    // Event: the client has disconnected.
    LINKSPAN_DECL void on_client_gone();

    // Event: the client has sent the state of a task. Returns whether it is this task.
    LINKSPAN_DECL bool on_notified(task const& found);

    // Returns the function for the progress with a token; empty: the token or the task has none, or the task is over.
    std::function<void(progress_update const&)> progress_function(std::uint64_t token) const
    {
        return token == terms_.request ? on_progress_ : nullptr;
    }

    // Requests that a client cancels a task. The response has no effect: the client decides whether the task ends.
    LINKSPAN_DECL static void send_cancellation(served_client& client, std::string_view task);

    // Ends the object without completing the request.
    void drop() { stop(); }

private:
    // Returns a task whose timeout has begun, and that the client knows.
    LINKSPAN_DECL static std::shared_ptr<client_task> make_waiting(std::shared_ptr<served_client> const& client,
                                                                   stream_function stream, std::string const& id,
                                                                   client_request::task_terms const& terms);
    template<class Event>
    void act(Event const& event); // performs the action that an event of `poll_` returns
    void perform(task_poll::action const& next);
    void pause(time_point until);
    void poll();
    void send(std::string_view method, void (client_task::*on_result)(std::string_view));
    void on_state(std::string_view result);
    void on_outcome(std::string_view result);
    void complete(error_code ec, std::string_view result);
    void stop() noexcept;

    std::weak_ptr<served_client> client_; // this and the next three: set by the constructor
    stream_function stream_;
    asio::any_io_executor executor_;
    client_request::task_terms terms_;
    task_poll poll_;                                         // when which request is sent; changed by its events
    std::function<void(error_code, std::string_view)> done_; // set by `start`, emptied by `stop`
    // For the progress of the request that continues as the task. Set by `start`, emptied by `stop`.
    std::function<void(progress_update const&)> on_progress_;
    timer pause_;               // the pause, or the timeout of a poll; started by `pause` and `poll`
    optional_timer timeout_;    // of the outcome; started by `start`, cancelled by `stop`
    std::uint64_t request_ = 0; // id of the outstanding request; set by `send`, 0: none
};

} // namespace linkspan::detail

// <linkspan/server/detail/server_core.hpp> includes the bodies, because they need the class `served_client`.

#endif
