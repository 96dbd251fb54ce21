#ifndef LINKSPAN_SESSION_IMPL_CHANGE_LISTENER_IPP
#define LINKSPAN_SESSION_IMPL_CHANGE_LISTENER_IPP

#include <linkspan/core/detail/append_quoted.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/detail/start_wait.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/session/detail/change_listener.hpp>
#include <linkspan/session/detail/session_request.hpp>
#include <linkspan/session/detail/waiting_subscriber.hpp>
#include <linkspan/session/session_core.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {
namespace listening {

// Kinds of lists: the capability of the server, and the notification of a change.
struct list_kind {
    std::string_view capability, notification;
};

inline constexpr list_kind tools{"tools", "notifications/tools/list_changed"};
inline constexpr list_kind prompts{"prompts", "notifications/prompts/list_changed"};
inline constexpr list_kind resources{"resources", "notifications/resources/list_changed"};

inline request_pointer prepare(session_core& session, request_origin origin, std::string_view method,
                               std::string_view uri)
{
    return session_request::prepare_text(session.shared_from_this(), std::move(origin), method, "uri", uri);
}

} // namespace listening

// Handler of a request `resources/subscribe`. After a success, the resource is subscribed to again when the session is
// opened again.
class change_listener::established {
public:
    using cancellation_slot_type = asio::cancellation_slot;

    established(std::weak_ptr<session_core> session, change_listener& owner, std::string uri, handler_type done)
        : session_(std::move(session)), owner_(owner), uri_(std::move(uri)), done_(std::move(done))
    {}

    void operator()(error_code ec, call_result result)
    {
        if (auto const session = session_.lock(); session && !ec)
            owner_.subscription_.establish(uri_);
        done_.complete(ec, std::move(result));
    }

    cancellation_slot_type get_cancellation_slot() const noexcept { return done_.cancellation_slot(); }

private:
    std::weak_ptr<session_core> session_; // contains `owner_`
    change_listener& owner_;
    std::string uri_;
    handler_type done_; // moved out by the invocation
};

LINKSPAN_DECL change_listener::listen_op::listen_op(change_listener& owner) : owner_(owner)
{
    is_internal = true;
    idle_timeout = attempt_timeout = duration::max();
    method = change_subscription::method;
    request_kind = message_kind::subscription;
}

LINKSPAN_DECL change_listener::change_listener(session_core& session) : session_(session) {}

LINKSPAN_DECL change_listener::~change_listener() = default;

LINKSPAN_DECL bool change_listener::declares_changes(std::string_view capability) const
{
    auto const declared = json_scan::member(session_.server().capabilities, capability);
    return json_scan::member(declared, "listChanged") == "true";
}

// Returns whether the session wants to be notified of changes of a list, and the server offers this.
LINKSPAN_DECL bool change_listener::is_offered(std::string_view capability, std::string_view notification) const
{
    return declares_changes(capability) && session_.has_notification_handler(notification);
}

LINKSPAN_DECL bool change_listener::reports_tools() const
{
    return declares_changes(listening::tools.capability) && subscription_.reports_tools();
}

LINKSPAN_DECL void change_listener::on_ready()
{
    if (!session_.is_stateless())
        return subscribe_again();
    want_offered_lists();
    update();
}

LINKSPAN_DECL void change_listener::on_handler_set()
{
    if (session_.state() != session_state::ready || !session_.is_stateless())
        return; // else the next opening requests the notifications
    want_offered_lists();
    update();
}

LINKSPAN_DECL void change_listener::want_offered_lists()
{
    using namespace listening;
    subscription_.want_lists(is_offered(tools.capability, tools.notification),
                             is_offered(prompts.capability, prompts.notification),
                             is_offered(resources.capability, resources.notification));
}

LINKSPAN_DECL void change_listener::on_renewed()
{
    on_ready();
    notify_lists(true); // also of lists whose changes the server does not report: the server may have been restarted
}

// Subscribes to the resources of earlier connections in the era `handshake`. Their changes since then were missed, so
// that the handler is called for each of them, also if the server does not have the resource any more.
LINKSPAN_DECL void change_listener::subscribe_again()
{
    auto const uris = subscription_.established(); // a failure removes its resource
    for (auto const& uri : uris) {
        auto finish = [this, weak = session_.weak_from_this(), uri](error_code ec, call_result const&) {
            auto const session = weak.lock();
            if (!session || session->state() != session_state::ready)
                return; // the next opening subscribes again
            if (ec)
                subscription_.remove(uri);
            notify_updated(uri);
        };
        session_request::start(listening::prepare(session_, {}, "resources/subscribe", uri),
                               {std::move(finish), session_.executor()});
    }
}

