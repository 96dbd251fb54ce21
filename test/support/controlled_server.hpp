#ifndef LINKSPAN_TEST_SUPPORT_CONTROLLED_SERVER_HPP
#define LINKSPAN_TEST_SUPPORT_CONTROLLED_SERVER_HPP

#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/transport/line_connection.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

// A server that is passive after the opening: the test controls what the server reads and sends.
class controlled_server {
public:
    struct request {
        request_id id = 0;
        bool has_response = false;
        unsigned cancellations = 0;
    };

    // Returns true if the client waits for the server to read.
    bool has_waiting_writer() const noexcept { return static_cast<bool>(writer_) && connected_; }
    bool is_connected() const noexcept { return connected_; }

    // The completely received calls.
    std::vector<request> calls;

    // The number of requests whose id was used before.
    std::size_t repeated_ids = 0;

    // Reads at most this number of the pending bytes.
    void read(std::size_t bytes)
    {
        room_ = bytes;
        wake_writer();
    }

    // Cancels the remaining allowance of `read()`.
    void stop_reading() noexcept { room_ = 0; }

    void respond(request& which, std::string_view rest)
    {
        which.has_response = true;
        send_line(R"({"jsonrpc":"2.0","id":)" + std::to_string(which.id) + ',' + std::string(rest) + '}');
    }

    // Closes the connection.
    void disconnect()
    {
        connected_ = false;
        wake_writer();
        wake_reader();
    }

    // Interface of `controlled_stream`

    void open(asio::any_io_executor const& executor)
    {
        executor_ = executor;
        room_ = std::string::npos; // unlimited during the opening
    }

    std::size_t write_some(asio::const_buffer from, error_code& ec)
    {
        if (!connected_) {
            ec = asio::error::broken_pipe;
            return 0;
        }
        auto const size = std::min(from.size(), room_);
        if (size == 0)
            ec = asio::error::would_block;
        if (room_ != std::string::npos)
            room_ -= size;
        unread_.append(static_cast<char const*>(from.data()), size);
        for (auto end = unread_.find('\n'); end != unread_.npos; end = unread_.find('\n')) {
            on_line(std::string_view(unread_).substr(0, end));
            unread_.erase(0, end + 1);
        }
        return size;
    }

    void wait_writable(linkspan::detail::pending_handler<void(error_code)> writer) { writer_ = std::move(writer); }

    void read_some(asio::mutable_buffer into, linkspan::detail::pending_handler<void(error_code, std::size_t)> reader)
    {
        into_ = into;
        reader_ = std::move(reader);
        if (!output_.empty() || !connected_)
            wake_reader();
    }

    void close() noexcept { disconnect(); }

private:
    void send_line(std::string const& line)
    {
        output_ += line + '\n';
        wake_reader();
    }

    void wake_writer()
    {
        if (writer_)
            asio::post(executor_, [writer = std::move(writer_)]() mutable { writer.complete({}); });
    }

    void wake_reader()
    {
        if (!reader_)
            return;
        auto const size = std::min(output_.size(), into_.size());
        std::memcpy(into_.data(), output_.data(), size);
        output_.erase(0, size);
        error_code const ec = size == 0 ? error_code(asio::error::eof) : error_code();
        asio::post(executor_, [reader = std::move(reader_), ec, size]() mutable { reader.complete(ec, size); });
    }

    void on_line(std::string_view line)
    {
        auto const method = json_scan::member(line, "method");
        auto const id = json_scan::integer(json_scan::member(line, "id")).value_or(0);
        if (id != 0) {
            repeated_ids += std::ranges::count(ids_, id) != 0;
            ids_.push_back(id);
        }
        auto const reply = [&](std::string_view result) {
            send_line(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":)" + std::string(result) + '}');
        };
        if (method == R"("initialize")") {
            reply(R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                  R"("serverInfo":{"name":"controlled","version":"1"}})");
        } else if (method == R"("tools/list")") {
            room_ = 0;
            reply(R"({"tools":[{"name":"pay","inputSchema":{}}]})");
        } else if (method == R"("tools/call")") {
            calls.push_back({id, false, 0});
        } else if (method == R"("notifications/cancelled")") {
            auto const which = json_scan::integer(json_scan::member(json_scan::member(line, "params"), "requestId"));
            for (auto& call : calls)
                call.cancellations += call.id == which;
        }
    }

    asio::any_io_executor executor_;
    bool connected_ = true;
    std::size_t room_ = 0;
    std::string unread_, output_;
    std::vector<request_id> ids_;
    linkspan::detail::pending_handler<void(error_code)> writer_;
    asio::mutable_buffer into_;
    linkspan::detail::pending_handler<void(error_code, std::size_t)> reader_;
};

// The connection to a controlled server.
class controlled_stream {
public:
    struct config_type {
        controlled_server* server;
    };
    static constexpr std::string_view kind = "controlled";

    controlled_stream(asio::any_io_executor executor, config_type const& config)
        : executor_(std::move(executor)), server_(config.server)
    {}

    void open(error_code&) { server_->open(executor_); }
    std::size_t write_some(asio::const_buffer bytes, error_code& ec) { return server_->write_some(bytes, ec); }

    template<class Handler>
    void async_wait_writable(Handler&& handler)
    {
        server_->wait_writable({std::forward<Handler>(handler), executor_});
    }

    template<class Handler>
    void async_read_some(asio::mutable_buffer into, Handler&& handler)
    {
        server_->read_some(into, {std::forward<Handler>(handler), executor_});
    }

    template<class Handler>
    void async_shutdown(Handler&& handler)
    {
        close();
        asio::post(executor_, [done = linkspan::detail::pending_handler<void(error_code)>(
                                   std::forward<Handler>(handler), executor_)]() mutable { done.complete({}); });
    }

    void close() noexcept { server_->close(); }

private:
    asio::any_io_executor executor_;
    controlled_server* server_;
};

} // namespace linkspan::test

#endif
