#ifndef LINKSPAN_EXAMPLE_MESSAGE_LOG_HPP
#define LINKSPAN_EXAMPLE_MESSAGE_LOG_HPP

#include <linkspan/test/scripted_server.hpp>

#include <cstddef>
#include <string>
#include <vector>

/// What two servers, A and B, were asked: step by step, and within a step by server; and what each step brought.
struct message_log {
    linkspan::test::scripted_server const &a, &b;
    std::vector<std::string> lines{};
    std::size_t seen_by_a = 0, seen_by_b = 0;

    void end_step(std::string const& result = {})
    {
        take("A ", a.received(), seen_by_a);
        take("B ", b.received(), seen_by_b);
        if (!result.empty())
            lines.push_back(result);
    }

private:
    void take(std::string const& name, std::vector<std::string> const& received, std::size_t& seen)
    {
        for (; seen != received.size(); ++seen)
            for (std::string const method : {"initialize", "tools/list", "tools/call"})
                if (received[seen].find("\"method\":\"" + method + '"') != std::string::npos)
                    lines.push_back(name + method);
    }
};

#endif
