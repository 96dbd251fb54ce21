#ifndef LINKSPAN_TEST_FAULT_DETAIL_FAULTY_MESSAGE_HPP
#define LINKSPAN_TEST_FAULT_DETAIL_FAULTY_MESSAGE_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/test/fault/fault_kind.hpp>

#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// A message that the server would send.
struct faulty_message {
    std::string_view text;     // without a line end
    std::string_view method{}; // of the request, if the message is a response
    std::string_view token{};  // JSON text of the progress token of the request; empty: none
    fault_carrier carrier = fault_carrier::inproc;
    std::string_view host{}; // header field `Host` of the request; empty: not known
    wall_time now{};
};

} // namespace linkspan::test::detail

#endif
