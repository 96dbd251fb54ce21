#ifndef LINKSPAN_HTTP_SERVER_DETAIL_OUTPUT_BUDGET_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_OUTPUT_BUDGET_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/reused_text.hpp>

#include <cstddef>
#include <map>
#include <string>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Counts the unread output of all connections of a listener: the bytes that a connection keeps because its peer has not
// accepted them. Connections with at most `kept_text` bytes are not counted. The class performs no I/O.
//
// Invariants: `bytes_` is the sum of the numbers in `connections_`, and of those in `accounts_`. It is at most
// `max_bytes_` after each function that throws no exception.
class output_budget {
public:
    // Connection whose unread output is counted.
    class connection {
    public:
        // Event: the connection has the most unread output of the connections of its address, which has the most of all
        // addresses. When the function has returned, its bytes are not counted any more; the connection is closed
        // later.
        virtual void on_excess_output() = 0;

    protected:
        ~connection() = default;
    };

    // max_bytes: maximum number of bytes; 0: no maximum, nothing is counted.
    explicit output_budget(std::size_t max_bytes) noexcept : max_bytes_(max_bytes) {}

    output_budget(output_budget const&) = delete;
    output_budget& operator=(output_budget const&) = delete;

    // Sets the number of unread bytes of a connection, which calls remove() before its destruction. While the sum
    // exceeds the maximum, connections are removed, each with an event: the one with the most bytes of the address with
    // the most bytes, so that many connections of one client do not close those of others. `of` and its address are
    // removed before others with the same number of bytes.
    //
    // address: of the client, the same in each call; empty: not known, each such connection has an address of its own.
    void set(connection& of, std::size_t bytes, std::string const& address = {})
    {
        if (bytes <= kept_text || max_bytes_ == 0)
            return remove(of);
        auto found = connections_.find(&of);
        if (found == connections_.end())
            found = add(of, address);
        auto& [counted, at_address] = found->second;
        auto const added = bytes - counted;
        counted += added;
        at_address->second.bytes += added;
        bytes_ += added;
        while (bytes_ > max_bytes_)
            remove_largest(of);
    }

    // Removes a connection. Has no effect for a connection that is not counted.
    void remove(connection& of) noexcept
    {
        auto const found = connections_.find(&of);
        if (found == connections_.end())
            return;
        auto const [counted, address] = found->second;
        connections_.erase(found);
        bytes_ -= counted;
        address->second.bytes -= counted;
        if (--address->second.connections == 0)
            accounts_.erase(address);
    }

    // Returns the number of bytes of all counted connections.
    std::size_t bytes() const noexcept { return bytes_; }

private:
    // The connections of one address.
    struct account {
        std::size_t connections = 0, bytes = 0;
    };
    using account_table = std::multimap<std::string, account>; // one for each connection without a known address

    struct entry {
        std::size_t bytes = 0;
        account_table::iterator of_address{}; // set by add()
    };
    using connection_table = std::map<connection*, entry>;

    connection_table::iterator add(connection& added, std::string const& address)
    {
        auto const at = connections_.try_emplace(&added).first;
        try {
            auto found = address.empty() ? accounts_.end() : accounts_.find(address);
            if (found == accounts_.end())
                found = accounts_.emplace(address, account());
            ++found->second.connections;
            at->second.of_address = found;
        } catch (...) { // no memory
            connections_.erase(at);
            throw;
        }
        return at;
    }

    // preferred: removed if no other address, and no other connection of its address, has more bytes.
    void remove_largest(connection& preferred)
    {
        auto largest = connections_.find(&preferred);
        auto address = largest == connections_.end() ? accounts_.begin() : largest->second.of_address;
        for (auto at = accounts_.begin(); at != accounts_.end(); ++at)
            if (at->second.bytes > address->second.bytes)
                address = at;
        if (largest != connections_.end() && largest->second.of_address != address)
            largest = connections_.end();
        for (auto at = connections_.begin(); at != connections_.end(); ++at)
            if (at->second.of_address == address &&
                (largest == connections_.end() || at->second.bytes > largest->second.bytes))
                largest = at;
        auto& closed = *largest->first;
        closed.on_excess_output(); // may throw, then the next call of set() repeats it
        remove(closed);
    }

    std::size_t max_bytes_;        // set by the constructor; 0: no maximum
    connection_table connections_; // added by set(), removed by remove()
    account_table accounts_;       // by address; added by add(), removed by remove()
    std::size_t bytes_ = 0;        // of all counted connections
};

} // namespace linkspan::detail

#endif
