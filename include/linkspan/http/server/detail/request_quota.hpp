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

// Counts the outstanding requests of each owner: a principal, or the anonymous clients of one address. The class performs
// no I/O.
//
// Unlike `principal_quota`, a connection or a client keeps the account of its owner, so that a request needs neither a
// search nor memory.
class request_quota {
public:
    // Number of outstanding requests of one owner, which may outlive the quota. Null: the requests are not counted.
    using account = std::shared_ptr<std::size_t>;

    // max_each: maximum number of requests of an owner; 0: no maximum.
    explicit request_quota(std::size_t max_each) : max_each_(max_each) {}

    bool is_limited() const noexcept { return max_each_ != 0; }

    // Returns the account of an owner, which is the same until its last copy is destroyed.
    account open(std::string const& owner)
    {
        if (auto const known = accounts_->find(owner); known != accounts_->end())
            return known->second.lock();
        auto count = std::make_unique<std::size_t>(0);
        auto const at = accounts_->try_emplace(owner).first;
        // Invoked also if the construction of the account throws.
        auto const close = [accounts = accounts_, at](std::size_t const* which) noexcept {
            accounts->erase(at);
            delete which;
        };
        account opened(count.release(), close);
        at->second = opened;
        return opened;
    }

    // Returns whether the owner of an account may have further requests. True for null. `added`: number of requests.
    bool has_place(account const& of, std::size_t added = 1) const noexcept
    {
        return !of || (added <= max_each_ && *of <= max_each_ - added);
    }

    // The outstanding requests of one client, which are subtracted from the account of their owner at the latest by the
    // destructor.
    //
    // Invariant: the account has at least `count_` requests.
    class share {
    public:
        // of: null: the requests of the client are not counted.
        explicit share(account of) noexcept : of_(std::move(of)) {}
        share(share const&) = delete;
        share& operator=(share const&) = delete;
        ~share() { clear(); }

        account const& owner() const noexcept { return of_; }

        void add(std::size_t requests) noexcept
        {
            if (!of_)
                return;
            *of_ += requests;
            count_ += requests;
        }

        // Event: a request has a response, or will have none. No effect if no request is counted.
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
        account of_;            // set by the constructor
        std::size_t count_ = 0; // changed by add(), remove() and clear(); 0 if `of_` is null
    };

    // Returns the number of accounts.
    std::size_t accounts() const noexcept { return accounts_->size(); }

private:
    using account_table = std::map<std::string, std::weak_ptr<std::size_t>, std::less<>>;

    std::size_t max_each_; // set by the constructor
    // By owner; added by open(), removed with the last copy of the account.
    std::shared_ptr<account_table> accounts_ = std::make_shared<account_table>();
};

} // namespace linkspan::detail

#endif
