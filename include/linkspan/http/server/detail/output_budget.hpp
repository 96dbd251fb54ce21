#ifndef LINKSPAN_HTTP_SERVER_DETAIL_OUTPUT_BUDGET_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_OUTPUT_BUDGET_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/reused_text.hpp>

#include <cstddef>
#include <map>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Counts the unread output of all connections of a listener: the bytes that a connection keeps because its peer has not
// accepted them. Connections with at most `kept_text` bytes are not counted. The class performs no I/O.
//
// Invariant: `bytes_` is the sum of the numbers in `connections_`, and at most `max_bytes_` after each function.
class output_budget {
public:
    // Connection whose unread output is counted.
    class connection {
    public:
        // Event: the connection has the most unread output of all connections, which together exceed the maximum. Its
        // bytes are not counted any more, and the connection is closed later.
        virtual void on_excess_output() = 0;

    protected:
        ~connection() = default;
    };

    // max_bytes: maximum number of bytes; 0: no maximum, nothing is counted.
    explicit output_budget(std::size_t max_bytes) noexcept : max_bytes_(max_bytes) {}

    output_budget(output_budget const&) = delete;
    output_budget& operator=(output_budget const&) = delete;

    // Sets the number of unread bytes of a connection, which calls remove() before its destruction. If the sum exceeds
    // the maximum, the connection with the most bytes is removed, with an event: `of`, unless another one has more. One
    // removal is sufficient, because the sum exceeds the maximum by at most the bytes of `of`.
    void set(connection& of, std::size_t bytes)
    {
        if (bytes <= kept_text || max_bytes_ == 0)
            return remove(of);
        auto& counted = connections_[&of];
        bytes_ += bytes - counted;
        counted = bytes;
        if (bytes_ > max_bytes_)
            remove_largest(of);
    }

    // Removes a connection. No effect for a connection that is not counted.
    void remove(connection& of) noexcept
    {
        auto const found = connections_.find(&of);
        if (found == connections_.end())
            return;
        bytes_ -= found->second;
        connections_.erase(found);
    }

    // Returns the number of bytes of all counted connections.
    std::size_t bytes() const noexcept { return bytes_; }

private:
    // preferred: removed if no other connection has more bytes.
    void remove_largest(connection& preferred)
    {
        auto largest = connections_.find(&preferred);
        for (auto at = connections_.begin(); at != connections_.end(); ++at)
            if (largest == connections_.end() || at->second > largest->second)
                largest = at;
        auto& closed = *largest->first;
        remove(closed);
        closed.on_excess_output();
    }

    std::size_t max_bytes_;                          // set by the constructor; 0: no maximum
    std::map<connection*, std::size_t> connections_; // unread bytes; added by set(), removed by remove()
    std::size_t bytes_ = 0;                          // of all counted connections
};

} // namespace linkspan::detail

#endif
