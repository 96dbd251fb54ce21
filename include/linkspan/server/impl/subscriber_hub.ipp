#ifndef LINKSPAN_SERVER_IMPL_SUBSCRIBER_HUB_IPP
#define LINKSPAN_SERVER_IMPL_SUBSCRIBER_HUB_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/protocol/meta_keys.hpp>
#include <linkspan/protocol/task_notifications.hpp>
#include <linkspan/server/detail/served_client.hpp>
#include <linkspan/server/detail/server_core.hpp>
#include <linkspan/server/detail/subscriber_hub.hpp>

#include <new>
#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {
namespace subscribing {

inline std::string_view method_of(subscription_table::change what) noexcept
{
    using change = subscription_table::change;
    switch (what) {
    case change::tools: return "notifications/tools/list_changed";
    case change::prompts: return "notifications/prompts/list_changed";
    case change::resources: return "notifications/resources/list_changed";
    case change::contents: return "notifications/resources/updated";
    case change::task: break;
    }
    return task_notification;
}

inline std::string meta_of(served_request const& request)
{
    std::string out;
    object_writer object(out);
    object.raw(meta_keys::subscription_id, request.from().raw_id);
    object.close();
    return out;
}

} // namespace subscribing

LINKSPAN_DECL subscription_table::key subscriber_hub::add(std::weak_ptr<served_client> client)
{
    auto const key = table_.add({});
    try {
        subscribers_.emplace(key, entry{std::move(client), {}, false});
    } catch (...) {
        table_.remove(key);
        throw;
    }
    return key;
}

LINKSPAN_DECL bool subscriber_hub::add(served_request_pointer const& request, subscription_filter const& granted)
{
    auto const client = request->from().client.lock();
    if (!client)
        return true;
    auto place = accounts_.take(client->account());
    if (!place || streams_ >= max_streams_)
        return false;
    std::vector<principal_quota::place> uris(granted.uris.size());
    for (auto& each : uris)
        if (each = uris_of_accounts_.take(client->account()); !each)
            return false;
    std::string params;
    object_writer object(params);
    object.raw("notifications", to_json(granted));
    object.raw("_meta", subscribing::meta_of(*request));
    object.close();
    auto const key = table_.add(granted);
    try {
        subscribers_.emplace(key, entry{client, request, true, std::move(place), std::move(uris)});
        ++streams_;
        request->on_end = [this, key] { remove(key); };
    } catch (...) {
        remove(key);
        throw;
    }
    client->notify("notifications/subscriptions/acknowledged", params, request->from().stream);
    return true;
}

LINKSPAN_DECL bool subscriber_hub::add_uri(subscription_table::key subscriber, std::string_view uri,
                                           std::string_view account)
{
    auto const found = subscribers_.find(subscriber);
    if (found == subscribers_.end())
        return true;
    auto place = uris_of_accounts_.take(account);
    if (!place)
        return false;
    auto& places = found->second.uris;
    places.push_back(std::move(place));
    try {
        table_.add_uri(subscriber, uri);
    } catch (...) {
        places.pop_back();
        throw;
    }
    return true;
}

LINKSPAN_DECL void subscriber_hub::remove_uri(subscription_table::key subscriber, std::string_view uri) noexcept
{
    table_.remove_uri(subscriber, uri);
    if (auto const found = subscribers_.find(subscriber); found != subscribers_.end())
        found->second.uris.resize(table_.uris(subscriber));
}

LINKSPAN_DECL void subscriber_hub::prepare(std::shared_ptr<void> server)
{
    if (!sends_soon_ && table_.size() != 0)
        post_send(std::move(server));
}

LINKSPAN_DECL void subscriber_hub::on_updated(std::shared_ptr<void> server, std::string_view uri)
{
    table_.on_updated(uri);
    send_soon(std::move(server));
}

LINKSPAN_DECL void subscriber_hub::on_task_changed(std::shared_ptr<void> server, std::string_view id)
{
    table_.on_task_changed(id);
    send_soon(std::move(server));
}

LINKSPAN_DECL void subscriber_hub::send_soon(std::shared_ptr<void> server)
{
    if (table_.has_due() && !sends_soon_)
        post_send(std::move(server));
}

LINKSPAN_DECL void subscriber_hub::post_send(std::shared_ptr<void> server)
{
    post_handler(executor_, [this, server = std::move(server)] { send(); });
    sends_soon_ = true; // not before the post, which may throw
}

LINKSPAN_DECL void subscriber_hub::send()
{
    sends_soon_ = false;
    std::vector<subscription_table::notification> due;
    try {
        due = table_.take();
    } catch (std::bad_alloc const&) { // the changes remain due until the next change
        return;
    }
    for (auto const& each : due)
        try {
            notify(each);
        } catch (std::bad_alloc const&) { // this notification is discarded, and not those of the other subscribers
        }
}

LINKSPAN_DECL void subscriber_hub::notify(subscription_table::notification const& due)
{
    auto const found = subscribers_.find(due.subscriber);
    auto const client = found == subscribers_.end() ? nullptr : found->second.client.lock();
    if (!client)
        return;
    auto const request = found->second.request.lock();
    bool const is_task = due.what == subscription_table::change::task;
    auto const task = is_task ? describe_task(due, *client, request.get()) : std::string();
    if (is_task && task.empty())
        return; // has expired
    std::string params;
    object_writer object(params);
    if (due.what == subscription_table::change::contents)
        object.text("uri", due.uri);
    else if (is_task)
        object.members(task);
    if (request)
        object.raw("_meta", subscribing::meta_of(*request));
    object.close();
    auto const method = is_task && !request ? task_status_notification : subscribing::method_of(due.what);
    client->notify(method, params == "{}" ? "" : params, request ? request->from().stream : 0);
}

// Returns the members of a task for one subscriber. `listener`: null for a client of the era `handshake`.
LINKSPAN_DECL std::string subscriber_hub::describe_task(subscription_table::notification const& due,
                                                        served_client const& client, served_request const* listener)
{
    auto const& tasks = client.server().tasks();
    if (listener)
        return tasks.describe(due.uri, *listener);
    if (!tasks.is_running(due.uri))
        table_.remove_task(due.subscriber, due.uri);
    return tasks.describe(due.uri, client);
}

LINKSPAN_DECL void subscriber_hub::end_streams()
{
    std::vector<served_request_pointer> ending;
    for (auto const& [key, each] : subscribers_)
        if (auto request = each.request.lock())
            ending.push_back(std::move(request));
    for (auto const& request : ending)
        request->complete(R"("_meta":)" + request->with_identity(subscribing::meta_of(*request)), {.meta = true});
}

} // namespace linkspan::detail

#endif
