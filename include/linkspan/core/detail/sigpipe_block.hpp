#ifndef LINKSPAN_CORE_DETAIL_SIGPIPE_BLOCK_HPP
#define LINKSPAN_CORE_DETAIL_SIGPIPE_BLOCK_HPP

#include <cerrno>
#include <csignal>
#include <ctime>

namespace linkspan::detail {

// Keeps a write from raising SIGPIPE, without a change that the rest of the program could see. A program that ignores
// SIGPIPE is not spared the two system calls: to ask for that costs one too, and the answer may change meanwhile.
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

    // Only a signal that was blocked before can have been pending before, and must stay so.
    bool may_consume() const noexcept
    {
        sigset_t pending;
        return !was_blocked() || (::sigpending(&pending) == 0 && ::sigismember(&pending, SIGPIPE) == 0);
    }

    // After EPIPE.
    void consume() const noexcept
    {
        constexpr timespec now{};
        while (::sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
        }
    }

private:
    bool was_blocked() const noexcept { return ::sigismember(&before_, SIGPIPE) == 1; }

    sigset_t pipe_, before_;
};

} // namespace linkspan::detail

#endif
