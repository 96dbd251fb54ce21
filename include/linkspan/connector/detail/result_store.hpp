#ifndef LINKSPAN_CONNECTOR_DETAIL_RESULT_STORE_HPP
#define LINKSPAN_CONNECTOR_DETAIL_RESULT_STORE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/call_result.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Results of `resources/read`, which are used instead of further requests, without I/O.
//
// The key is the connection with a server and the URI, which is the only parameter of the method. A result of one
// connection is never used for another one, so that a result with the scope `private` remains within its
// authorization; the scope `public`, which allows more, makes no difference.
//
// Invariants: the stored results have at most `max_bytes()` bytes, counted as the text of the result and the URI. Empty
// if `max_bytes()` is 0, the default.
//
// Specification: MCP 2026-07-28, "Caching".
class result_store {
public:
    // A connection with a server.
    struct connection {
        server_id server{};
        std::uint64_t epoch = 0; // of the server
    };

    // Number of the changes of resources so far.
    using mark = std::uint64_t;

    std::size_t max_bytes() const noexcept { return max_bytes_; }
    std::size_t bytes() const noexcept { return bytes_; }

    // Sets the maximum size; 0: nothing is stored. Drops the results that exceed it.
    LINKSPAN_DECL void limit(std::size_t max_bytes);

    // Returns the stored result; null: there is none, or its time to live has ended. The pointer is valid until the
    // next change of the object.
    LINKSPAN_DECL call_result const* find(connection const& from, std::string_view uri, time_point now);

    // Returns a mark at the time at which a request is sent.
    mark now() const noexcept { return changes_; }

    // Event: the response to a request arrived. The result is stored if it has a time to live, and no resource was
    // changed since the mark. `sent`: from now().
    LINKSPAN_DECL void store(connection const& from, std::string_view uri, call_result const& result, mark sent,
                             time_point now);

    // Events: a resource, or the list of resources, of a server was changed. The results of the resource and of
    // resources that may contain it, whose URI is the beginning of `uri`, are dropped, or all results of the server.
    LINKSPAN_DECL void on_updated(server_id server, std::string_view uri);
    LINKSPAN_DECL void on_list_changed(server_id server);

    // Drops all results.
    LINKSPAN_DECL void clear();

private:
    using key = std::pair<server_id, std::string>;

    struct stored {
        std::uint64_t epoch = 0; // of the connection
        time_point fresh_until{};
        call_result result;
    };

    using map = std::map<key, stored>;

    static std::size_t size_of(map::value_type const& one) noexcept
    {
        return one.first.second.size() + one.second.result.raw().size();
    }

    map::iterator erase(map::iterator which);
    void make_room(std::size_t size);

    map all_;                   // added by store(); erased by all events, and when the time to live has ended
    std::size_t max_bytes_ = 0; // set by limit()
    std::size_t bytes_ = 0;     // size of `all_`
    mark changes_ = 0;          // incremented by on_updated(), on_list_changed() and clear()
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/result_store.ipp>
#endif

#endif
