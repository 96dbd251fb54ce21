#ifndef LINKSPAN_CONNECTOR_DETAIL_ATTEMPT_TRAIL_HPP
#define LINKSPAN_CONNECTOR_DETAIL_ATTEMPT_TRAIL_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/detail/config.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the outcome of an attempt whose arguments do not match the schema of the tool, so that no request was sent.
LINKSPAN_DECL outcome rejection_of_arguments();

// Returns whether no request was sent because the arguments do not match. The certainty is checked too: an interceptor
// may invoke the next function twice, so that an earlier request was sent.
LINKSPAN_DECL bool is_rejection_of_arguments(outcome const& result);

// State of a server that received no attempt: input of attempt_trail::add_unavailable().
struct unavailable_server {
    std::string_view key;               // name of the server
    bool is_connected = false;          // the session is ready
    std::string diagnostics;            // not connected: text about the last connection
    std::string restart_text;           // not connected: text about the next start
    std::optional<duration> restart_in; // not connected: time until the scheduled restart
    bool has_open_breaker = false;      // connected: the circuit breaker is open
    bool last_resort_in_use = false;    // open breaker: another call uses the server as its last resort
    error_code last_failure;            // open breaker: the last failure
    std::optional<duration> probe_in;   // open breaker: time until the next probe
    std::optional<duration> pause;      // connected: rest of the pause that the server requested
};

// Records of the attempts of one call and of the servers that received none, with the texts that describe them.
//
// Invariant: the records are in the order in which the attempts ended. A successful first attempt adds no record, so
// that a call without failures allocates no memory for the trail.
class attempt_trail {
public:
    bool empty() const noexcept { return records_.empty(); }

    // Returns the last record. Precondition: the trail is not empty.
    attempt_record const& last() const noexcept { return records_.back(); }

    // Adds the record of an attempt. `id`: id of the request, which is recorded unless no request was sent.
    LINKSPAN_DECL void add_attempt(std::string_view server, request_id id, outcome const& result, std::string detail,
                                   std::string data = {});

    // Adds the record of an attempt that did not reach the server, and returns its outcome.
    LINKSPAN_DECL outcome add_not_reached(std::string_view server, error_code ec, duration elapsed, std::string detail);

    // Adds the record of a call that completed with a stored result, without a request.
    LINKSPAN_DECL void add_stored(std::string_view server);

    // Adds the record of a server that the admission policy has excluded.
    LINKSPAN_DECL void add_not_admitted(std::string_view server);

    // Adds the record of a server that cannot execute a call, with the reason.
    LINKSPAN_DECL void add_unavailable(unavailable_server const& server);

    // Event: the server of the last attempt does not have the tool, so that the server has refused the request.
    void on_tool_missing() noexcept { records_.back().result.certainty = certainty::refused; }

    // Removes the records of attempts that were not sent.
    LINKSPAN_DECL void remove_unsent();

    // Removes all records; take() returns them.
    void clear() noexcept { records_.clear(); }
    std::vector<attempt_record> take() noexcept { return std::exchange(records_, {}); }

    // The first two functions return whether all records have a property, and the others whether at least one record
    // has it. All return false for an empty trail.
    LINKSPAN_DECL bool all_reject_arguments() const; // the arguments do not match the schemas of the servers
    LINKSPAN_DECL bool all_lack_tool() const;        // the servers do not have the tool
    LINKSPAN_DECL bool was_sent() const;             // a request was sent
    LINKSPAN_DECL bool may_have_executed() const;    // a server may have executed the call
    LINKSPAN_DECL bool has_failed_server() const;    // a server failed or refuses calls; a full queue is no failure

    // Returns the text of the first record, or an empty text.
    LINKSPAN_DECL std::string first_detail() const;

    // Returns the last failure in one line, for logs that keep only the first line of a message. Precondition: the
    // trail is not empty.
    LINKSPAN_DECL std::string last_failure_text() const;

private:
    std::vector<attempt_record> records_; // added by the functions `add_...`, moved out by take()
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/attempt_trail.ipp>
#endif

#endif
