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

// Results of `resources/read` or of `tools/call`, which are used instead of further requests, without I/O.
//
// The key is the connection with a server and a text, which has all parameters of the request: the URI of a resource,
// or the name of a tool and its arguments. A result of one connection is never used for another one, so that a result
// with the scope `private` remains within its authorization; the scope `public`, which allows more, makes no
// difference.
//
// Invariants: the stored results are at most `max_results`, and have at most `max_bytes()` bytes, counted as the text
// of the result and of the key. Empty if `max_bytes()` is 0, the default.
//
// Specification: MCP 2026-07-28, "Caching".
class result_store {
public:
    // A connection with a server.
    struct connection {
        server_id server{};
        std::uint64_t epoch = 0; // of the server
    };

    // Default limits, see <linkspan/connector/stored_results.hpp>.
    static constexpr std::size_t default_max_bytes = 4 * 1024 * 1024, default_max_results = 1000;

    // Number of the changes of resources or of lists so far.
    using mark = std::uint64_t;

    std::size_t max_bytes() const noexcept { return max_bytes_; }
    std::size_t bytes() const noexcept { return bytes_; }

    // Sets the maximum size and number of the results; 0: nothing is stored. Drops the results that exceed a limit.
    LINKSPAN_DECL void limit(std::size_t max_bytes, std::size_t max_results = static_cast<std::size_t>(-1));

    // Returns the stored result; null: there is none, or its time to live has ended. The pointer is valid until the
    // next change of the object.
    LINKSPAN_DECL call_result const* find(connection const& from, std::string_view name, time_point now);

    // Returns a mark at the time at which a request is sent.
    mark now() const noexcept { return changes_; }

    // Event: the response to a request arrived. The result is stored if `ttl` is greater than 0, and there was no
    // change since the mark. `sent`: from now(). `ttl`: limited to 24 h.
    LINKSPAN_DECL void store(connection const& from, std::string_view name, call_result const& result, duration ttl,
                             mark sent, time_point now);

    // As the other function, with the time to live that the result has (`ttlMs`).
    LINKSPAN_DECL void store(connection const& from, std::string_view name, call_result const& result, mark sent,
                             time_point now);

    // Events: a resource, or the list of resources or tools, of a server was changed. The results of the resource and
    // of resources that may contain it, whose URI is the beginning of `uri`, are dropped, or all results of the server.
    LINKSPAN_DECL void on_updated(server_id server, std::string_view uri);
    LINKSPAN_DECL void on_list_changed(server_id server);

    // Event: the connection with a server has ended. Drops its results, which find() would not return any more.
    LINKSPAN_DECL void on_disconnected(server_id server);

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
    void make_room(std::size_t size, std::size_t number);

    map all_;                     // added by store(); erased by all events, and when the time to live has ended
    std::size_t max_bytes_ = 0;   // set by limit()
    std::size_t max_results_ = 0; // set by limit()
    std::size_t bytes_ = 0;       // size of `all_`
    mark changes_ = 0;            // incremented by on_updated(), on_list_changed() and clear()
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/result_store.ipp>
#endif

#endif
