#ifndef LINKSPAN_PROTOCOL_DEADLINE_LIST_HPP
#define LINKSPAN_PROTOCOL_DEADLINE_LIST_HPP

#include <linkspan/core/fwd.hpp>

#include <boost/assert.hpp>

namespace linkspan {

class deadline_list;

/// The part of a request by which a `deadline_list` holds it.
class deadline_hook {
public:
    deadline_hook() = default;
    deadline_hook(deadline_hook const&) = delete;
    deadline_hook& operator=(deadline_hook const&) = delete;
    ~deadline_hook() { BOOST_ASSERT(!previous_); }

    time_point due() const noexcept { return due_; }
    bool is_linked() const noexcept { return previous_ != nullptr; }

private:
    friend deadline_list;

    time_point due_{};
    deadline_hook* previous_ = nullptr;
    deadline_hook* next_ = nullptr;
};

/// Requests in the order of their deadlines, in one list for all time limits.
///
/// A new deadline is placed from the back: with equal limits, the common case, that is one step, and with mixed ones
/// at most as many as there are requests in flight. Nothing is allocated.
class deadline_list {
public:
    deadline_list() noexcept { end_.previous_ = end_.next_ = &end_; }
    deadline_list(deadline_list const&) = delete;
    deadline_list& operator=(deadline_list const&) = delete;
    ~deadline_list()
    {
        BOOST_ASSERT(empty());
        end_.previous_ = nullptr;
    }

    bool empty() const noexcept { return end_.next_ == &end_; }

    /// The one that is due first; not to be asked of an empty list.
    deadline_hook& front() const noexcept
    {
        BOOST_ASSERT(!empty());
        return *end_.next_;
    }

    void add(deadline_hook& hook, time_point due) noexcept
    {
        BOOST_ASSERT(!hook.is_linked());
        auto* before = end_.previous_;
        while (before != &end_ && before->due_ > due)
            before = before->previous_;
        hook.due_ = due;
        hook.previous_ = before;
        hook.next_ = before->next_;
        before->next_->previous_ = &hook;
        before->next_ = &hook;
    }

    void remove(deadline_hook& hook) noexcept
    {
        if (!hook.is_linked())
            return;
        hook.previous_->next_ = hook.next_;
        hook.next_->previous_ = hook.previous_;
        hook.previous_ = hook.next_ = nullptr;
    }

private:
    deadline_hook end_;
};

} // namespace linkspan

#endif
