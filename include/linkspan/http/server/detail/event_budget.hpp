#ifndef LINKSPAN_HTTP_SERVER_DETAIL_EVENT_BUDGET_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_EVENT_BUDGET_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Counts the bytes of the events that all clients of a service keep: for resumption, and for a stream that is not open.
// The class performs no I/O.
class event_budget {
public:
    // max_bytes: maximum number of bytes; 0: no maximum.
    explicit event_budget(std::size_t max_bytes) noexcept : max_bytes_(max_bytes) {}

    // The bytes of one client, which the destructor subtracts from the budget.
    class share {
    public:
        explicit share(std::shared_ptr<event_budget> budget) noexcept : budget_(std::move(budget)) {}
        share(share const&) = delete;
        share& operator=(share const&) = delete;
        ~share() { set(0); }

        std::size_t bytes() const noexcept { return bytes_; }

        void set(std::size_t bytes) noexcept
        {
            budget_->bytes_ += bytes - bytes_;
            bytes_ = bytes;
        }

        // Returns the maximum number of bytes of this client, with those that it keeps already.
        std::size_t max_bytes() const noexcept
        {
            if (budget_->max_bytes_ == 0)
                return std::numeric_limits<std::size_t>::max();
            auto const others = budget_->bytes_ - bytes_;
            return others < budget_->max_bytes_ ? budget_->max_bytes_ - others : 0;
        }

    private:
        std::shared_ptr<event_budget> budget_; // set by the constructor; not null
        std::size_t bytes_ = 0;                // set by set()
    };

private:
    std::size_t max_bytes_; // set by the constructor; 0: no maximum
    std::size_t bytes_ = 0; // of all shares
};

} // namespace linkspan::detail

#endif
