#ifndef LINKSPAN_CORE_DETAIL_MANY_OPERATIONS_HPP
#define LINKSPAN_CORE_DETAIL_MANY_OPERATIONS_HPP

#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace linkspan::detail {

// Operations that run concurrently and complete as one, with an outcome for each, in their order. A cancellation
// reaches all of them.
template<class Outcome>
class many_operations : public std::enable_shared_from_this<many_operations<Outcome>> {
public:
    using handler_type = pending_handler<void(error_code, std::vector<Outcome>)>;

    many_operations(handler_type handler, std::size_t count) : handler_(std::move(handler)), outcomes_(count) {}

    // `start(i, handler)` starts an operation whose handler is called later, with the arguments that `set` takes after
    // the place of the outcome: `set(outcome, arguments...)`.
    template<class Start, class Set>
    void run(asio::any_io_executor const& executor, Start start, Set set)
    {
        auto const self = this->shared_from_this();
        left_ = outcomes_.size();
        if (left_ == 0) {
            asio::post(executor, [self] { self->handler_.complete({}, {}); });
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
        if (--left_ != 0)
            return;
        handler_.cancellation_slot().clear();
        handler_.complete({}, std::move(outcomes_));
    }

    handler_type handler_;
    std::vector<Outcome> outcomes_;
    std::size_t left_ = 0;
    std::deque<asio::cancellation_signal> signals_;
};

} // namespace linkspan::detail

#endif
