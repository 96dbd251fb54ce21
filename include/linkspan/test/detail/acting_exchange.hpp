#ifndef LINKSPAN_TEST_DETAIL_ACTING_EXCHANGE_HPP
#define LINKSPAN_TEST_DETAIL_ACTING_EXCHANGE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/test/script.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// An event with the actions that remain to be executed. The object is in a list of its owner until its actions are
// complete, or are cancelled.
class acting_exchange : public exchange, public std::enable_shared_from_this<acting_exchange> {
public:
    acting_exchange(acting_exchange const&) = delete; // handlers refer to the object
    acting_exchange& operator=(acting_exchange const&) = delete;

    LINKSPAN_DECL wall_time wall_now() const final;
    LINKSPAN_DECL void wait(duration span, std::function<void()> next) final;
    LINKSPAN_DECL void cancel_wait() final;

    // Executes the actions from `index` on. An action that is complete within its call does not add a stack frame.
    LINKSPAN_DECL void perform(std::shared_ptr<std::vector<action> const> actions, std::size_t index);

    // Event: no further action starts, because the client cancels the request or a connection ends.
    LINKSPAN_DECL virtual void cancel();

protected:
    explicit acting_exchange(asio::any_io_executor executor) : executor_(std::move(executor)) {}

    // Returns a notification without a line end. `params`: JSON text; empty: absent.
    LINKSPAN_DECL static std::string notification(std::string_view method, std::string_view params);

    // Returns the current time of the executor.
    LINKSPAN_DECL time_point now() const;

    bool has_actions() const noexcept { return has_actions_; }

    // Returns a function that calls `next`, unless this object is destroyed: its owner has removed it then.
    std::function<void(std::string_view)> while_alive(std::function<void(std::string_view)> next)
    {
        return [weak = weak_from_this(), next = std::move(next)](std::string_view text) {
            if (auto const self = weak.lock())
                next(text);
        };
    }

private:
    // State of the current action.
    enum class action_state : std::uint8_t {
        running,  // the action is executing
        complete, // the action is complete; its continuation has no further effect
        left      // the action has returned, and its continuation executes the next action
    };

    // Event: an action starts.
    virtual void on_action() {}
    // Event: the last action is complete. May remove the object from the list of its owner.
    virtual void on_actions_complete() = 0;

    asio::any_io_executor executor_; // set by the constructor
    std::optional<timer> timer_;     // made by the first wait()
    std::size_t waits_ = 0;          // number of the last wait(); earlier ones are not continued
    std::size_t action_ = 0;         // index of the current action; their number after the last one; set by perform()
    action_state state_{};           // of the current action; set by perform() and by the continuation of the action
    bool has_actions_ = false;       // set while an action of the rule is executing, cleared after the last one
    bool over_ = false;              // set by cancel(); no further action starts
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/acting_exchange.ipp>
#endif

#endif
