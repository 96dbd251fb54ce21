#ifndef LINKSPAN_CORE_DETAIL_SERIAL_CHECK_HPP
#define LINKSPAN_CORE_DETAIL_SERIAL_CHECK_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/assert.hpp>

#include <atomic>
#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Detects that two threads use one object at the same time, because its executor does not serialize the handlers.
//
// Thread safety: shared objects are safe.
class serial_check {
public:
    // Enters the object, also repeatedly on the same thread. Returns false if another thread has entered and not left.
    // Each successful call requires a call of `leave`.
    bool enter() noexcept
    {
        void const* inside = nullptr;
        if (!owner_.compare_exchange_strong(inside, this_thread()) && inside != this_thread())
            return false;
        ++depth_;
        return true;
    }

    void leave() noexcept
    {
        if (--depth_ == 0)
            owner_.store(nullptr);
    }

private:
    static void const* this_thread() noexcept
    {
        thread_local char const here = 0;
        return &here;
    }

    std::atomic<void const*> owner_{nullptr}; // address that identifies the thread; null if no thread has entered
    unsigned depth_ = 0;                      // number of nested calls of that thread, which alone uses the member
};

// Guard for a scope inside an object with a `serial_check`: an assertion fails if another thread is inside the object.
// With NDEBUG, the guard does nothing. The check remains a member of the object, so that the layout of the object does
// not depend on NDEBUG.
class serial_scope {
public:
#if defined(NDEBUG)
    template<class Owner>
    serial_scope(Owner&, serial_check Owner::*) noexcept
    {}

    // g++ reports a variable that is never read, unless its destructor is defined.
    ~serial_scope() {}
#else
    // Shares the ownership of the object, because a function inside the scope may release it.
    template<class Owner>
    serial_scope(Owner& owner, serial_check Owner::*check)
        : check_(owner.shared_from_this(), &(owner.*check)), is_inside_(check_->enter())
    {
        BOOST_ASSERT_MSG(
            is_inside_,
            "linkspan: handlers of one session or connector run concurrently on two threads: construct it "
            "with an executor that serializes handlers, such as asio::make_strand(pool), and use it only there");
    }

    ~serial_scope()
    {
        if (is_inside_)
            check_->leave();
    }
#endif

    serial_scope(serial_scope const&) = delete;
    serial_scope& operator=(serial_scope const&) = delete;

private:
#if !defined(NDEBUG)
    std::shared_ptr<serial_check> check_; // shares the ownership of its object
    bool is_inside_;                      // true if the constructor has entered the check
#endif
};

} // namespace linkspan::detail

#endif
