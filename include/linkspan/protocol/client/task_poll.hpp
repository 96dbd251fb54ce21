#ifndef LINKSPAN_PROTOCOL_CLIENT_TASK_POLL_HPP
#define LINKSPAN_PROTOCOL_CLIENT_TASK_POLL_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/model/task.hpp>

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// State machine for the wait of a client for the end of one task. The class performs no I/O.
///
///           start            on_pause_over            on_task
///     idle ───────> pausing ───────────────> getting ─────────> pausing, or the end
///                    │  ^
///                    v  │ on_updated
///                  updating
///
/// During a pause, a notification of the server replaces the response to a poll (`on_notified`). While the server
/// reports changes of the task (`on_watched`), the polls only guard against lost notifications, and are less frequent.
///
/// The object decides when `tasks/get` is sent, which input requests are new, when their responses are sent, and how
/// the wait ends. At most one request of the wait is outstanding at a time. In the era `handshake` (2025-11-25), the
/// response to `tasks/result` is the outcome; in the era `stateless`, the task contains it.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Exception safety
/// The events throw `std::bad_alloc`, and can be repeated after the exception. If `on_input` throws while it composes
/// the action `update`, the response is stored already, and the next event sends it.
/// \par Specification
/// MCP 2025-11-25, basic/utilities/tasks; extension `io.modelcontextprotocol/tasks`.
class task_poll {
public:
    /// Pause between two polls if the server recommends none: 1 s.
    static constexpr std::chrono::milliseconds default_interval = std::chrono::seconds(1);
    /// Shortest pause between two polls: 100 ms. Shorter recommendations are raised to this value.
    static constexpr std::chrono::milliseconds min_interval{100};
    /// Longest pause between two polls: 1 h. Longer recommendations are reduced to this value.
    static constexpr std::chrono::milliseconds max_interval = std::chrono::hours(1);
    /// Shortest pause between two polls while the server reports changes of the task: 30 s.
    static constexpr std::chrono::milliseconds min_watched_interval = std::chrono::seconds(30);
    /// Maximum number of input requests that a task may contain at the same time.
    static constexpr std::size_t max_inputs = 100;

    /// The next step of a wait.
    struct action {
        /// Kinds of steps.
        enum class kind {
            none,         ///< the wait continues with an outstanding request, a handler or the pause
            pause,        ///< wait until `until`, and call the handlers of the input requests from `first_new()`
            get,          ///< send `tasks/get`
            update,       ///< send `tasks/update` with the members `text`
            fetch_result, ///< send `tasks/result`; its outcome is that of the call
            complete,     ///< the call has the result `text`
            fail          ///< the call or the wait has failed with `ec`; `text` is a description
        };

        kind what = kind::none; ///< the step
        time_point until{};     ///< end of a `pause`
        error_code ec{};        ///< error of `fail`
        std::string text{};     ///< JSON text of the result or of members; description of a failure
    };

    /// Stages of an input request.
    enum class stage {
        open,      ///< the handler has not responded
        responded, ///< the response is in `input::result`
        sent       ///< the response was sent, or is being sent
    };

    /// An input request of the task.
    struct input {
        std::string key{};           ///< key in `inputRequests`, with escapes as written
        std::string method{};        ///< JSON-RPC method
        std::string params{};        ///< JSON text of the params; `{}` if there are none
        std::string result{};        ///< JSON text of the response, in the stage `responded`
        stage reached = stage::open; ///< the stage
    };

    /// Constructs the wait for a task.
    ///
    /// \param id Id of the task.
    /// \param of Era of the session.
    /// \param max_rounds Maximum number of responses to `tasks/get` and notifications that contain new input requests.
    task_poll(std::string id, era of, unsigned max_rounds) : id_(std::move(id)), era_(of), max_rounds_(max_rounds) {}

    /// Returns the id of the task.
    std::string const& id() const noexcept { return id_; }

    /// Returns the last status that the server reported.
    task_status status() const noexcept { return status_; }

    /// Event: the wait begins with a known state of the task.
    ///
    /// \param known The task as a response described it. A final task without its outcome is requested again.
    /// \param now The current time.
    LINKSPAN_DECL action start(task const& known, time_point now);

    /// Event: the end of a pause has been reached.
    LINKSPAN_DECL action on_pause_over();

    /// Event: the response to `tasks/get` was received.
    LINKSPAN_DECL action on_task(task const& found, time_point now);

    /// Event: a notification describes the task. During a pause, the notification replaces the response to a poll; but
    /// if, in the era `stateless`, it lacks the outcome or the input requests that its status requires, the next poll
    /// is sent early. In other states, the next poll is sent early unless the status is `working`, because the response
    /// may be older than the notification. If the notification recommends no pause, the last recommendation remains
    /// valid.
    LINKSPAN_DECL action on_notified(task const& found, time_point now);

    /// Event: the server begins or ceases to report changes of the task. The pause before the next poll is not
    /// prolonged, because changes may have been missed before.
    LINKSPAN_DECL action on_watched(bool is_watched, time_point now);

    /// Event: the handler of an input request has responded. Responses to a closed input request are ignored.
    ///
    /// \param index Position in the order of all input requests of the task.
    /// \param result JSON text of the result.
    LINKSPAN_DECL action on_input(std::size_t index, std::string_view result);

    /// Event: the handlers of the new input requests were called. Until then, no response is sent, so that the
    /// responses of these handlers are sent together.
    LINKSPAN_DECL action on_handlers_called();

    /// Event: the server has acknowledged `tasks/update`.
    LINKSPAN_DECL action on_updated();

    /// Returns all input requests of the task, in the order in which they were received.
    std::span<input const> inputs() const noexcept { return inputs_; }

    /// Returns the position of the first input request whose handler was not called yet. Equal to the number of all
    /// input requests: there is none.
    std::size_t first_new() const noexcept { return first_new_; }

private:
    enum class state { idle, pausing, getting, updating, over };

    action take(task const& found, time_point now, duration usual_interval);
    bool has_outcome(task const& of) const noexcept;
    action end(action last);
    action fail(error_code ec, std::string why);
    action on_final(task const& found);
    action on_failed(task const& found);
    action add_inputs(std::string_view requests);
    action get();
    action update();

    bool has_responses() const noexcept { return responses_ != 0; }

    std::string id_; // this, `era_` and `max_rounds_`: set by the constructor
    era era_;
    unsigned max_rounds_;
    state state_ = state::idle;                 // changed by each event
    task_status status_ = task_status::working; // replaced by each `take`
    // Replaced by each `take` whose task is not final; reduced by `on_notified` and `on_watched`.
    time_point next_poll_{};
    duration interval_ = default_interval; // recommended by the server; replaced with `next_poll_`
    bool is_watched_ = false;              // the server reports changes of the task; set by `on_watched`
    // No change was missed since the last `tasks/get` was sent. Set by `get` and `on_notified`.
    bool is_complete_ = false;
    bool is_early_ = false; // the next pause is the shortest one; set by `on_notified`, cleared by `take`
    // The pause has ended in the state `updating`. Set by `on_pause_over`, cleared by `get`.
    bool is_due_ = false;
    bool calling_handlers_ = false; // set by `take` with new input requests, cleared by `on_handlers_called`
    unsigned rounds_ = 0;           // incremented by each `take` with new input requests
    std::vector<input> inputs_;     // extended by `take`; elements are changed by `on_input` and `update`
    std::size_t first_new_ = 0;     // set by `take` and `on_handlers_called`
    std::size_t responses_ = 0; // elements of `inputs_` in the stage `responded`; changed by `on_input` and `update`
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/client/impl/task_poll.ipp>
#endif

#endif
