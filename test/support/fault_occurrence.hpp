#ifndef LINKSPAN_TEST_SUPPORT_FAULT_OCCURRENCE_HPP
#define LINKSPAN_TEST_SUPPORT_FAULT_OCCURRENCE_HPP

#include <linkspan/model/protocol_version.hpp>
#include <linkspan/test/fault/fault_kind.hpp>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns whether a server of the protocol version receives the requests to whose responses the fault applies.
inline bool occurs_in(fault_description const& what, protocol_version version)
{
    bool const is_stateless = version == protocol_version::v2026_07_28;
    if (what.on == "initialize" || what.on == "ping")
        return !is_stateless;
    return what.on != "server/discover" || is_stateless;
}

} // namespace linkspan::test

#endif
