#ifndef LINKSPAN_TEST_DETAIL_MESSAGE_LOG_HPP
#define LINKSPAN_TEST_DETAIL_MESSAGE_LOG_HPP

#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

/// Records the messages between clients and scripted servers in a file per process, one JSON object per line.
///
/// The environment variable LINKSPAN_MESSAGE_LOG names the folder; if it is not set, no message is recorded.
/// `test/interop/wire_schemas` validates the recorded messages against the schema of their protocol version. Messages
/// that differ from an earlier one of the same protocol version in digits only, and messages of more than 1 MiB, are
/// skipped.
class message_log {
public:
    enum class side { client, server };

    message_log()
    {
        if (auto const* const folder = std::getenv("LINKSPAN_MESSAGE_LOG"))
            path_ = std::string(folder) + "/" + std::to_string(::getpid()) + ".jsonl";
    }

    explicit operator bool() const noexcept { return !path_.empty(); }

    /// Appends `message`. `request_method` is the method of the request that `message` is a response to; empty: not a
    /// response.
    void write(side from, protocol_version version, std::string_view message, std::string_view request_method = {})
    {
        constexpr std::size_t max_size = std::size_t{1} << 20;
        if (path_.empty() || message.size() > max_size)
            return;
        std::string line = R"({"from":")" + std::string(from == side::client ? "client" : "server") +
                           R"(","protocol_version":")" + std::string(to_string(version)) + R"(","request_method":")";
        auto shape = line += request_method; // with the digits of the protocol version
        append_quoted(line += R"(","text":)", message);
        std::ranges::copy_if(message, std::back_inserter(shape), [](char c) { return c < '0' || c > '9'; });
        if (seen_.insert(std::move(shape)).second)
            std::ofstream(path_, std::ios::app) << line << "}\n";
    }

private:
    std::string path_;           // set by the constructor; empty: nothing is recorded
    std::set<std::string> seen_; // recorded lines without the digits of their messages; added with each line
};

} // namespace linkspan::test::detail

#endif
