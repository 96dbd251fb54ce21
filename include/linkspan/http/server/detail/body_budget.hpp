#ifndef LINKSPAN_HTTP_SERVER_DETAIL_BODY_BUDGET_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_BODY_BUDGET_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/server/detail/byte_accounts.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Counts the bytes of the bodies of requests over all connections of a listener, and over those of each address. The
// class performs no I/O.
//
// Invariants: `bytes_` is the sum of the sizes of all shares, and the bytes of each account in `addresses_` are the
// sum of the sizes of its shares. No sum exceeds its maximum, because of the precondition of share::set().
class body_budget {
public:
    // max_bytes: maximum number of bytes of all bodies; max_per_address: of those of one address. 0: no maximum.
    body_budget(std::size_t max_bytes, std::size_t max_per_address) noexcept
        : max_bytes_(max_bytes), max_per_address_(max_per_address)
    {}
    body_budget(body_budget const&) = delete;
    body_budget& operator=(body_budget const&) = delete;

    // The bytes of one body, which the destructor subtracts from the budget.
    class share {
    public:
        // address: of the client; empty: not known, so that only the maximum of all bodies applies.
        share(std::shared_ptr<body_budget> budget, std::string const& address)
            : budget_(std::move(budget)), of_address_(budget_->open(address))
        {}
        share(share const&) = delete;
        share& operator=(share const&) = delete;
        ~share()
        {
            set(0);
            budget_->addresses_.close(of_address_);
        }

        // Returns the status of the refusal of the body if it has a size, which is not less than before: 0: none; 413:
        // the body exceeds a maximum; 503: the other bodies have too many bytes.
        int status_of(std::size_t size) const noexcept
        {
            auto const added = size - bytes_;
            auto const of_all = status(size, added, budget_->bytes_, budget_->max_bytes_);
            if (of_address_ == budget_->addresses_.none())
                return of_all;
            return first_of(of_all, status(size, added, of_address_->second.bytes, budget_->max_per_address_));
        }

        // Precondition: the size is not more than before, or status_of(size) is 0.
        void set(std::size_t size) noexcept
        {
            auto const added = size - bytes_;
            budget_->bytes_ += added;
            budget_->addresses_.add(of_address_, added);
            bytes_ = size;
        }

    private:
        std::shared_ptr<body_budget> budget_; // set by the constructor; not null
        byte_accounts::account of_address_; // set by the constructor; none(): the bytes of the address are not limited
        std::size_t bytes_ = 0;             // set by set()
    };

    // Returns the result of `share::status_of` for a new share of an address, without a share.
    int status_of(std::size_t size, std::string const& address) const noexcept
    {
        auto const of_all = status(size, size, bytes_, max_bytes_);
        if (max_per_address_ == 0 || address.empty())
            return of_all;
        return first_of(of_all, status(size, size, addresses_.bytes_of(address), max_per_address_));
    }

    // Returns the number of addresses that have a body.
    std::size_t addresses() const noexcept { return addresses_.size(); }

private:
    static int status(std::size_t size, std::size_t added, std::size_t used, std::size_t max_bytes) noexcept
    {
        if (max_bytes == 0 || added <= max_bytes - used)
            return 0;
        return size > max_bytes ? 413 : 503;
    }

    // Returns the status of two refusals, of which a body that is too large is the first.
    static int first_of(int of_all, int own) noexcept
    {
        return of_all == 0 || own == 0 ? std::max(of_all, own) : std::min(of_all, own);
    }

    byte_accounts::account open(std::string const& address)
    {
        return max_per_address_ == 0 || address.empty() ? addresses_.none() : addresses_.open(address);
    }

    // Set by the constructor; 0: no maximum.
    std::size_t max_bytes_;
    std::size_t max_per_address_;

    std::size_t bytes_ = 0;   // of all shares
    byte_accounts addresses_; // of the shares
};

} // namespace linkspan::detail

#endif
