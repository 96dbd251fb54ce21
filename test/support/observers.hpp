#ifndef LINKSPAN_TEST_SUPPORT_OBSERVERS_HPP
#define LINKSPAN_TEST_SUPPORT_OBSERVERS_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/policy/views.hpp>

#include <chrono>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test {

// An attempt of the tool "read" as seen by observers.
struct attempt_of {
    call_view call;
    server_view server;
    outcome result;

    explicit attempt_of(std::string_view key, error_code ec = {}, certainty delivery = certainty::completed)
    {
        call.tool = "read";
        server.key = key;
        result.ec = ec;
        result.certainty = delivery;
        result.elapsed = std::chrono::milliseconds(12);
    }

    attempt_view view(unsigned number = 1, unsigned repeats = 0) const
    {
        return {call, server, number, 0, result, false, {}, repeats};
    }
};

} // namespace linkspan::test

#endif
