#ifndef LINKSPAN_HTTP_SERVER_DETAIL_WAITING_EVENTS_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_WAITING_EVENTS_HPP

#include <linkspan/core/detail/config.hpp>

#include <algorithm>
#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Events of one stream that wait for an HTTP exchange, oldest first. The class performs no I/O.
//
// Invariants: `bytes_` is the sum of the sizes of the data of `events_`. `total_` is the sum of `bytes_` of all objects
// with this total: only count() changes the two numbers, and the destructor subtracts the rest.
class waiting_events {
public:
    // total: number of bytes of the data of the events of several streams, which outlives this object.
    explicit waiting_events(std::size_t& total) noexcept : total_(total) {}
    waiting_events(waiting_events const&) = delete;
    waiting_events& operator=(waiting_events const&) = delete;
    ~waiting_events() { clear(); }

    struct event {
        std::string id; // empty: none
        std::string data;
    };

    // Does nothing with a discarded event.
    struct ignore {
        void operator()(event const&) const noexcept {}
    };

    bool empty() const noexcept { return events_.empty(); }
    std::size_t size() const noexcept { return events_.size(); }

    // Returns the number of bytes of the data of all events.
    std::size_t bytes() const noexcept { return bytes_; }

    // Returns whether an event has this data.
    bool contains(std::string_view data) const
    {
        return std::ranges::find(events_, data, &event::data) != events_.end();
    }

    void push_back(event added)
    {
        auto const size = added.data.size();
        events_.push_back(std::move(added));
        count(size);
    }

    void push_front(event added)
    {
        auto const size = added.data.size();
        events_.push_front(std::move(added));
        count(size);
    }

    // Returns the oldest event. Precondition of this function and the next two: there is one.
    event const& front() const noexcept { return events_.front(); }

    // Removes the oldest event.
    void remove_front() noexcept
    {
        count(std::size_t{0} - events_.front().data.size());
        events_.pop_front();
    }

    // Removes the oldest event, and returns it.
    event pop_front()
    {
        auto out = std::move(events_.front());
        events_.pop_front();
        count(std::size_t{0} - out.data.size());
        return out;
    }

    // Discards the oldest events until at most `max_events` are left, and passes each of them to `discarded`.
    template<class Function = ignore>
    void keep_newest(std::size_t max_events, Function const& discarded = {})
    {
        while (events_.size() > max_events)
            discarded(pop_front());
    }

    // Discards the oldest events until their data had at least this number of bytes, or no event is left, and passes
    // each of them to `discarded`. Returns the number of bytes of the discarded data.
    template<class Function = ignore>
    std::size_t discard_bytes(std::size_t at_least, Function const& discarded = {})
    {
        auto const before = bytes_;
        while (!events_.empty() && before - bytes_ < at_least)
            discarded(pop_front());
        return before - bytes_;
    }

    void clear() noexcept
    {
        events_.clear();
        count(std::size_t{0} - bytes_);
    }

private:
    // Adds to both numbers; a difference modulo 2^64 subtracts.
    void count(std::size_t added) noexcept
    {
        bytes_ += added;
        total_ += added;
    }

    std::size_t& total_;      // set by the constructor
    std::list<event> events_; // a list, because an empty one has no memory
    std::size_t bytes_ = 0;   // changed by count()
};

} // namespace linkspan::detail

#endif
