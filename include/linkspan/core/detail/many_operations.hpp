#ifndef LINKSPAN_CORE_DETAIL_MANY_OPERATIONS_HPP
#define LINKSPAN_CORE_DETAIL_MANY_OPERATIONS_HPP

#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/core/error.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Runs several operations concurrently and completes when the last of them completes, with one outcome per operation in
// the order of their start. A cancellation is forwarded to all of them.
//
// Invariant: from run() on, `outstanding_` is the number of operations that have not completed. The handlers of these
// operations own the object.
template<class Outcome>
class many_operations : public std::enable_shared_from_this<many_operations<Outcome>> {
public:
    using handler_type = pending_handler<void(error_code, std::vector<Outcome>)>;

    many_operations(handler_type handler, std::size_t count) : handler_(std::move(handler)), outcomes_(count) {}

    // Starts the operations.
    //
    // `start(i, handler)` starts the operation `i`, which must not invoke its handler inside this call. When the
    // operation completes, `set(outcome, arguments...)` stores the arguments of its handler as its outcome.
    template<class Start, class Set>
    void run(asio::any_io_executor const& executor, Start start, Set set)
    {
        auto const self = this->shared_from_this();
        outstanding_ = outcomes_.size();
        if (outstanding_ == 0) {
            post_handler(executor, [self] { self->handler_.complete({}, {}); });
            return;
        }
        if (auto slot = handler_.cancellation_slot(); slot.is_connected())
            slot.assign([weak = self->weak_from_this()](asio::cancellation_type type) {
                if (auto const here = weak.lock())
                    for (auto& signal : here->signals_)
                        signal.emit(type);
            });
        for (std::size_t i = 0; i != outcomes_.size(); ++i) {
            auto on_done = [self, i, set](auto&&... arguments) {
                set(self->outcomes_[i], std::forward<decltype(arguments)>(arguments)...);
                self->on_done();
            };
            start(i, asio::bind_cancellation_slot(signals_.emplace_back().slot(), std::move(on_done)));
        }
    }

private:
    void on_done()
    {
        if (--outstanding_ != 0)
            return;
        handler_.cancellation_slot().clear();
        handler_.complete({}, std::move(outcomes_));
    }

    handler_type handler_;                          // moved from when the last operation completes
    std::vector<Outcome> outcomes_;                 // one per operation; each set when its operation completes
    std::size_t outstanding_ = 0;                   // outstanding operations; set by run(), decremented by on_done()
    std::deque<asio::cancellation_signal> signals_; // one per operation; a deque, because slots refer to the signals
};

} // namespace linkspan::detail

#endif
