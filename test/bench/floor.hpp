#ifndef LINKSPAN_TEST_BENCH_FLOOR_HPP
#define LINKSPAN_TEST_BENCH_FLOOR_HPP

// The floor: the same messages through the same pipes with blocking system calls, without JSON and event loop. The cost
// of a client is stated as a ratio to the floor of the same run. The requests have the same bytes as those of the
// library, including the members of `_meta` that protocol version 2026-07-28 requires.

#include <linkspan/protocol/compose.hpp>
#include <linkspan/session/session_options.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace bench {

class raw_client {
public:
    raw_client(std::string const& server, std::vector<std::string> const& args)
    {
        int down[2], up[2];
        if (::pipe2(down, O_CLOEXEC) != 0 || ::pipe2(up, O_CLOEXEC) != 0)
            throw std::runtime_error("pipe2 failed");
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, down[0], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, up[1], STDOUT_FILENO);
        std::vector<char*> argv{const_cast<char*>(server.c_str())};
        for (auto const& arg : args)
            argv.push_back(const_cast<char*>(arg.c_str()));
        argv.push_back(nullptr);
        auto const failure = posix_spawn(&pid_, server.c_str(), &actions, nullptr, argv.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        ::close(down[0]);
        ::close(up[1]);
        to_ = down[1];
        from_ = up[0];
        if (failure != 0)
            throw std::runtime_error("cannot start " + server);
        put(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
            R"("capabilities":{},"clientInfo":{"name":"floor","version":"1"}}})"
            "\n");
        next_line();
        put("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
        linkspan::composer writer;
        linkspan::session_options const defaults;
        writer.set_protocol_version(linkspan::protocol_version::v2026_07_28,
                                    {defaults.client_name, defaults.client_version, "{}"});
        linkspan::request_parts parts;
        parts.id = 1;
        parts.method = "m";
        linkspan::text_buffer composed;
        writer.request(composed, parts);
        std::string_view const request = composed.view();
        auto const begin = request.find("{", request.find("\"_meta\":")) + 1;
        meta_ = request.substr(begin, request.size() - begin - 3); // without the closing braces
    }

    /// Omits `_meta` from the following requests, as a client of the era `handshake` does, or adds it again.
    void omit_meta(bool omit) { omits_meta_ = omit; }

    raw_client(raw_client const&) = delete;
    raw_client& operator=(raw_client const&) = delete;

    ~raw_client()
    {
        ::close(to_);
        ::close(from_);
        if (pid_ > 0)
            ::waitpid(pid_, nullptr, 0);
    }

    /// Makes one call. Returns the length of the echoed text.
    std::size_t call(std::string const& text)
    {
        out_.clear();
        append_request(text);
        put(out_);
        return text_length(next_line());
    }

    /// Keeps `window` calls in flight until `total` are complete.
    void pipeline(std::size_t window, std::size_t total, std::string const& text)
    {
        std::size_t sent = 0;
        out_.clear();
        for (; sent != std::min(window, total); ++sent)
            append_request(text);
        put(out_);
        for (std::size_t got = 0; got != total;) {
            out_.clear();
            do {
                if (text_length(next_line()) != text.size())
                    throw std::runtime_error("the floor received a wrong echo");
                ++got;
                if (sent != total) {
                    append_request(text);
                    ++sent;
                }
            } while (got != total && in_.find('\n', begin_) != in_.npos);
            put(out_);
        }
    }

private:
    void append_request(std::string const& text)
    {
        out_ += R"({"jsonrpc":"2.0","id":)";
        auto const id = std::to_string(++id_);
        out_ += id;
        out_ += R"(,"method":"tools/call","params":{"arguments":{"text":")";
        out_ += text;
        out_ += R"("},"name":"echo")";
        if (!omits_meta_)
            ((((out_ += R"(,"_meta":{"progressToken":)") += id) += ',') += meta_) += '}';
        out_ += "}}\n";
    }

    void put(std::string_view bytes)
    {
        while (!bytes.empty()) {
            auto const size = ::write(to_, bytes.data(), bytes.size());
            if (size <= 0)
                throw std::runtime_error("the floor cannot write");
            bytes.remove_prefix(static_cast<std::size_t>(size));
        }
    }

    std::string_view next_line()
    {
        for (auto from = begin_;;) {
            if (auto const end = in_.find('\n', from); end != in_.npos) {
                std::string_view const line(in_.data() + begin_, end - begin_);
                begin_ = end + 1;
                return line;
            }
            from = in_.size() - begin_;
            read_more();
        }
    }

    void read_more()
    {
        constexpr std::size_t room = std::size_t{64} << 10;
        in_.erase(0, begin_);
        begin_ = 0;
        auto const had = in_.size();
        in_.resize(had + room);
        auto const size = ::read(from_, in_.data() + had, room);
        if (size <= 0)
            throw std::runtime_error("the floor cannot read");
        in_.resize(had + static_cast<std::size_t>(size));
    }

    // Does not parse, because the frame of a response is known.
    static std::size_t text_length(std::string_view line)
    {
        constexpr std::string_view key = R"("text":")";
        auto const begin = line.find(key) + key.size();
        return line.rfind('"', line.rfind(']')) - begin;
    }

    pid_t pid_ = -1;
    int to_ = -1, from_ = -1;
    std::uint64_t id_ = 0;
    std::string meta_; // members of `_meta` without the progress token
    bool omits_meta_ = false;
    std::string in_, out_;
    std::size_t begin_ = 0; // start of the unprocessed bytes
};

} // namespace bench

#endif
