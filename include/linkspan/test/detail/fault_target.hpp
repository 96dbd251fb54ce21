#ifndef LINKSPAN_TEST_DETAIL_FAULT_TARGET_HPP
#define LINKSPAN_TEST_DETAIL_FAULT_TARGET_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/test/fault/detail/fault_steps.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

class http_exchange;

} // namespace linkspan

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// The request to which a message is the response.
struct responded_request {
    std::string_view method{}, meta{};    // member `_meta` of the params as JSON text; empty: missing
    std::optional<fault_setting> fault{}; // of the response; none: that of a chaos object, if any
};

// The connection on which the steps of faults are executed.
class fault_target {
public:
    // Sends a message.
    virtual void transmit(std::string_view text, std::uint64_t stream) = 0;
    // Executes a step of the kinds from `bytes` to `cut`.
    virtual void write(fault_step const& step, std::uint64_t stream) = 0;
    // Has the effect of a fault of the layer `process`.
    virtual void affect_process(fault_setting const& fault) = 0;
    // Ends the connection after the messages that were sent before.
    virtual void drop() = 0;

protected:
    ~fault_target() = default;
};

// Access to the HTTP exchanges of a connection. The connection uses an interface, so that programs without HTTP need
// no HTTP server.
class http_access {
public:
    virtual ~http_access() = default;

    // Returns the exchange of a stream; null: it is complete, or does not exist.
    virtual http_exchange* exchange(std::uint64_t stream) = 0;
    // Returns the value of a header field of the request of a stream; empty optional: it has no such field, or its
    // exchange is complete.
    virtual std::optional<std::string> header(std::uint64_t stream, std::string_view name) = 0;
    // Returns the header fields of the request of a stream. Empty: its exchange is complete.
    virtual std::vector<std::pair<std::string, std::string>> headers(std::uint64_t stream) = 0;
    // Returns whether all messages are events of the stream of HTTP+SSE. False if that stream has ended.
    virtual bool has_one_stream() = 0;
    // Executes a step of the kinds from `bytes` to `cut`. Has no effect without an exchange.
    virtual void write(fault_step const& step, std::uint64_t stream) = 0;
};

} // namespace linkspan::test::detail

#endif
