#ifndef LINKSPAN_TEST_SUPPORT_OBSERVERS_HPP
#define LINKSPAN_TEST_SUPPORT_OBSERVERS_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/policy/concepts.hpp>
#include <linkspan/policy/views.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

// Observer that adds the number of each attempt and the key of its server to a log, as "attempt 1 of a".
struct attempt_observer {
    using role = observer_role;
    std::shared_ptr<std::vector<std::string>> log;
    void on_attempt(attempt_view const& view) const
    {
        log->push_back("attempt " + std::to_string(view.number) + " of " + std::string(view.server.key));
    }
};

} // namespace linkspan::test

#endif
