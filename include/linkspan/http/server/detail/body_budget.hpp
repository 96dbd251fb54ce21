#ifndef LINKSPAN_HTTP_SERVER_DETAIL_BODY_BUDGET_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_BODY_BUDGET_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Counts the bytes of the bodies of requests over all connections of a listener. The class performs no I/O.
class body_budget {
public:
    // max_bytes: maximum number of bytes; not 0.
    explicit body_budget(std::size_t max_bytes) noexcept : max_bytes_(max_bytes) {}

    // The bytes of one body, which the destructor subtracts from the budget.
    class share {
    public:
        explicit share(std::shared_ptr<body_budget> budget) noexcept : budget_(std::move(budget)) {}
        share(share const&) = delete;
        share& operator=(share const&) = delete;
        ~share() { budget_->bytes_ -= bytes_; }

        std::size_t bytes() const noexcept { return bytes_; }

        // Increases the bytes. Precondition: status_of(size, bytes()) is 0.
        void grow(std::size_t size) noexcept
        {
            budget_->bytes_ += size - bytes_;
            bytes_ = size;
        }

    private:
        std::shared_ptr<body_budget> budget_; // set by the constructor; not null
        std::size_t bytes_ = 0;               // increased by grow()
    };

    // Returns the status of the refusal of a body with a size, of which some bytes are counted: 0: none; 413: the body
    // exceeds the maximum; 503: the other bodies have too many bytes.
    int status_of(std::size_t size, std::size_t counted) const noexcept
    {
        if (size - counted <= max_bytes_ - bytes_)
            return 0;
        return size > max_bytes_ ? 413 : 503;
    }

private:
    std::size_t max_bytes_; // set by the constructor
    std::size_t bytes_ = 0; // of all shares
};

} // namespace linkspan::detail

#endif
