#ifndef LINKSPAN_HTTP_SERVER_DETAIL_HTTP_SERVER_CORE_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_HTTP_SERVER_CORE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/deadline_timer.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/http/server/detail/connection_group.hpp>
#include <linkspan/http/server/detail/http_remote.hpp>
#include <linkspan/http/server/detail/http_request_reader.hpp>
#include <linkspan/http/server/detail/output_budget.hpp>
#include <linkspan/http/server/detail/output_queue.hpp>
#include <linkspan/http/server/http_server_connection.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Implementation of `http_server_connection`. Outstanding operations keep the object alive; handles of exchanges have
// weak references.
//
// Invariants: at most one exchange exists at a time, with the number `number_`; handles with other numbers have no
// effect. At most one read and one write are outstanding. `on_end_` is called at most once, and not after `abandon`.
class http_server_core final : public std::enable_shared_from_this<http_server_core>,
                               private output_budget::connection {
public:
    http_server_core(asio::any_io_executor executor, std::unique_ptr<byte_stream> stream, http_request_handler& handler,
                     http_server_limits const& limits, std::function<void()> on_end, std::string address,
                     std::shared_ptr<connection_group> group)
        : executor_(std::move(executor)),
          stream_(std::move(stream)),
          handler_(handler),
          limits_(limits),
          group_(std::move(group)),
          on_end_(std::move(on_end)),
          remote_{std::move(address)},
          time_(time_source::of(executor_)),
          timer_(executor_),
          requests_(http_reader<true>::limits{limits.max_head, limits.max_body}, group_ ? group_->bodies : nullptr,
                    remote_.address)
    {}

    LINKSPAN_DECL void begin();
    LINKSPAN_DECL void stop();

    // Closes the connection, and calls `on_disconnect_` and `on_end_`.
    LINKSPAN_DECL void disconnect();
    LINKSPAN_DECL void close() noexcept;

    // Closes the connection without calling `on_disconnect_` and `on_end_`, and destroys both functions, because they
    // may own objects that own this one.
    LINKSPAN_DECL void abandon() noexcept;

    bool is_current(std::uint64_t number) const noexcept { return is_busy_ && !is_closed_ && number == number_; }
    bool has_begun() const noexcept { return response_.has_begun; }
    std::size_t unwritten_bytes() const noexcept { return out_.size(); }
    http_remote& remote() noexcept { return remote_; }
    std::shared_ptr<void> body_share() const noexcept { return requests_.share(); }

    // Adds header fields to the final response of the current exchange.
    LINKSPAN_DECL void add_fields(http_exchange::fields_type const& fields);
    LINKSPAN_DECL void send_interim(int status, http_exchange::fields_type const& fields);
    LINKSPAN_DECL void respond(int status, http_exchange::fields_type const& fields, std::string_view body);
    LINKSPAN_DECL void begin_stream(http_exchange::fields_type const& fields);
    LINKSPAN_DECL void event(http_server_event const& what);

    void comment(std::string_view line) { text((std::string(": ") += line) += "\n\n"); }

    LINKSPAN_DECL void text(std::string_view bytes);
    LINKSPAN_DECL void end();
    LINKSPAN_DECL void raw(std::string_view bytes);

    // Event: the memory was not sufficient for the current request. Refuses it with 503, or ends the connection.
    LINKSPAN_DECL void fail() noexcept;

    // Ends the exchange and the connection. Without memory, the connection is closed, and the exchange ends with the
    // outstanding operation.
    LINKSPAN_DECL void cut() noexcept;

    void on_disconnect(std::function<void()> callback) { on_disconnect_ = std::move(callback); }

private:
    // Appends the field Connection to `head_`, if the response needs one.
    LINKSPAN_DECL void append_connection();

    // Event: the memory was not sufficient for the output, or for its time limit. Closes the stream, so that the
    // outstanding operation ends the connection.
    void fail_output() noexcept
    {
        keeps_alive_ = false;
        stream_->close();
    }

    // Writes bytes, followed by more bytes. Throws `std::bad_alloc`: none of them is written.
    LINKSPAN_DECL void write(std::string_view bytes, std::string_view more = {});

    // Writes the queue, up to the first piece that the stream does not accept immediately.
    LINKSPAN_DECL void write_pieces();
    LINKSPAN_DECL void on_written(error_code ec);

    // Counts the bytes that were not written, for the limit over all connections.
    LINKSPAN_DECL void count_output();
    LINKSPAN_DECL void on_excess_output() override;

    // Closes the connection, because the peer does not read.
    LINKSPAN_DECL void disconnect_unread();

    // Ends the exchange. The next request is read when all bytes are written.
    LINKSPAN_DECL void finish();

    // Called when all bytes of the exchange are written.
    LINKSPAN_DECL void on_response_written();
    LINKSPAN_DECL void read();
    LINKSPAN_DECL void on_read(error_code ec, std::size_t size);

    // Reads a request from the received bytes. Called only if no exchange is outstanding.
    LINKSPAN_DECL void take();
    LINKSPAN_DECL void deliver();

    // Refuses a request. The rest of the input is read and dropped for a second, because closing immediately could
    // reset the connection before the peer has read the response.
    LINKSPAN_DECL void refuse(int status);

    // Sets one of the deadlines.
    void set_deadline(time_point& which, duration span) noexcept
    {
        which = time_.after(span);
        arm_timer();
    }
    void set_comment_deadline() noexcept
    {
        if (limits_.comment_every != duration::zero())
            set_deadline(due_.comment, limits_.comment_every);
    }

    // Arms the timer for the earliest deadline.
    LINKSPAN_DECL void arm_timer() noexcept;
    LINKSPAN_DECL void on_expiry();

    // Set by the constructor and not changed later.
    asio::any_io_executor executor_;
    std::unique_ptr<byte_stream> stream_;
    http_request_handler& handler_;
    http_server_limits limits_;
    std::shared_ptr<connection_group> group_; // null: none

    std::function<void()> on_end_;        // set by the constructor, cleared by `disconnect` and `abandon`
    std::function<void()> on_disconnect_; // set by `on_disconnect`, cleared when the exchange or the connection ends
    http_remote remote_;                  // set by the constructor, and by the users of remote()

    // Points in time; max: none.
    struct deadlines {
        time_point input = time_point::max(); // of the expected input; set while input is expected
        time_point write = time_point::max(); // of the outstanding write; set while a write is outstanding
        // Time of the next comment, which keeps an event stream open: proxies close connections without traffic. Set by
        // each output of a stream, cleared by the end of the exchange.
        time_point comment = time_point::max();
    };
    deadlines due_;
    time_source& time_;    // set by the constructor
    deadline_timer timer_; // armed for the earliest deadline; cancelled by `close`

    std::array<char, 16384> chunk_; // buffer of the outstanding read
    http_request_reader requests_;  // received bytes, and the request that is read
    output_queue out_;              // bytes that were not written
    std::string head_;              // head of the response that is composed; kept for its memory
    std::uint64_t number_ = 1;      // number of the exchange; incremented by its end
    bool is_busy_ = false;          // set by a complete request, cleared when its response is written
    bool is_finished_ = false;      // set by the end of the exchange, cleared when its response is written
    bool keeps_alive_ = true;       // set by each request: the connection stays open after the exchange
    // State of the response: a part was written; it is an event stream; it is chunked. Reset by each request.
    struct response_state {
        bool has_begun = false, is_stream = false, is_chunked = false;
        std::string fields{}; // further header lines; set by `add_fields`, cleared by the end of the exchange
    };
    response_state response_;
    bool is_reading_ = false, is_writing_ = false; // an operation of the stream is outstanding
    bool discards_input_ = false;                  // set by `refuse`: further input is dropped
    bool stops_ = false, is_closed_ = false;       // set by `stop` and by `close`
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/server/impl/http_server_connection.ipp>
#include <linkspan/http/server/impl/http_server_core.ipp>
#endif

#endif
