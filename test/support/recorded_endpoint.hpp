#ifndef LINKSPAN_TEST_SUPPORT_RECORDED_ENDPOINT_HPP
#define LINKSPAN_TEST_SUPPORT_RECORDED_ENDPOINT_HPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/server/http_endpoint.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "recorded_transport.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

// Reads and records the messages of one HTTP connection.
class recorded_http {
public:
    void on_request_bytes(std::string_view bytes)
    {
        requests_ += bytes;
        for (auto end = requests_.find("\r\n\r\n"); end != requests_.npos; end = requests_.find("\r\n\r\n")) {
            auto const head = std::string_view(requests_).substr(0, end + 2);
            auto const size = number(value(head, "Content-Length"));
            if (requests_.size() < end + 4 + size)
                return;
            auto const body = std::string_view(requests_).substr(end + 4, size);
            auto const named = protocol_version_from(value(head, "MCP-Protocol-Version"));
            if (named)
                dialogue_.use(*named);
            // The version of other requests is that of their session, which another connection may have begun.
            if (named || read_envelope(body).method == "initialize")
                dialogue_.on_client_message(body);
            requests_.erase(0, end + 4 + size);
        }
    }

    // Messages are the bodies with a length, and the lines of data of event streams, which are not split by chunks.
    void on_response_bytes(std::string_view bytes)
    {
        responses_ += bytes;
        while (!responses_.empty()) {
            if (body_ != 0) {
                if (responses_.size() < body_)
                    return;
                on_message(std::string_view(responses_).substr(0, body_));
                responses_.erase(0, std::exchange(body_, 0));
                continue;
            }
            auto const end = responses_.find('\n');
            if (end == responses_.npos)
                return;
            auto const line = std::string_view(responses_).substr(0, end + 1);
            if (line.starts_with("HTTP/1.1"))
                head_ = line;
            else if (!head_.empty() && line == "\r\n")
                body_ = number(value(std::exchange(head_, {}), "Content-Length"));
            else if (!head_.empty())
                head_ += line;
            else if (line.starts_with("data: "))
                on_message(line.substr(6, line.find_last_not_of("\r\n") - 5));
            responses_.erase(0, end + 1);
        }
    }

private:
    void on_message(std::string_view text)
    {
        if (!json_scan::member(text, "jsonrpc").empty())
            dialogue_.on_server_message(text);
    }

    static std::size_t number(std::string_view digits) noexcept
    {
        std::size_t out = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), out);
        return out;
    }

    // Returns the value of a header field; empty: there is none.
    static std::string_view value(std::string_view head, std::string_view name) noexcept
    {
        while (!head.empty()) {
            auto const line = head.substr(0, head.find('\n'));
            head.remove_prefix(std::min(line.size() + 1, head.size()));
            auto const colon = line.find(": ");
            if (colon != line.npos && linkspan::detail::equal_ignoring_case(line.substr(0, colon), name))
                return line.substr(colon + 2, line.find_last_not_of('\r') - colon - 1);
        }
        return {};
    }

    recorded_dialogue dialogue_{recorded_dialogue::recording::valid_requests};
    std::string requests_;  // received bytes of a request that is not complete
    std::string responses_; // sent bytes of a line or a body that is not complete
    std::string head_;      // lines of the response head that is sent; empty: none
    std::size_t body_ = 0;  // bytes of the body that follows; 0: none, or the body has no length
};

// The server side of a connection, whose messages are recorded.
class recorded_stream final : public byte_stream {
public:
    recorded_stream(asio::any_io_executor executor, std::unique_ptr<byte_stream> below)
        : executor_(std::move(executor)), below_(std::move(below))
    {}

    void read_some(asio::mutable_buffer into, io_handler done) override
    {
        below_->read_some(into, {[http = http_, into, done = std::move(done)](error_code ec, std::size_t size) mutable {
                                     http->on_request_bytes({static_cast<char const*>(into.data()), size});
                                     done.complete(ec, size);
                                 },
                                 executor_});
    }

    std::size_t write_now(asio::const_buffer from) override
    {
        auto const size = below_->write_now(from);
        http_->on_response_bytes({static_cast<char const*>(from.data()), size});
        return size;
    }

    void write(asio::const_buffer from, io_handler done) override
    {
        http_->on_response_bytes({static_cast<char const*>(from.data()), from.size()});
        below_->write(from, std::move(done));
    }

    bool has_unwritten() const noexcept override { return below_->has_unwritten(); }
    bool is_stale() noexcept override { return below_->is_stale(); }
    void close() noexcept override { below_->close(); }

private:
    asio::any_io_executor executor_; // of the server
    std::unique_ptr<byte_stream> below_;
    std::shared_ptr<recorded_http> http_ = std::make_shared<recorded_http>();
};

// An endpoint of a server, whose messages are recorded for the validation against the schema of their protocol version.
class recorded_endpoint {
public:
    recorded_endpoint(server& what, http_endpoint_options options)
        : executor_(what.get_executor()), below_(what, std::move(options))
    {}

    void serve(std::unique_ptr<byte_stream> stream, std::string address = {})
    {
        below_.serve(std::make_unique<recorded_stream>(executor_, std::move(stream)), std::move(address));
    }

    std::size_t sessions() const noexcept { return below_.sessions(); }
    http_counters counters() const noexcept { return below_.counters(); }

    template<class... Arguments>
    auto async_stop(Arguments&&... arguments)
    {
        return below_.async_stop(std::forward<Arguments>(arguments)...);
    }

private:
    asio::any_io_executor executor_;
    http_endpoint below_;
};

} // namespace linkspan::test

#endif
