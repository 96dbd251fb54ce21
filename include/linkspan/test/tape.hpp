#ifndef LINKSPAN_TEST_TAPE_HPP
#define LINKSPAN_TEST_TAPE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/test/tape_entry.hpp>

#include <cstddef>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Thrown for a text that is not a tape, and for a file that cannot be read. The text of the exception contains the
/// name of the tape and what was expected; for a text also the number of the line, and what was found.
class tape_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// How requests are compared with those of a tape.
enum class tape_match {
    params, ///< by method and parameters, apart from ignored ones; equal requests in the order of the tape
    method, ///< by method, in the order of the tape
    order   ///< by method, with `tape_order::all` in place of `replay_options::order`
};

/// The requests that must be sent in the order of the tape. Lists, `initialize`, `server/discover` and `ping` may be
/// sent at any time.
enum class tape_order {
    any,        ///< a request may match any request of the tape that was not replayed
    per_method, ///< the next request of the tape with the same method must match
    all         ///< the next request of the tape must match
};

/// Options of a replay.
struct replay_options {
    /// Comparison of requests.
    tape_match match = tape_match::params;
    /// Order of the requests.
    tape_order order = tape_order::any;
    /// JSON Pointers of parameters that are not compared.
    std::vector<std::string> ignore{"/_meta"};
    /// Whether responses and notifications are sent at their recorded times after the request. Default: at once.
    bool is_paced = false;
    /// Priority of the rules of the replay, see `rule_conditions::priority`.
    int priority = 0;
};

/// A recorded session of a client and a server.
///
///     scripted_server weather;
///     tape::load("weather.tape.jsonl").add_to(weather);
///     hub.add<inproc>("weather", weather);
///
/// The program `linkspan-mock record` writes tapes, and `linkspan-mock replay` serves them. `doc/tapes.md` describes
/// the format.
///
/// \par Thread safety
/// Distinct objects: safe, also copies. Shared objects: safe for concurrent reads.
class tape {
public:
    /// Reads a tape.
    ///
    /// \param text JSON Lines: a header and one line for each entry.
    /// \param name Name of the tape in messages, for example its path.
    /// \throws tape_error The text is empty, of another version, truncated, or has a line that is not an entry.
    LINKSPAN_DECL static tape parse(std::string_view text, std::string_view name = "tape");

    /// Reads a tape from a file.
    ///
    /// \throws tape_error The file cannot be read, is larger than 256 MiB, or its content is not valid.
    LINKSPAN_DECL static tape load(std::string const& path);

    /// Returns the entries in the order of the recording.
    std::vector<tape_entry> const& entries() const noexcept { return *entries_; }

    /// Adds one rule for each method of the tape to a server. The rules respond as the recorded server did.
    ///
    /// `initialize`, `server/discover` and `ping` match by their methods alone, and lists by method and cursor; when
    /// all matching entries were replayed, the last response is repeated. Each entry of another request is replayed
    /// once. The notifications and the requests of the server that were recorded between a request and its response are
    /// sent before the response; progress tokens are replaced by those of the client. A request without a recorded
    /// response stays pending. A request that no entry matches receives the error -32603, whose message names the first
    /// difference to the next recorded request of the method, or states that an equal request was replayed.
    ///
    /// The function replaces the protocol versions of the server by those of the recorded server, if the tape has them.
    ///
    /// \param server The server. Its connections may outlive the server object.
    LINKSPAN_DECL void add_to(scripted_server& server, replay_options options = {}) const;

    /// Returns a script in the format `linkspan-mock/1` with the recorded tools and one rule for each different
    /// request, except `initialize`, `server/discover`, `ping` and `tools/list`. A rule sends the responses to equal
    /// requests one after another. Recorded notifications and requests of the server are not part of the script.
    LINKSPAN_DECL std::string to_script() const;

private:
    explicit tape(std::vector<tape_entry> entries)
        : entries_(std::make_shared<std::vector<tape_entry> const>(std::move(entries)))
    {}

    std::shared_ptr<std::vector<tape_entry> const> entries_; // not null
};

/// Writes a tape.
///
/// By default, the values of members whose names suggest a secret are replaced by "***": strings, arrays and objects of
/// members whose name contains `token` (except `progressToken`), `secret`, `password`, `authorization`, `cookie` or
/// `credential`, or ends with `key`, in any case.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class tape_writer {
public:
    /// Options of a tape.
    struct options {
        std::string carrier = "stdio";      ///< transport of the session
        bool redacts = true;                ///< whether values of members whose names suggest a secret are replaced
        std::vector<std::string> secrets{}; ///< texts that are replaced wherever they occur; none is empty
    };

    /// Writes the header.
    ///
    /// \param to Stream of the tape, which must outlive this object. Each line is flushed.
    /// \param settings Options of the tape.
    LINKSPAN_DECL tape_writer(std::ostream& to, options settings);

    /// Adds a text that is replaced wherever it occurs in later entries, such as the value of an HTTP header. No effect
    /// if `options::redacts` is false. At most 64 added texts are kept; a further one replaces the oldest.
    LINKSPAN_DECL void add_secret(std::string text);

    /// Writes one entry. A message that is not JSON is written as a string. Line ends in JSON are replaced by spaces.
    LINKSPAN_DECL void write(tape_entry const& entry);

private:
    static constexpr std::size_t max_added_secrets = 64;

    std::ostream& to_;          // set by the constructor
    options with_;              // set by the constructor; add_secret() adds to `secrets`
    std::size_t given_secrets_; // number of secrets of the options; set by the constructor
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/tape.ipp>
#include <linkspan/test/impl/tape.replay.ipp>
#include <linkspan/test/impl/tape.script.ipp>
#endif

#endif
