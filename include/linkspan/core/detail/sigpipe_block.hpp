#ifndef LINKSPAN_CORE_DETAIL_SIGPIPE_BLOCK_HPP
#define LINKSPAN_CORE_DETAIL_SIGPIPE_BLOCK_HPP

#include <linkspan/core/detail/config.hpp>

#include <cerrno>
#include <csignal>
#include <ctime>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Blocks SIGPIPE on the calling thread for the duration of a write, and restores the signal mask in the destructor.
//
// The rest of the program is not affected. A program that ignores SIGPIPE does not need the two system calls, but the
// check for this needs a system call as well, and its result may change before the write.
class sigpipe_block {
public:
    sigpipe_block() noexcept
    {
        ::sigemptyset(&pipe_);
        ::sigaddset(&pipe_, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }

    ~sigpipe_block()
    {
        if (!was_blocked())
            ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

    // Returns true if no SIGPIPE was pending before the write. Called before the write. A signal can have been pending
    // only if it was blocked before, and must then remain pending.
    bool may_consume() const noexcept
    {
        sigset_t pending;
        return !was_blocked() || (::sigpending(&pending) == 0 && ::sigismember(&pending, SIGPIPE) == 0);
    }

    // Removes the pending SIGPIPE of a write that failed with EPIPE.
    void consume() const noexcept
    {
        constexpr timespec now{};
        while (::sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
        }
    }

private:
    bool was_blocked() const noexcept { return ::sigismember(&before_, SIGPIPE) == 1; }

    sigset_t pipe_, before_; // set of SIGPIPE alone, and the signal mask before the construction
};

} // namespace linkspan::detail

#endif
