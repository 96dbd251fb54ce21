#ifndef LINKSPAN_TEST_FLOW_COUNTED_SERVER_HPP
#define LINKSPAN_TEST_FLOW_COUNTED_SERVER_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "session_case.hpp"

namespace linkspan::test {

// Counts how often its tool "pay" ran, for those who may outlive it.
struct counted_server : scripted_server {
    std::shared_ptr<std::size_t> runs = std::make_shared<std::size_t>(0);

    explicit counted_server(protocol_version speaks) : scripted_server({speaks})
    {
        tool("pay", "{}", [runs = runs](std::string_view) {
            ++*runs;
            return std::string(R"("content":[{"type":"text","text":"paid"}])");
        });
    }
};

// The conversation with it that is cut after each byte: an opening in 2026-07-28, and so many calls.
inline constexpr std::size_t calls_to_cut = 2;

// How many bytes it has one way; to cut behind these cuts nothing.
constexpr std::uint64_t bytes_to_cut(bool requests) noexcept { return requests ? 1'400 : 1'060; }

} // namespace linkspan::test

#endif
