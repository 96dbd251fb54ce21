#ifndef LINKSPAN_PROTOCOL_CLIENT_REQUEST_TABLE_HPP
#define LINKSPAN_PROTOCOL_CLIENT_REQUEST_TABLE_HPP

#include <linkspan/core/fwd.hpp>

#include <boost/assert.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Table of outstanding requests, indexed by request id.
///
/// Ids are assigned in ascending order from 1 and never reused. Adding, finding and removing take one array access
/// each: the low bits of an id are its index in a ring. An id whose slot is occupied is skipped. The ring has a
/// capacity of 8 at first and doubles when half of it is occupied.
///
/// \tparam Request Type of the requests. The table stores pointers and does not own the objects.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
template<class Request>
class request_table {
public:
    /// Adds a request and returns its new id.
    ///
    /// \param request Not null; must be valid until it is removed.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    request_id add(Request* request)
    {
        BOOST_ASSERT(request);
        if (size_ * 2 >= ring_.size())
            grow();
        while (slot_of(next_).request)
            ++next_;
        slot_of(next_) = {next_, request};
        ++size_;
        return next_++;
    }

    /// Returns the request with that id; null: the id was never assigned, or its request was removed.
    Request* find(request_id id) const noexcept
    {
        auto const& slot = ring_[index_of(id)];
        return slot.id == id ? slot.request : nullptr;
    }

    /// Removes and returns the request with that id; null: the id was never assigned, or its request was removed.
    Request* remove(request_id id) noexcept
    {
        auto& slot = slot_of(id);
        if (slot.id != id || !slot.request)
            return nullptr;
        --size_;
        return std::exchange(slot.request, nullptr);
    }

    /// Returns one of the requests, in no particular order; null: the table is empty.
    Request* first() const noexcept
    {
        for (auto const& slot : ring_)
            if (slot.request)
                return slot.request;
        return nullptr;
    }

    /// Returns the number of requests.
    std::size_t size() const noexcept { return size_; }

private:
    // A slot of the ring. `id`: last id that was assigned to the slot. `request`: null while the slot is free.
    struct entry {
        request_id id = 0;
        Request* request = nullptr;
    };

    std::size_t index_of(request_id id) const noexcept { return static_cast<std::size_t>(id) & (ring_.size() - 1); }
    entry& slot_of(request_id id) noexcept { return ring_[index_of(id)]; }

    void grow()
    {
        std::vector<entry> old(ring_.size() * 2);
        old.swap(ring_);
        for (auto const& taken : old)
            if (taken.request)
                slot_of(taken.id) = taken;
    }

    // the size is always a power of two
    std::vector<entry> ring_ = std::vector<entry>(8);
    // next id to assign, unless its slot is occupied
    request_id next_ = 1;
    // number of occupied slots
    std::size_t size_ = 0;
};

} // namespace linkspan

#endif
