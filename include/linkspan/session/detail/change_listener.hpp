#ifndef LINKSPAN_SESSION_DETAIL_CHANGE_LISTENER_HPP
#define LINKSPAN_SESSION_DETAIL_CHANGE_LISTENER_HPP

#include <linkspan/core/detail/cancellable_completion.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/protocol/client/change_subscription.hpp>
#include <linkspan/protocol/client/request_op.hpp>
#include <linkspan/session/detail/request_origin.hpp>
#include <linkspan/session/detail/task_watchers.hpp>

#include <array>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

class session_core;
class waiting_subscriber;

// Changes of which the server of a session notifies: of the lists for whose notifications handlers are set, of the
// resources that callers subscribe to, and of the tasks that callers wait for. In the era `stateless`, the object sends
// the requests `subscriptions/listen` that `change_subscription` demands; in the era `handshake`, lists need no
// request, and each resource is a request `resources/subscribe`.
//
// The resources remain subscribed when the session is opened again. After an interruption, in which changes may have
// been missed, the object calls the handlers of the notifications.
//
// Invariant: a caller of `subscribe` is in `waiting_` from the start of its operation in the era `stateless` to its
// completion.
class change_listener {
public:
    using handler_type = pending_handler<void(error_code, call_result)>;

    // `session` contains this object.
    LINKSPAN_DECL explicit change_listener(session_core& session);
    LINKSPAN_DECL ~change_listener();

    // Called when the session is being opened.
    void on_opened() noexcept { subscription_.on_opened(); }

    // Called when the session is ready, after each negotiation.
    LINKSPAN_DECL void on_ready();

    // Called when the handler of a notification about a list was set after the session was opened. In the era
    // `stateless`, the notifications are requested immediately, if the server offers them.
    LINKSPAN_DECL void on_handler_set();

    // Called when a negotiation on the same connection is complete: notifications in the meantime were lost.
    LINKSPAN_DECL void on_renewed();

    // Called for each `notifications/subscriptions/acknowledged`, with its params.
    LINKSPAN_DECL void on_acknowledged(std::string_view params);

    // Called for each `notifications/cancelled` of the server, with the id of the request as JSON text.
    LINKSPAN_DECL void on_cancelled(std::string_view raw_id);

    // Called when the session is being shut down or closed. The operations complete with the error, in a later handler.
    LINKSPAN_DECL void close(error_code ec) noexcept;

    // Called when the execution context ends: the operations do not complete.
    void drop() noexcept { std::exchange(waiting_, {}).clear(); }

    // Implementations of the operations of <linkspan/session/notifications.hpp>.
    LINKSPAN_DECL void subscribe(std::string uri, request_origin origin, handler_type done);
    LINKSPAN_DECL void unsubscribe(std::string const& uri, request_origin origin, handler_type done);

    // Adds a watcher of a task. Returns whether the server already reports changes of the task; later changes of this
    // are reported to the watcher. In the era `handshake`, the server decides which notifications it sends.
    LINKSPAN_DECL bool watch(std::string const& task, std::weak_ptr<task_watcher> watcher);
    LINKSPAN_DECL void unwatch(std::string const& task, task_watcher const& watcher) noexcept;

    // Called for each notification about a task, with its params.
    void on_task(std::string_view params) { watchers_.on_notification(params); }

    // Returns true if the server declared `tools.listChanged`. In the era `stateless`, the subscription must also not
    // be refused or interrupted.
    LINKSPAN_DECL bool reports_tools() const;

private:
    // One of the requests `subscriptions/listen`. The response arrives when the subscription ends.
    class listen_op final : public request_op {
    public:
        explicit listen_op(change_listener& owner);

        void on_done(reply const& completion) override { owner_.on_end(*this, completion.result.ec); }
        void on_dropped() noexcept override {}

        std::string text; // members of `params`; replaced by each request

    private:
        change_listener& owner_; // set by the constructor; contains this object
    };

    class established;
    using subscriber_pointer = std::shared_ptr<waiting_subscriber>;

    bool declares_changes(std::string_view capability) const;
    void want_offered_lists();
    bool is_offered(std::string_view capability, std::string_view notification) const;
    void update();
    void update_later();
    void send();
    void cancel(listen_op& request);
    void on_end(listen_op& request, error_code ec);
    void pause();
    void subscribe_again();
    void update_watchers();
    void notify_lists(bool with_unwanted);
    void notify_updated(std::string_view uri);
    void complete_later(subscriber_pointer caller, error_code ec, std::string_view why);
    void give_up(waiting_subscriber& caller);
    void complete(std::function<bool(waiting_subscriber const&)> const& condition, error_code ec,
                  std::string_view why = {});

    session_core& session_;            // set by the constructor
    change_subscription subscription_; // wanted changes; the requests of the current connection
    task_watchers watchers_;           // added by `watch`, removed by `unwatch`
    // Requests `subscriptions/listen`; created when they are first needed, because few sessions need both.
    std::array<std::unique_ptr<listen_op>, 2> requests_;
    std::unique_ptr<timer> pause_;          // created and started when a subscription ends, cancelled by `close`
    std::list<subscriber_pointer> waiting_; // added by `subscribe`, removed by their completion
    bool updates_later_ = false;            // set by `update_later`, cleared by the posted handler
};

} // namespace linkspan::detail

// <linkspan/session/session_ops.hpp> includes the definitions, because they need the complete type `session_core`.

#endif
