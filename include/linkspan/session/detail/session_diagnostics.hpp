#ifndef LINKSPAN_SESSION_DETAIL_SESSION_DIAGNOSTICS_HPP
#define LINKSPAN_SESSION_DETAIL_SESSION_DIAGNOSTICS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/utf8_prefix.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/session/session_state.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Observations of one session about its server, for reports: why the last opening or connection has failed, input that
// belongs to no request, and the last challenge of an HTTP server. None of them affects a request.
//
// Invariant: `opening_output_` is empty, or describes the first input since begin_opening() that is no message of MCP.
class session_diagnostics {
public:
    // Returns the beginning of an invalid message, as reports and logs contain it: at most 200 bytes, cut between two
    // characters.
    static std::string_view excerpt(std::string_view text) noexcept { return utf8_prefix(text, max_excerpt); }

    session_counters const& counters() const noexcept { return counters_; }
    std::string const& challenge() const noexcept { return challenge_; }

    // Returns the reason of the last failure; empty: none.
    std::string const& reason() const noexcept { return reason_; }

    // Returns the first line of the reason, at most 200 bytes. Each request of a lost connection stores a copy; the
    // other lines may contain the end of stderr.
    LINKSPAN_DECL std::string first_line() const;

    void on_late_response() noexcept { ++counters_.late_responses; }
    void on_malformed() noexcept { ++counters_.malformed; }

    // Counts a line that is not a message.
    LINKSPAN_DECL void on_unexpected_output(std::string_view text);

    // Called with input that is no message of MCP. The first line, such as the usage of the program, is a part of the
    // reason of a failed opening.
    LINKSPAN_DECL void keep_first_output(std::string_view text);

    // Called with the challenge of each delivery failure; empty: none.
    void on_challenge(std::string_view challenge)
    {
        if (!challenge.empty())
            challenge_ = challenge;
    }

    void set_reason(std::string reason) noexcept { reason_ = std::move(reason); }
    void clear_reason() noexcept { reason_.clear(); }

    // Called when the session is opened.
    void begin_opening() noexcept
    {
        reason_.clear();
        opening_output_.clear();
    }

    // Adds the first line since begin_opening() that is no message of MCP to the reason.
    LINKSPAN_DECL void add_output_to_reason();

    // Adds a line of the transport to the reason; empty: none.
    LINKSPAN_DECL void add_to_reason(std::string_view line);

    // Called if the server has discarded the HTTP session (`Mcp-Session-Id`), and a new handshake has failed. The
    // reason of the failed handshake becomes a part of the text.
    LINKSPAN_DECL void on_renewal_failed(error_code ec);

private:
    static constexpr std::size_t max_excerpt = 200;

    session_counters counters_; // never reset
    // Set by a failed negotiation or opening, and by the end or the shutdown of a connection; cleared when the session
    // is opened and by a successful negotiation.
    std::string reason_;
    std::string opening_output_; // set by keep_first_output(); cleared when the session is opened
    std::string challenge_;      // replaced by each challenge, never cleared
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/session_diagnostics.ipp>
#endif

#endif
