#ifndef LINKSPAN_PROTOCOL_CLIENT_REQUEST_TABLE_HPP
#define LINKSPAN_PROTOCOL_CLIENT_REQUEST_TABLE_HPP

#include <linkspan/core/fwd.hpp>

#include <boost/assert.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace linkspan {

/// Finds the request that an answer belongs to.
///
/// Ids count up from 1 and are never used again. The slot of an id is its low bits in a ring; an id whose slot is
/// still taken is skipped, so that finding, adding and removing are one array access each. The ring grows while more
/// than half of it is taken.
template<class Request>
class request_table {
public:
    /// Gives `request` an id. `request` is not null, and stays valid until it is removed.
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

    /// The request of that id; null when there is none, or none any more.
    Request* find(request_id id) const noexcept
    {
        auto const& slot = ring_[index_of(id)];
        return slot.id == id ? slot.request : nullptr;
    }

    /// Forgets the request of that id, and returns it; null when there is none.
    Request* remove(request_id id) noexcept
    {
        auto& slot = slot_of(id);
        if (slot.id != id || !slot.request)
            return nullptr;
        --size_;
        return std::exchange(slot.request, nullptr);
    }

    /// Any one of the requests; null when there is none.
    Request* first() const noexcept
    {
        for (auto const& slot : ring_)
            if (slot.request)
                return slot.request;
        return nullptr;
    }

    std::size_t size() const noexcept { return size_; }

private:
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

    std::vector<entry> ring_ = std::vector<entry>(64); // always a power of two
    request_id next_ = 1;
    std::size_t size_ = 0;
};

} // namespace linkspan

#endif