// Takes the step that the wanted changes require.
LINKSPAN_DECL void change_listener::update()
{
    if (session_.state() != session_state::ready || !session_.is_stateless())
        return;
    switch (subscription_.next()) {
    case change_subscription::action::none: return;
    case change_subscription::action::send: return send();
    case change_subscription::action::stop:
        for (auto const& request : requests_)
            if (request)
                cancel(*request);
        return subscription_.on_stopped();
    }
}

// Takes the step in a later handler, so that several changes of one turn of the event loop need one request.
LINKSPAN_DECL void change_listener::update_later()
{
    if (updates_later_)
        return;
    post_handler(session_.executor(), [this, weak = session_.weak_from_this()] {
        if (auto const session = weak.lock()) {
            updates_later_ = false;
            update();
        }
    });
    updates_later_ = true; // not before the post, which may throw
}

LINKSPAN_DECL void change_listener::send()
{
    auto& unused = requests_[requests_[0] && subscription_.is_current(requests_[0]->id()) ? 1 : 0];
    if (!unused)
        unused = std::make_unique<listen_op>(*this);
    auto& request = *unused;
    cancel(request); // not acknowledged yet
    request.text = subscription_.params();
    request.declares_tasks = !subscription_.wanted().task_ids.empty();
    request.params = request.text;
    session_.send_internal(request);
    subscription_.on_sent(request.id(), request.began);
}

// Cancels the request if it is outstanding.
LINKSPAN_DECL void change_listener::cancel(listen_op& request)
{
    if (subscription_.is_outstanding(request.id()))
        session_.cancel(request, "replaced");
}

LINKSPAN_DECL void change_listener::on_acknowledged(std::string_view params)
{
    auto const next = subscription_.on_acknowledged(params);
    if (!next.is_first)
        return;
    for (auto const& request : requests_)
        if (request && next.replaced != 0 && request->id() == next.replaced)
            session_.cancel(*request, "replaced");
    update_later(); // resources may have been removed since the request was sent
    update_watchers();
    complete([&](auto const& caller) { return next.refused.contains(caller.uri); }, error::subscription_refused,
             "the server does not notify of changes of");
    complete([&](auto const& caller) { return subscription_.established().contains(caller.uri); }, {});
    if (next.missed_lists)
        notify_lists(false);
    for (auto const& uri : next.missed_updates)
        notify_updated(uri);
}

LINKSPAN_DECL void change_listener::on_cancelled(std::string_view raw_id)
{
    auto const id = json_scan::integer(raw_id);
    for (auto const& request : requests_)
        if (request && id && request->id() == *id && subscription_.is_outstanding(*id)) {
            session_.forget(*request);
            return on_end(*request, {});
        }
}

// Called when a subscription has ended. The session subscribes again after a pause, unless the server does not support
// the method.
LINKSPAN_DECL void change_listener::on_end(listen_op& request, error_code ec)
{
    if (session_.state() != session_state::ready) {
        subscription_.on_stopped();
        return close(ec ? ec : error_code(error::not_connected));
    }
    auto const ended = subscription_.on_end(request.id(), ec, session_.time().now());
    update_watchers();
    if (ended.pauses)
        pause();
    complete([&](auto const& caller) { return ended.failed.contains(caller.uri); },
             ec ? ec : error_code(error::subscription_refused), "the server refused the subscription to");
    for (auto const& uri : ended.missed_updates)
        notify_updated(uri);
}

LINKSPAN_DECL void change_listener::pause()
{
    if (!pause_)
        pause_ = std::make_unique<timer>(session_.executor());
    pause_->expires_after(subscription_.pause(session_.time().draw()));
    start_wait(*pause_, [this, weak = session_.weak_from_this()](error_code cancelled) {
        auto const session = weak.lock();
        if (cancelled || !session)
            return;
        subscription_.on_paused();
        update();
    });
}

LINKSPAN_DECL void change_listener::close(error_code ec) noexcept
{
    if (pause_)
        pause_->cancel();
    subscription_.on_stopped();
    for (auto& caller : std::exchange(waiting_, {})) {
        if (!subscription_.established().contains(caller->uri))
            subscription_.remove(caller->uri);
        complete_later(caller, ec, {});
    }
}

