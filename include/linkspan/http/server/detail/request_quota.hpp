#ifndef LINKSPAN_HTTP_SERVER_DETAIL_REQUEST_QUOTA_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_REQUEST_QUOTA_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Counts the outstanding requests of each account (`client_account`). The class performs no I/O.
//
// Unlike `principal_quota`, a connection or a client keeps the counter of its account, so that a request needs neither
// a search nor memory.
class request_quota {
public:
    // Number of outstanding requests of one account, which may outlive the quota. Null: the requests are not counted.
    using counter = std::shared_ptr<std::size_t>;

    // max_each: maximum number of requests of an account; 0: no maximum.
    explicit request_quota(std::size_t max_each) : max_each_(max_each) {}

    bool is_limited() const noexcept { return max_each_ != 0; }

    // Returns the counter of an account, which is the same until its last copy is destroyed.
    counter open(std::string const& account)
    {
        if (auto const known = counters_->find(account); known != counters_->end())
            return known->second.lock();
        auto count = std::make_unique<std::size_t>(0);
        auto const at = counters_->try_emplace(account).first;
        // Invoked also if the construction of the counter throws.
        auto const close = [counters = counters_, at](std::size_t const* which) noexcept {
            counters->erase(at);
            delete which;
        };
        counter opened(count.release(), close);
        at->second = opened;
        return opened;
    }

    // Returns whether an account without outstanding requests may have this number of requests. True for null.
    bool is_possible(counter const& of, std::size_t requests) const noexcept { return !of || requests <= max_each_; }

    // Returns whether an account may have further requests. True for null. `added`: number of requests.
    bool has_place(counter const& of, std::size_t added = 1) const noexcept
    {
        return !of || (added <= max_each_ && *of <= max_each_ - added);
    }

    // The outstanding requests of one client, which the destructor subtracts from the counter of its account at the
    // latest.
    //
    // Invariant: the counter has at least `count_` requests.
    class share {
    public:
        // of: null: the requests of the client are not counted.
        explicit share(counter of) noexcept : of_(std::move(of)) {}
        share(share const&) = delete;
        share& operator=(share const&) = delete;
        ~share() { clear(); }

        counter const& of_account() const noexcept { return of_; }

        void add(std::size_t requests) noexcept
        {
            if (!of_)
                return;
            *of_ += requests;
            count_ += requests;
        }

        // Event: a request has a response, or will have none. Has no effect if no request is counted.
        void remove() noexcept
        {
            if (count_ == 0)
                return;
            --*of_;
            --count_;
        }

        // Event: the client has ended.
        void clear() noexcept
        {
            if (of_)
                *of_ -= std::exchange(count_, 0);
        }

    private:
        counter of_;            // set by the constructor
        std::size_t count_ = 0; // changed by add(), remove() and clear(); 0 if `of_` is null
    };

    // Returns the number of accounts.
    std::size_t accounts() const noexcept { return counters_->size(); }

private:
    using counter_table = std::map<std::string, std::weak_ptr<std::size_t>, std::less<>>;

    std::size_t max_each_; // set by the constructor
    // By account; added by open(), removed with the last copy of the counter.
    std::shared_ptr<counter_table> counters_ = std::make_shared<counter_table>();
};

} // namespace linkspan::detail

#endif
