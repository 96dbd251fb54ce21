#ifndef LINKSPAN_CORE_DETAIL_UNIQUE_FD_HPP
#define LINKSPAN_CORE_DETAIL_UNIQUE_FD_HPP

#include <linkspan/core/detail/config.hpp>

#include <unistd.h>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Owner of a file descriptor, which the destructor closes. -1 means that the object owns none.
class unique_fd {
public:
    unique_fd() = default;
    explicit unique_fd(int fd) noexcept : fd_(fd) {}
    unique_fd(unique_fd&& other) noexcept : fd_(other.release()) {}

    unique_fd& operator=(unique_fd&& other) noexcept
    {
        unique_fd taken(std::move(other));
        std::swap(fd_, taken.fd_);
        return *this;
    }

    ~unique_fd()
    {
        if (fd_ >= 0)
            ::close(fd_);
    }

    explicit operator bool() const noexcept { return fd_ >= 0; }
    int get() const noexcept { return fd_; }
    int release() noexcept { return std::exchange(fd_, -1); }

private:
    int fd_ = -1; // cleared by release() and by moving from the object
};

} // namespace linkspan::detail

#endif
