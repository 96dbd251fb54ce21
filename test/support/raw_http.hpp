#ifndef LINKSPAN_TEST_SUPPORT_RAW_HTTP_HPP
#define LINKSPAN_TEST_SUPPORT_RAW_HTTP_HPP

#include <linkspan/core/time.hpp>
#include <linkspan/test/case.hpp>
#include <linkspan/transport/byte_stream.hpp>
#include <linkspan/transport/memory_byte_stream.hpp>
#include <linkspan/transport/memory_pipe.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "contains.hpp"

namespace raw_http {

namespace asio = boost::asio;

using linkspan::test::contains;

/// The client end of a connection in memory, for raw bytes.
class client {
public:
    explicit client(asio::any_io_executor executor) : client(std::move(executor), linkspan::make_memory_pipe()) {}

    /// Returns the other end. Can be called once.
    std::unique_ptr<linkspan::byte_stream> other() { return std::move(other_); }
    linkspan::memory_end const& end() const noexcept { return end_; }

    asio::awaitable<void> write(std::string bytes)
    {
        co_await asio::async_initiate<asio::use_awaitable_t<> const, void(linkspan::error_code, std::size_t)>(
            [&](auto handler) {
                mine_->write(asio::buffer(bytes), {std::move(handler), executor_});
            },
            asio::use_awaitable);
    }

    /// Returns the received bytes up to the read that contains `part`, or up to the end of the stream.
    asio::awaitable<std::string> read_until(std::string_view part)
    {
        while (!contains(received_, part) && !ended_) {
            auto on_read = [this](linkspan::error_code ec, std::size_t size, auto& done) {
                ended_ = ec.failed();
                received_.append(chunk_.data(), size);
                done(linkspan::error_code());
            };
            co_await asio::async_initiate<asio::use_awaitable_t<> const, void(linkspan::error_code)>(
                [&](auto handler) {
                    mine_->read_some(asio::buffer(chunk_), {[on_read, handler = std::move(handler)](
                                                                linkspan::error_code ec, std::size_t size) mutable {
                                                                on_read(ec, size, handler);
                                                            },
                                                            executor_});
                },
                asio::use_awaitable);
        }
        co_return std::exchange(received_, {});
    }

    asio::awaitable<std::string> read_to_end() { return read_until("\x01 never"); }

    bool has_ended() const noexcept { return ended_; }
    void close() { mine_->close(); }

private:
    client(asio::any_io_executor executor, std::pair<linkspan::memory_end, linkspan::memory_end> ends)
        : executor_(std::move(executor)),
          end_(ends.first),
          mine_(std::make_unique<linkspan::memory_byte_stream>(executor_, ends.first)),
          other_(std::make_unique<linkspan::memory_byte_stream>(executor_, ends.second))
    {}

    asio::any_io_executor executor_;
    linkspan::memory_end end_;
    std::unique_ptr<linkspan::byte_stream> mine_, other_;
    std::array<char, 4096> chunk_;
    std::string received_;
    bool ended_ = false;
};

// A case as a list of steps that may wait in between.
struct steps_world : linkspan::test::world {
    asio::awaitable<void> wait(linkspan::duration span)
    {
        linkspan::timer pause(executor);
        pause.expires_after(span);
        co_await pause.async_wait(asio::use_awaitable);
    }

    virtual asio::awaitable<void> steps() = 0;
};

} // namespace raw_http

#endif
