#ifndef LINKSPAN_SERVER_DETAIL_SUSPENDED_REQUESTS_HPP
#define LINKSPAN_SERVER_DETAIL_SUSPENDED_REQUESTS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/optional_timer.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/protocol/principal_quota.hpp>
#include <linkspan/protocol/server/request_seal.hpp>
#include <linkspan/server/detail/served_request.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The stateless requests of a server that wait for input of their clients, and the sealed states that identify them.
//
// An outcome with which a handler completes a suspended request is stored until the client sends the request again.
//
// A request waits in one of two ways. Its handler is suspended, and continues in this object when the client sends the
// request again; or all its state is in the sealed text, and the handler runs again, possibly in another instance of
// the server.
//
// Invariant: while there are requests, a wait for the first deadline is outstanding, unless the memory was not
// sufficient to start it; the next suspend() then starts it. A function that throws `std::bad_alloc` has no effect.
class suspended_requests final : public std::enable_shared_from_this<suspended_requests> {
public:
    // Maximum time for which a state is accepted, for any timeout.
    static constexpr duration max_validity = std::chrono::hours(24 * 365);

    // key: secret of the seal; empty: a random key. max_each: maximum number of requests of an account.
    LINKSPAN_DECL suspended_requests(asio::any_io_executor executor, std::string const& key, duration timeout,
                                     std::size_t max_requests, std::size_t max_each);
    suspended_requests(suspended_requests const&) = delete;
    suspended_requests& operator=(suspended_requests const&) = delete;

    // Stores a request whose handler is suspended, and returns its sealed state; empty: there are too many. Throws
    // `std::bad_alloc`: the request is not stored.
    LINKSPAN_DECL std::string suspend(served_request_pointer request);

    // Returns the sealed state of a request whose handler runs again with `state` and `inputs`, a JSON object.
    LINKSPAN_DECL std::string seal(served_request const& request, std::string_view state, std::string_view inputs);

    // Result of open().
    struct opened {
        served_request_pointer request; // the suspended request; null: the handler runs again
        std::uint64_t key = 0;          // of `request`, for send_outcome() and remove()
        bool has_outcome = false;       // `request` is over; otherwise it continues
        std::string state, inputs;      // only if `request` is null
    };

    // Checks the state that a client sent. Empty: the state is not valid, or the request does not wait any more. A
    // suspended request remains stored, so that its client can send the state again if the memory is not sufficient for
    // the next steps.
    LINKSPAN_DECL std::optional<opened> open(served_request const& request, std::string_view sealed);

    // Sends the outcome of a suspended request as the response to `to`, and removes the request. After an exception,
    // the outcome remains stored. Precondition: open() has returned the key with an outcome, in the same event.
    LINKSPAN_DECL void send_outcome(std::uint64_t key, served_request& to);

    // Removes a suspended request that continues, so that its state is not accepted any more.
    LINKSPAN_DECL void remove(std::uint64_t key);

    // Stores the outcome of a suspended request that its handler has completed, for example after a timeout of its own.
    LINKSPAN_DECL void keep_outcome(served_request const& request, served_request::outcome_function outcome);

    // Removes a suspended request that was cancelled or has expired.
    LINKSPAN_DECL void forget(served_request const& request);

    // Cancels the requests of a client whose connection has ended, and discards their outcomes.
    LINKSPAN_DECL void cancel_of(served_client const& client);

    // Cancels all requests, and discards all outcomes.
    LINKSPAN_DECL void clear();

    std::size_t size() const noexcept { return requests_.size(); }

private:
    struct entry {
        served_request_pointer request;
        time_point deadline;
        principal_quota::place place;                  // of `accounts_`
        served_request::outcome_function outcome = {}; // set by keep_outcome(); empty: the request waits
    };

    std::string seal_payload(served_request const& request, std::string_view payload);
    std::optional<opened> open_suspended(served_request const& request, std::string_view sealed);
    void wait(time_point until);
    void end_wait();
    void on_wait_over();
    void expire();

    // Set by the constructor and not changed later.
    asio::any_io_executor executor_;
    time_source& time_;
    duration timeout_;
    std::size_t max_requests_;

    principal_quota accounts_;                // the suspended requests of each account
    request_seal seal_;                       // has the states that were used
    std::string instance_;                    // text that no other instance has; set by the constructor
    std::uint64_t nonce_;                     // of the last sealed state; drawn by the constructor, then incremented
    std::map<std::uint64_t, entry> requests_; // in the order of their deadlines; added by suspend()
    std::uint64_t last_ = 0;                  // key of the last entry; incremented by suspend()
    optional_timer timer_;                    // waits for the first deadline
    bool is_waiting_ = false; // the wait is outstanding; set by wait(), cleared by on_wait_over() and end_wait()
};

} // namespace linkspan::detail

#endif
