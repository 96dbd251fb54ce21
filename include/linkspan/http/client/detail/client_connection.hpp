#ifndef LINKSPAN_HTTP_CLIENT_DETAIL_CLIENT_CONNECTION_HPP
#define LINKSPAN_HTTP_CLIENT_DETAIL_CLIENT_CONNECTION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/handler_memory.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/http/client/detail/client_exchange.hpp>
#include <linkspan/http/client/detail/response_parser.hpp>
#include <linkspan/http/http_reader.hpp>
#include <linkspan/protocol/deadline_list.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

class http_client;

// One connection of the pool of an `http_client`, and the exchange that it processes. Performs the I/O, and reports
// the end of the exchange to the client.
//
// Invariants: `owner_` is null after close(), and all handlers check it. The exchange outlives its write operation.
class client_connection final : public http_body_sink,
                                public deadline_hook,
                                public std::enable_shared_from_this<client_connection> {
public:
    LINKSPAN_DECL explicit client_connection(http_client& owner);

    client_exchange* exchange() const noexcept { return exchange_.get(); }
    bool has_begun() const noexcept { return begun_; }

    // Returns whether the server may have received the whole request. The write operation may be outstanding, because
    // bytes may arrive before its completion.
    bool may_have_sent_all() const noexcept { return begun_ && !write_error_ && !stream_->has_unwritten(); }

    // Makes the connection, and then starts the exchange.
    LINKSPAN_DECL void dial(std::shared_ptr<client_exchange> what);

    // Starts the exchange on the connection, which is idle. Returns false, without an effect on the exchange, if the
    // server has closed the connection or has sent bytes that belong to no request.
    [[nodiscard]] LINKSPAN_DECL bool begin(std::shared_ptr<client_exchange> const& what);

    // Closes the connection without calling a function of the exchange.
    LINKSPAN_DECL void close() noexcept;

    // Detaches the exchange. The connection counts as busy until the rest of the response is read.
    LINKSPAN_DECL void detach_exchange();

    // Returns the exchange, and frees its place in the lane.
    LINKSPAN_DECL std::shared_ptr<client_exchange> release_exchange();

    // Event: the timeout of the connection has expired.
    LINKSPAN_DECL void on_timeout();

private:
    void drain();
    void attach_exchange(std::shared_ptr<client_exchange> what);
    void on_dialed(error_code ec, std::unique_ptr<byte_stream> stream);
    byte_stream::io_handler read_handler();
    void write();
    void on_written(client_exchange const& what, error_code ec);
    void read();
    void on_read(error_code ec, std::size_t size);
    response_parser::step parse(error_code& ec);
    void on_head();
    void on_body(std::string_view piece) override;
    void finish();
    void end(error_code ec);

    http_client* owner_;                        // set to null by close()
    response_parser parser_;                    // of the received bytes
    std::shared_ptr<client_exchange> exchange_; // current exchange; null: idle, or the exchange was released
    std::shared_ptr<void> dialing_;             // handle of the connection attempt; set by dial(), reset by close()
    std::unique_ptr<byte_stream> stream_;       // set when the connection is made; null before
    handler_memory read_memory_, write_memory_; // of the handlers of the outstanding operations
    error_code write_error_;                    // error of the current write; cleared by each request
    std::optional<http_lane> lane_;             // lane in which the connection counts while it has an exchange
    bool is_reused_ = false;                    // set when the connection starts its second exchange
    bool begun_ = false;                        // set when the transmission starts, cleared by the next exchange
    bool written_ = false;                      // set when the request is written, cleared by the next request
    bool is_reading_ = false;                   // set when a read is initiated, cleared by its completion
    bool is_parsing_ = false;                   // true inside the function that parses received bytes
    bool is_draining_ = false; // set when the rest of a response is dropped, cleared by the next exchange
};

} // namespace linkspan::detail

// The bodies need the class `http_client`: <linkspan/http/client/detail/http_client.hpp> includes them.

#endif