LINKSPAN_DECL void change_listener::subscribe(std::string uri, request_origin origin, handler_type done)
{
    if (session_.state() != session_state::ready || !session_.is_stateless()) {
        auto request = listening::prepare(session_, std::move(origin), "resources/subscribe", uri);
        established handler(session_.weak_from_this(), *this, std::move(uri), std::move(done));
        return session_request::start(std::move(request), {std::move(handler), session_.executor()});
    }
    auto const caller = std::make_shared<waiting_subscriber>(session_.executor(), session_.time().now(), std::move(uri),
                                                             std::move(origin), std::move(done));
    if (!subscription_.is_supported())
        return complete_later(caller, error::subscription_refused,
                              "the server does not support subscriptions, so that it does not notify of changes of");
    waiting_.push_back(caller);
    subscription_.add(caller->uri);
    std::weak_ptr const known(caller);
    auto const weak = session_.weak_from_this();
    caller->completion->on_cancel(asio::cancellation_type::all, [this, weak, known] {
        auto const operation = known.lock();
        auto const session = weak.lock();
        if (!operation || !session)
            return std::tuple(call_result());
        give_up(*operation);
        return std::tuple(operation->failure(session_.time().now(), asio::error::operation_aborted, {}));
    });
    caller->timeout.expires_after(session_.options().idle_timeout);
    start_wait(caller->timeout, [this, weak, known](error_code cancelled) {
        auto const operation = known.lock();
        auto const session = weak.lock();
        if (cancelled || !operation || !session)
            return;
        give_up(*operation);
        operation->complete(session_.time().now(), error::attempt_timed_out,
                            "the server did not acknowledge the subscription within the idle timeout");
    });
    if (subscription_.established().contains(caller->uri))
        post_handler(session_.executor(), [this, weak, uri = caller->uri] {
            if (auto const session = weak.lock())
                complete([&](auto const& each) { return each.uri == uri; }, {});
        });
    else
        update_later();
}

LINKSPAN_DECL void change_listener::unsubscribe(std::string const& uri, request_origin origin, handler_type done)
{
    subscription_.remove(uri);
    if (session_.state() != session_state::ready || !session_.is_stateless()) {
        auto request = listening::prepare(session_, std::move(origin), "resources/unsubscribe", uri);
        return session_request::start(std::move(request), std::move(done));
    }
    update_later();
    post_handler(session_.executor(), [done = std::move(done), origin = std::move(origin)]() mutable {
        done.complete({}, origin.success());
    });
    complete([&](auto const& caller) { return caller.uri == uri; }, asio::error::operation_aborted);
}

// Removes a caller that was cancelled or timed out, and its resource, unless it is established or another caller waits
// for it.
LINKSPAN_DECL void change_listener::give_up(waiting_subscriber& caller)
{
    std::erase_if(waiting_, [&](auto const& each) { return each.get() == &caller; });
    auto const is_same = [&](auto const& each) { return each->uri == caller.uri; };
    if (std::ranges::any_of(waiting_, is_same) || subscription_.established().contains(caller.uri))
        return;
    subscription_.remove(caller.uri);
    update_later();
}

// Completes the callers that a condition selects, in later handlers, because a handler may change `waiting_`.
LINKSPAN_DECL void change_listener::complete(std::function<bool(waiting_subscriber const&)> const& condition,
                                             error_code ec, std::string_view why)
{
    for (auto it = waiting_.begin(); it != waiting_.end();) {
        if (!condition(**it)) {
            ++it;
            continue;
        }
        complete_later(*it, ec, why);
        it = waiting_.erase(it);
    }
}

// `why`: beginning of a text about a failure, which the name of the resource follows; empty: no text.
LINKSPAN_DECL void change_listener::complete_later(subscriber_pointer caller, error_code ec, std::string_view why)
{
    auto text = why.empty() ? std::string() : std::string(why) + " '" + caller->uri + "'";
    post_handler(session_.executor(), [caller = std::move(caller), ec, now = session_.time().now(),
                                       text = std::move(text)] { caller->complete(now, ec, text); });
}

// Call the handlers of notifications after a period without notifications.

LINKSPAN_DECL void change_listener::notify_lists(bool with_unwanted)
{
    auto const wanted = subscription_.wanted(); // a copy, because a handler may change the subscription
    auto const notify = [&](listening::list_kind const& kind, bool is_wanted) {
        if (is_wanted || with_unwanted)
            session_.call_notification_handler(kind.notification, "{}");
    };
    notify(listening::tools, wanted.tools);
    notify(listening::prompts, wanted.prompts);
    notify(listening::resources, wanted.resources);
}

LINKSPAN_DECL void change_listener::notify_updated(std::string_view uri)
{
    std::string params;
    append_quoted(params += R"({"uri":)", uri);
    session_.call_notification_handler("notifications/resources/updated", params += '}');
}

} // namespace linkspan::detail

#endif
