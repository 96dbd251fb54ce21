#ifndef LINKSPAN_EXAMPLE_MESSAGE_LOG_HPP
#define LINKSPAN_EXAMPLE_MESSAGE_LOG_HPP

#include <linkspan/model/call_result.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <cstddef>
#include <string>
#include <vector>

/// Log of the requests to two servers, A and B, per step and server, followed by the result of the step, and the
/// attempts of its call if there were several.
struct message_log {
    linkspan::test::scripted_server const &a, &b;
    std::vector<std::string> lines{};
    std::size_t logged_of_a = 0, logged_of_b = 0;

    void end_step()
    {
        append_requests("A ", a.received(), logged_of_a);
        append_requests("B ", b.received(), logged_of_b);
    }

    void end_step(linkspan::call_result const& result)
    {
        end_step();
        lines.push_back(result.text());
        for (auto const& attempt : result.attempts())
            lines.push_back(attempt.server + ": " + std::string(to_string(attempt.result.certainty)));
    }

private:
    void append_requests(std::string const& name, std::vector<std::string> const& received, std::size_t& logged)
    {
        for (; logged != received.size(); ++logged)
            for (std::string const method : {"initialize", "tools/list", "tools/call"})
                if (received[logged].find("\"method\":\"" + method + '"') != std::string::npos)
                    lines.push_back(name + method);
    }
};

#endif
