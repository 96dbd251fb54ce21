#ifndef LINKSPAN_TEST_DETAIL_FAULTY_OUTPUT_HPP
#define LINKSPAN_TEST_DETAIL_FAULTY_OUTPUT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/test/chaos.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Applies the faults of a chaos object to the messages of one connection.
//
// Owned by its connection, whose functions it calls. A message that waits is dropped when the connection ends.
class faulty_output {
public:
    struct message {
        std::string text;         // with the suffix of the line
        std::uint64_t stream = 0; // number of the HTTP stream; 0: none
    };

    // `transmit` sends a message, `drop` ends the connection.
    faulty_output(std::shared_ptr<chaos> source, asio::any_io_executor executor, std::string server,
                  std::size_t connection, std::function<void(message const&)> transmit, std::function<void()> drop)
        : source_(std::move(source)),
          executor_(std::move(executor)),
          server_(std::move(server)),
          connection_(connection),
          transmit_(std::move(transmit)),
          drop_(std::move(drop))
    {}
    faulty_output(faulty_output const&) = delete;
    faulty_output& operator=(faulty_output const&) = delete;

    // Sends a message, unless its fault prevents it.
    LINKSPAN_DECL void send(message what);

    // Event: the connection has ended. No message is sent later.
    void end()
    {
        has_ended_ = true;
        held_.reset();
        waits_.clear();
    }

private:
    void apply(chaos_fault const& fault, message what);
    // Calls `next` after a delay, unless the connection ends before.
    void after(std::uint64_t delay_ms, std::function<void()> next);
    // Sends the message that waits for its successor, if any.
    void send_held();

    std::shared_ptr<chaos> source_; // set by the constructor, never null
    asio::any_io_executor executor_;
    std::string server_;
    std::size_t connection_;
    std::function<void(message const&)> transmit_;
    std::function<void()> drop_;
    std::uint64_t sent_ = 0;                               // messages until now
    std::uint64_t held_number_ = 0;                        // counts the values of `held_`
    std::optional<message> held_;                          // waits for the next message
    std::list<std::unique_ptr<timer>> waits_;              // of delayed messages; cleared when the connection ends
    bool has_ended_ = false;                               // set by end()
    std::shared_ptr<int> alive_ = std::make_shared<int>(); // expires with this object
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/faulty_output.ipp>
#endif

#endif
