#ifndef LINKSPAN_TEST_SUPPORT_ECHO_ENDPOINT_HPP
#define LINKSPAN_TEST_SUPPORT_ECHO_ENDPOINT_HPP

#include "endpoint_case.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

// A server with the tool "echo", which returns the text "served".
struct echo_endpoint : endpoint_world {
    void make_echo()
    {
        make_endpoint().add(any_tool("echo"),
                            [](server_request request) { request.complete(tool_output::text("served")); });
    }
};

} // namespace linkspan::test

#endif
