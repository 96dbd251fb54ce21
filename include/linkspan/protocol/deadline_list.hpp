#ifndef LINKSPAN_PROTOCOL_DEADLINE_LIST_HPP
#define LINKSPAN_PROTOCOL_DEADLINE_LIST_HPP

#include <linkspan/core/fwd.hpp>

#include <boost/assert.hpp>

namespace linkspan::inline LINKSPAN_ABI {

class deadline_list;

/// Base class of objects that a `deadline_list` links.
///
/// The object must not be moved or destroyed while it is in a list.
class deadline_hook {
public:
    deadline_hook() = default;
    deadline_hook(deadline_hook const&) = delete;
    deadline_hook& operator=(deadline_hook const&) = delete;
    /// Destroys the hook. Precondition: it is not in a list.
    ~deadline_hook() { BOOST_ASSERT(!previous_); }

    /// Returns the deadline that was passed to the last `deadline_list::add`.
    time_point due() const noexcept { return due_; }
    /// Returns whether the object is in a list.
    bool is_linked() const noexcept { return previous_ != nullptr; }

private:
    friend deadline_list;

    // set by deadline_list::add()
    time_point due_{};
    // neighbours in the list; null while the object is in no list
    deadline_hook* previous_ = nullptr;
    deadline_hook* next_ = nullptr;
};

/// Intrusive list of objects, sorted by deadline; objects with equal deadlines keep the order in which they were added.
///
/// `add` searches from the end of the list. An insertion takes one step if all timeouts are equal, which is the common
/// case, and at most as many steps as there are objects in the list. The list does not own the objects and allocates no
/// memory.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class deadline_list {
public:
    deadline_list() noexcept
    {
        end_.previous_ = end_.next_ = &end_;
        end_.due_ = time_point::max();
    }
    deadline_list(deadline_list const&) = delete;
    deadline_list& operator=(deadline_list const&) = delete;
    /// Destroys the list. Precondition: the list is empty.
    ~deadline_list()
    {
        BOOST_ASSERT(empty());
        end_.previous_ = nullptr;
    }

    /// Returns whether the list contains no object.
    bool empty() const noexcept { return end_.next_ == &end_; }

    /// Returns the object with the earliest deadline. Precondition: the list is not empty.
    deadline_hook& front() const noexcept
    {
        BOOST_ASSERT(!empty());
        return *end_.next_;
    }

    /// Returns the earliest deadline; `time_point::max()`: the list is empty.
    time_point next() const noexcept { return end_.next_->due_; }

    /// Adds an object with the deadline `due`. Precondition: the object is in no list.
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

    /// Removes an object from the list that contains it. Has no effect if the object is in no list.
    static void remove(deadline_hook& hook) noexcept
    {
        if (!hook.is_linked())
            return;
        hook.previous_->next_ = hook.next_;
        hook.next_->previous_ = hook.previous_;
        hook.previous_ = hook.next_ = nullptr;
    }

private:
    // sentinel of the circular list: its neighbours are the last and the first object
    deadline_hook end_;
};

} // namespace linkspan

#endif
