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

    std::size_t max_bytes() const noexcept { return max_bytes_; }
    std::size_t free_bytes() const noexcept { return max_bytes_ - bytes_; }

    // The bytes of one connection, which the destructor gives back.
    class share {
    public:
        // of: null: the bytes are not limited.
        explicit share(std::shared_ptr<body_budget> of) noexcept : of_(std::move(of)) {}
        share(share const&) = delete;
        share& operator=(share const&) = delete;
        ~share() { release(); }

        // Returns the status of the refusal of a body with a size: 0: none; 413: the body exceeds the maximum; 503: the
        // other connections have too many bytes.
        int status_of(std::size_t size) const noexcept
        {
            if (!of_ || size <= bytes_ || size - bytes_ <= of_->free_bytes())
                return 0;
            return size > of_->max_bytes() ? 413 : 503;
        }

        // Increases the bytes of the connection. Precondition: status_of(size) is 0.
        void grow(std::size_t size) noexcept
        {
            if (!of_ || size <= bytes_)
                return;
            of_->bytes_ += size - bytes_;
            bytes_ = size;
        }

        void release() noexcept
        {
            if (bytes_ != 0)
                of_->bytes_ -= std::exchange(bytes_, 0);
        }

    private:
        std::shared_ptr<body_budget> of_; // set by the constructor
        std::size_t bytes_ = 0;           // increased by grow(), 0 after release()
    };

private:
    std::size_t max_bytes_; // set by the constructor
    std::size_t bytes_ = 0; // of all shares
};

} // namespace linkspan::detail

#endif
