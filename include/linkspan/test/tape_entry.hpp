#ifndef LINKSPAN_TEST_TAPE_ENTRY_HPP
#define LINKSPAN_TEST_TAPE_ENTRY_HPP

#include <linkspan/core/time.hpp>

#include <string>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Direction of an entry of a tape.
enum class tape_direction {
    in,  ///< from the client to the server
    out, ///< from the server to the client
    err  ///< a line that the server has written to stderr
};

/// One recorded message.
struct tape_entry {
    duration time{};            ///< time since the start of the recording
    tape_direction direction{}; ///< direction
    std::string message;        ///< JSON text of the message; for stderr, and for text that is not JSON, the line
};

} // namespace linkspan::test

#endif
