#ifndef LINKSPAN_TEST_DETAIL_FAULTY_OUTPUT_HPP
#define LINKSPAN_TEST_DETAIL_FAULTY_OUTPUT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/test/chaos.hpp>
#include <linkspan/test/detail/fault_target.hpp>
#include <linkspan/test/fault/detail/fault_steps.hpp>
#include <linkspan/test/fault/fault_kind.hpp>
#include <linkspan/test/script/rule_conditions.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Applies faults to the messages of one connection: those that a chaos object decides, and those of actions.
//
// Owned by its connection, which is the target. A message that waits is dropped when the connection ends.
//
// Invariants: `writing_` has at most one message; over Streamable HTTP, at most one for each stream. After end(), no
// further step is executed.
class faulty_output {
public:
    struct message {
        std::string text;         // without a line end
        std::uint64_t number = 1; // among the messages of the connection, from 1
        std::uint64_t stream = 0; // number of the HTTP stream; 0: none
        std::string method{};     // of the request, if the message is a response
        std::string token{};      // JSON text of the progress token of the request; empty: none
        fault_carrier carrier = fault_carrier::inproc;
        std::string host{};     // header field `Host` of the request; empty: not known
        duration since_start{}; // time since the first connection of the server
    };

    // `values`: those of the server, which determine the factor of times, and must outlive this object. `on_fault`:
    // called before each fault, unless it is empty; must outlive this object.
    faulty_output(fault_target& target, asio::any_io_executor executor, std::string server, std::size_t connection,
                  script_values const& values, std::function<void(chaos_fault const&)> const& on_fault)
        : target_(target),
          executor_(std::move(executor)),
          server_(std::move(server)),
          connection_(connection),
          values_(values),
          on_fault_(on_fault)
    {}
    faulty_output(faulty_output const&) = delete;
    faulty_output& operator=(faulty_output const&) = delete;

    // Sends a message with a fault: the given one; none: that of `source`, unless it is null. A fault that does not
    // apply to the message has no effect.
    LINKSPAN_DECL void send(message what, std::optional<fault_setting> fault, chaos* source);

    // Event: the connection has ended. No message is sent later.
    void end()
    {
        has_ended_ = true;
        held_.reset();
        waiting_.clear();
        writing_.clear();
        waits_.clear();
    }

private:
    // A message with the steps that remain, which are those of its fault.
    struct run {
        message what;
        fault_setting fault{}; // used by `fault_step::kind::process` only
        fault_steps steps;
        std::size_t index = 0; // of the next step
    };
    using run_pointer = std::shared_ptr<run>;

    // Executes the steps up to a pause, and continues after it. The steps wait while they must not write.
    void perform(run_pointer const& now);
    void perform_step(run_pointer const& now, fault_step const& step);
    // Sends a message without a fault.
    void transmit(message what);
    // Returns true if messages are frozen, or if another message is written in parts: its parts must not be separated.
    bool must_wait(run const& now) const;
    // Continues the messages that wait.
    void resume();
    // Calls `next` after a delay, unless the connection ends before.
    void after(duration span, std::function<void()> next);
    // Sends the message that waits for later ones, if any.
    void send_held();

    fault_target& target_; // set by the constructor
    asio::any_io_executor executor_;
    std::string server_;
    std::size_t connection_;
    script_values const& values_;                             // set by the constructor
    std::function<void(chaos_fault const&)> const& on_fault_; // set by the constructor
    std::uint64_t held_number_ = 0;                           // counts the values of `held_`
    std::optional<message> held_;                             // waits for later messages
    std::uint64_t held_after_ = 0;                            // number of messages that `held_` waits for
    std::size_t freezes_ = 0;                                 // running freezes
    std::vector<run_pointer> waiting_; // messages that must wait, in their order; emptied by resume()
    std::vector<run_pointer> writing_; // messages of which a part is written; each is removed after its last step
    std::list<std::unique_ptr<timer>> waits_;              // of delayed messages; cleared when the connection ends
    bool is_muted_ = false;                                // set by a step: nothing is written later
    bool has_ended_ = false;                               // set by end()
    std::shared_ptr<int> alive_ = std::make_shared<int>(); // expires with this object
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/faulty_output.ipp>
#endif

#endif
