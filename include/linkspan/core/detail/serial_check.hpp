#ifndef LINKSPAN_CORE_DETAIL_SERIAL_CHECK_HPP
#define LINKSPAN_CORE_DETAIL_SERIAL_CHECK_HPP

#include <boost/assert.hpp>

#include <atomic>
#include <memory>
#include <utility>

namespace linkspan::detail {

// Finds two threads inside one object, whose executor then does not run its handlers one at a time.
//
// Thread safety: shared objects, safe.
class serial_check {
public:
    // False when another thread is inside. Else `leave` must follow, as often as this was called.
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

    std::atomic<void const*> owner_{nullptr}; // the thread that is inside; null: none
    unsigned depth_ = 0;                      // of its nested calls; only that thread uses it
};

// What runs inside an object with a `serial_check`: an assertion fails when another thread is there. NDEBUG makes it do
// nothing; the check is a member of the object all the same, so that its layout does not depend on NDEBUG.
class serial_scope {
public:
#if defined(NDEBUG)
    template<class Owner>
    serial_scope(Owner&, serial_check Owner::*) noexcept
    {}
#else
    // Keeps the owner: what runs inside may drop it.
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
    std::shared_ptr<serial_check> check_;
    bool is_inside_;
#endif
};

} // namespace linkspan::detail

#endif
