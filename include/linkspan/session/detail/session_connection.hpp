#ifndef LINKSPAN_SESSION_DETAIL_SESSION_CONNECTION_HPP
#define LINKSPAN_SESSION_DETAIL_SESSION_CONNECTION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/session/detail/session_opener.hpp>
#include <linkspan/transport/any_transport.hpp>

#include <cstdint>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Connection of one session to its server: the transport of the current or last connection, and the number by which
// handlers of earlier connections are recognized.
//
// Invariants:
// 1. `number()` is different for each transport, and changes before the transport is replaced. A handler that stores
//    the number of its connection is valid if the number is the current one.
// 2. A violation belongs to the current transport.
class session_connection {
public:
    explicit session_connection(transport_factory factory) : factory_(std::move(factory)) {}

    // Creates a transport, which is not the current one. Throws the exceptions of the factory.
    any_transport make_transport(asio::any_io_executor const& executor) const { return factory_(executor); }

    // Returns whether there was a connection, whose transport is kept after its end.
    explicit operator bool() const noexcept { return transport_.has_value(); }

    // Access to the transport. Precondition: `*this` is true.
    any_transport& operator*() noexcept { return *transport_; }
    any_transport* operator->() noexcept { return &*transport_; }
    any_transport const* operator->() const noexcept { return &*transport_; }

    // Returns the properties of the transport for the negotiation. Precondition: `*this` is true.
    LINKSPAN_DECL session_opener::transport_traits traits() const;

    // Returns the number of the connection.
    unsigned number() const noexcept { return number_; }

    // Replaces the transport, whose handlers are discarded from now on, and opens the new one. The result of
    // `make_handler(number)` is the handler of the opening, which stores the number of the new connection.
    //
    // Exception safety: the exceptions of the transport leave a transport that is not open, and whose handlers are
    // discarded.
    template<class MakeHandler>
    void open(any_transport transport, MakeHandler make_handler)
    {
        ++number_;
        violation_ = {};
        transport_.reset();
        transport_.emplace(std::move(transport));
        // The new number is not current yet: an exception of the transport destroys the handler, whose guard would
        // otherwise destroy the transport inside its own function.
        auto const number = number_ + 1;
        transport_->open(make_handler(number));
        number_ = number;
    }

    // Destroys the transport, because the execution context ends.
    void drop() noexcept { transport_.reset(); }

    // Ends the connection because the server has violated the protocol: after the current batch of received messages,
    // or after the next one if none is being processed.
    void end_after_batch(error_code violation) noexcept { violation_ = violation; }

    // Returns the last violation; no error: none.
    error_code violation() const noexcept { return violation_; }

    // Returns the reader of the messages of the server.
    envelope_reader& reader() noexcept { return reader_; }

    // Return the process id of the child process of the transport, and whether it has ended by itself with status 0.
    // Empty and false without a connection.
    std::optional<std::int64_t> pid() const noexcept { return transport_ ? transport_->pid() : std::nullopt; }
    bool exited_cleanly() const { return transport_ && transport_->exited_cleanly(); }

private:
    transport_factory factory_; // set by the constructor
    // Replaced by each connection; kept after its end for `diagnostics`, `pid` and `exited_cleanly`. Cleared when the
    // execution context ends.
    std::optional<any_transport> transport_;
    unsigned number_ = 0;    // increased by `open`, before and after the transport is opened
    error_code violation_;   // set by `end_after_batch`; cleared by `open`
    envelope_reader reader_; // keeps text of the last results, also of earlier connections
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/session_connection.ipp>
#endif

#endif
