#ifndef LINKSPAN_SERVER_DETAIL_SUBSCRIBER_HUB_HPP
#define LINKSPAN_SERVER_DETAIL_SUBSCRIBER_HUB_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/protocol/principal_quota.hpp>
#include <linkspan/protocol/server/subscription_table.hpp>
#include <linkspan/server/detail/served_request.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

class served_client;

// Sends notifications about changes of a server to its subscribers: clients of the era `handshake`, and streams of
// `subscriptions/listen`. Changes of one turn of the event loop are sent together.
//
// Owned by a `server_core`.
//
// Invariant: `subscribers_` has the keys of `table_`.
class subscriber_hub {
public:
    // max_streams: maximum number of streams of `subscriptions/listen`; max_each: of those of one account;
    // max_uris_each: maximum number of resources of one account.
    subscriber_hub(asio::any_io_executor executor, std::size_t max_streams, std::size_t max_each,
                   std::size_t max_uris_each)
        : executor_(std::move(executor)),
          max_streams_(max_streams),
          accounts_(max_each),
          uris_of_accounts_(max_uris_each)
    {}
    subscriber_hub(subscriber_hub const&) = delete;
    subscriber_hub& operator=(subscriber_hub const&) = delete;

    // Adds a client of the era `handshake`, without lists, resources and tasks.
    LINKSPAN_DECL subscription_table::key add(std::weak_ptr<served_client> client);

    // Adds a stream of `subscriptions/listen`, and sends the acknowledgement. The stream is removed when the request is
    // over. Returns false: there are too many streams, or too many resources of the account. Has no effect if the
    // client has disconnected.
    LINKSPAN_DECL bool add(served_request_pointer const& request, subscription_filter const& granted);

    void remove(subscription_table::key subscriber) noexcept
    {
        table_.remove(subscriber);
        if (auto const found = subscribers_.find(subscriber); found != subscribers_.end()) {
            streams_ -= found->second.is_stream;
            subscribers_.erase(found);
        }
    }

    void add_lists(subscription_table::key subscriber, subscription_filter const& lists) noexcept
    {
        table_.add_lists(subscriber, lists);
    }

    // Adds a resource that the subscriber does not have. Returns false: there are too many resources of the account.
    // No effect for an unknown subscriber.
    LINKSPAN_DECL bool add_uri(subscription_table::key subscriber, std::string_view uri, std::string_view account);
    LINKSPAN_DECL void remove_uri(subscription_table::key subscriber, std::string_view uri) noexcept;

    // Adds a task of a client of the era `handshake`. It is removed when the client was notified of its final status.
    void add_task(subscription_table::key subscriber, std::string_view id) { table_.add_task(subscriber, id); }

    // Prepares on_list_changed(), which allocates no memory then. `server` owns this object.
    LINKSPAN_DECL void prepare(std::shared_ptr<void> server);

    // Event: a list has changed. Precondition: prepare(), in the same turn of the event loop.
    void on_list_changed(subscription_table::change what) noexcept { table_.on_list_changed(what); }

    // Events: the contents of a resource, or a task, have changed. `server` owns this object.
    LINKSPAN_DECL void on_updated(std::shared_ptr<void> server, std::string_view uri);
    LINKSPAN_DECL void on_task_changed(std::shared_ptr<void> server, std::string_view id);

    // Sends the notifications that are due. If the memory is not sufficient, a notification is discarded, or all of
    // them remain due until the next change.
    LINKSPAN_DECL void send();

    // Ends the streams of `subscriptions/listen` by their responses.
    LINKSPAN_DECL void end_streams();

    // Returns the number of streams of `subscriptions/listen`.
    std::size_t streams() const noexcept { return streams_; }

    // Returns the number of resources that a subscriber is notified of.
    std::size_t uris(subscription_table::key subscriber) const noexcept { return table_.uris(subscriber); }

    // Returns whether a subscriber is notified of a resource.
    bool has_uri(subscription_table::key subscriber, std::string_view uri) const noexcept
    {
        return table_.has_uri(subscriber, uri);
    }

    // Returns the number of resources of all subscribers.
    std::size_t all_uris() const noexcept { return table_.all_uris(); }

private:
    struct entry {
        std::weak_ptr<served_client> client;
        std::weak_ptr<served_request> request; // `subscriptions/listen`; empty: a client of the era `handshake`
        bool is_stream = false;                // `subscriptions/listen`
        principal_quota::place place{};        // of `accounts_`; null: no stream
        // Of `uris_of_accounts_`, one for each resource; added with the resources, removed by remove_uri().
        std::vector<principal_quota::place> uris{};
    };

    void send_soon(std::shared_ptr<void> server);
    void post_send(std::shared_ptr<void> server);
    void notify(subscription_table::notification const& due);
    std::string describe_task(subscription_table::notification const& due, served_client const& client,
                              served_request const* listener);

    asio::any_io_executor executor_; // this and the next: set by the constructor
    std::size_t max_streams_;
    principal_quota accounts_;         // the streams of each account
    principal_quota uris_of_accounts_; // the resources of the subscribers of each account
    subscription_table table_;
    std::map<subscription_table::key, entry> subscribers_; // changed with `table_`
    std::size_t streams_ = 0;                              // entries that are streams
    bool sends_soon_ = false; // a handler that calls send() is posted; set by post_send(), cleared by send()
};

} // namespace linkspan::detail

#endif
