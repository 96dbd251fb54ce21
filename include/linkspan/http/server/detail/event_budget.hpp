#ifndef LINKSPAN_HTTP_SERVER_DETAIL_EVENT_BUDGET_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_EVENT_BUDGET_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/server/detail/byte_accounts.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Counts the bytes of the events that all clients of a service keep: for resumption, and for a stream that is not open.
// One owner, a principal or an address, has at most a quarter of the maximum, so that it cannot use up the memory of
// the others. The class performs no I/O.
class event_budget {
public:
    // max_bytes: maximum number of bytes; 0: no maximum.
    explicit event_budget(std::size_t max_bytes) noexcept : max_bytes_(max_bytes) {}
    event_budget(event_budget const&) = delete;
    event_budget& operator=(event_budget const&) = delete;

    // The bytes of one client, which the destructor subtracts from the budget.
    class share {
    public:
        // owner: of the client; empty: not known, so that only the maximum of all clients applies.
        share(std::shared_ptr<event_budget> budget, std::string const& owner)
            : budget_(std::move(budget)), of_owner_(budget_->open(owner))
        {}
        share(share const&) = delete;
        share& operator=(share const&) = delete;
        ~share()
        {
            set(0);
            budget_->owners_.close(of_owner_);
        }

        std::size_t bytes() const noexcept { return bytes_; }

        void set(std::size_t bytes) noexcept
        {
            auto const added = bytes - bytes_;
            budget_->bytes_ += added;
            budget_->owners_.add(of_owner_, added);
            bytes_ = bytes;
        }

        // Returns the maximum number of bytes of this client, with those that it keeps already.
        std::size_t max_bytes() const noexcept
        {
            auto const max_all = budget_->max_bytes_;
            if (max_all == 0)
                return std::numeric_limits<std::size_t>::max();
            auto const of_all = left(max_all, budget_->bytes_);
            if (of_owner_ == budget_->owners_.none())
                return of_all;
            return std::min(of_all, left(max_all / 4, of_owner_->second.bytes));
        }

    private:
        // used: with the bytes of this client.
        std::size_t left(std::size_t max_bytes, std::size_t used) const noexcept
        {
            auto const others = used - bytes_;
            return others < max_bytes ? max_bytes - others : 0;
        }

        std::shared_ptr<event_budget> budget_; // set by the constructor; not null
        byte_accounts::account of_owner_;      // set by the constructor; none(): the bytes of the owner are not limited
        std::size_t bytes_ = 0;                // set by set()
    };

    // Returns the number of owners that have a share.
    std::size_t owners() const noexcept { return owners_.size(); }

private:
    byte_accounts::account open(std::string const& owner)
    {
        return max_bytes_ == 0 || owner.empty() ? owners_.none() : owners_.open(owner);
    }

    std::size_t max_bytes_; // set by the constructor; 0: no maximum
    std::size_t bytes_ = 0; // of all shares
    byte_accounts owners_;  // of the shares
};

} // namespace linkspan::detail

#endif
