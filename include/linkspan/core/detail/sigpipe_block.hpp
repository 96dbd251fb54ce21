#ifndef LINKSPAN_CORE_DETAIL_SIGPIPE_BLOCK_HPP
#define LINKSPAN_CORE_DETAIL_SIGPIPE_BLOCK_HPP

#include <linkspan/core/detail/config.hpp>

#include <cerrno>
#include <csignal>
#include <ctime>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Whether the calling thread has called `block_sigpipe`.
inline thread_local bool is_sigpipe_blocked = false;

// Blocks SIGPIPE on the calling thread until the thread ends, so that its writes do not need `sigpipe_block`. Called on
// threads of the library only, because programs that the thread starts inherit the signal mask.
inline void block_sigpipe() noexcept
{
    sigset_t pipe;
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
    is_sigpipe_blocked = ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr) == 0;
}

// Blocks SIGPIPE on the calling thread for the duration of a write, and restores the signal mask in the destructor.
//
// The rest of the program is not affected. A program that ignores SIGPIPE does not need the two system calls, but the
// check for this needs a system call as well, and its result may change before the write. Such a program sets
// `stdio_config::sigpipe_is_ignored`.
class sigpipe_block {
public:
    // `is_ignored`: a SIGPIPE has no effect on the calling thread, so that the object does nothing.
    explicit sigpipe_block(bool is_ignored) noexcept : is_ignored_(is_ignored)
    {
        if (is_ignored_)
            return;
        ::sigemptyset(&pipe_);
        ::sigaddset(&pipe_, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }

    sigpipe_block(sigpipe_block const&) = delete;
    sigpipe_block& operator=(sigpipe_block const&) = delete;

    ~sigpipe_block()
    {
        if (!is_ignored_ && !was_blocked())
            ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

    // Called before the write. Returns true if a SIGPIPE that is pending after the write must have been caused by the
    // write. A SIGPIPE can be pending before the write only if the signal was blocked before the construction; such a
    // signal must remain pending.
    bool may_consume() const noexcept
    {
        sigset_t pending;
        return !is_ignored_ &&
               (!was_blocked() || (::sigpending(&pending) == 0 && ::sigismember(&pending, SIGPIPE) == 0));
    }

    // Removes the pending SIGPIPE of a write that failed with EPIPE. Called only if `may_consume` has returned true.
    void consume() const noexcept
    {
        constexpr timespec now{};
        while (::sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
        }
    }

private:
    bool was_blocked() const noexcept { return ::sigismember(&before_, SIGPIPE) == 1; }

    bool const is_ignored_;  // set by the constructor
    sigset_t pipe_, before_; // set of SIGPIPE alone, and the signal mask before the construction; unset if ignored
};

} // namespace linkspan::detail

#endif
