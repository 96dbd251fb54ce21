#ifndef LINKSPAN_TEST_SUPPORT_COUNTED_SERVER_HPP
#define LINKSPAN_TEST_SUPPORT_COUNTED_SERVER_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "session_case.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

// Counts the executions of its tool "pay". The counter may outlive the server.
struct counted_server : scripted_server {
    std::shared_ptr<std::size_t> runs = std::make_shared<std::size_t>(0);

    explicit counted_server(protocol_version protocol) : scripted_server({protocol})
    {
        tool("pay", "{}", [runs = runs](std::string_view) {
            ++*runs;
            return std::string(R"("content":[{"type":"text","text":"paid"}])");
        });
    }
};

// Number of calls of a session in protocol version 2026-07-28 whose connection is cut after each byte.
inline constexpr std::size_t calls_to_cut = 2;

// Number of bytes that this session transfers in one direction. A cut after these has no effect.
constexpr std::uint64_t bytes_to_cut(bool requests) noexcept { return requests ? 1'400 : 1'060; }

} // namespace linkspan::test

#endif
