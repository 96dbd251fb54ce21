#ifndef LINKSPAN_TEST_SUPPORT_QUIET_CONNECTION_HPP
#define LINKSPAN_TEST_SUPPORT_QUIET_CONNECTION_HPP

#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

// Connection of a client to a server, without I/O, which keeps all bytes of the server. Allocates no memory during a
// test.
struct quiet_connection final : byte_stream {
    struct state {
        std::string sent; // by the server
        asio::mutable_buffer into;
        asio::const_buffer from;
        io_handler reading, writing;
        bool is_slow = false; // no byte is accepted before the end of an operation
        bool is_closed = false;

        // Passes bytes of the client to the server.
        void receive(std::string_view text)
        {
            std::memcpy(into.data(), text.data(), text.size());
            reading.complete({}, text.size());
        }

        // Completes the outstanding write.
        void write()
        {
            sent.append(static_cast<char const*>(from.data()), from.size());
            auto done = std::move(writing);
            writing = {};
            done.complete({}, from.size());
        }

        // Ends the outstanding operations of a closed connection. Returns whether there was one.
        bool abort()
        {
            bool is_aborted = false;
            for (auto* const each : {&reading, &writing})
                if (*each) {
                    auto done = std::move(*each);
                    *each = {};
                    done.complete(asio::error::operation_aborted, 0);
                    is_aborted = true;
                }
            return is_aborted;
        }
    };
    std::shared_ptr<state> at = std::make_shared<state>();

    quiet_connection() { at->sent.reserve(std::size_t{1} << 18); }

    void read_some(asio::mutable_buffer into, io_handler done) override
    {
        at->into = into;
        at->reading = std::move(done);
    }
    std::size_t write_now(asio::const_buffer from) override
    {
        if (at->is_slow)
            return 0;
        at->sent.append(static_cast<char const*>(from.data()), from.size());
        return from.size();
    }
    void write(asio::const_buffer from, io_handler done) override
    {
        at->from = from;
        at->writing = std::move(done);
    }
    bool is_stale() noexcept override { return at->is_closed; }
    void close() noexcept override { at->is_closed = true; }
};

} // namespace linkspan::test

#endif
