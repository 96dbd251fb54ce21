#ifndef LINKSPAN_TEST_TRACE_HPP
#define LINKSPAN_TEST_TRACE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/fnv1a.hpp>
#include <linkspan/core/time.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

/// The events of the servers of a `world`, in their order: opened and ended connections, received and sent messages.
///
/// Each event is one line: the virtual time, the server, the number of the connection, and the event. `<-` precedes a
/// message of the client, `->` a message of the server.
///
///     t=+1.250s weather#2 <- tools/call id=7 forecast
///     t=+3.250s weather#2 -> result id=7
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class trace {
public:
    /// Returns the lines of all events, without line ends.
    std::vector<std::string> const& lines() const noexcept { return lines_; }

    /// Returns a hash of the lines and of the complete messages. The hash is the same on every machine.
    std::uint64_t hash() const noexcept { return hash_; }

    /// Adds a line for an event that is not a message.
    ///
    /// \param now Virtual time of the event.
    /// \param server Name of the server.
    /// \param connection Number of the connection among those of the server, from 1.
    /// \param event Text of the event.
    LINKSPAN_DECL void add(time_point now, std::string_view server, std::size_t connection, std::string_view event);

    /// Adds a line for a message. See `add`.
    ///
    /// \param direction `<-` for a message of the client, `->` for a message of the server.
    /// \param message The complete message, which need not be JSON.
    LINKSPAN_DECL void add_message(time_point now, std::string_view server, std::size_t connection,
                                   std::string_view direction, std::string_view message);

private:
    std::vector<std::string> lines_;                   // one for each event
    std::uint64_t hash_ = linkspan::detail::fnv1a(""); // of all lines and messages
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/trace.ipp>
#endif

#endif
