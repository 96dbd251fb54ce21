#ifndef LINKSPAN_CONNECTOR_DETAIL_REQUESTED_TASK_HPP
#define LINKSPAN_CONNECTOR_DETAIL_REQUESTED_TASK_HPP

#include <linkspan/connector/catalog.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/session/task_form.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The task that a caller requests instead of a result. The call, which is reused after its completion, shares the
// object with the handler that reads the response.
struct requested_task {
    std::optional<std::chrono::milliseconds> ttl; // requested time to live; set by the caller
    task_form form = task_form::none;             // of the response to the last request; set by each attempt
    std::string params;                           // members of `params` of the last request of the form `member`
};

// Handler of one of the calls that an interceptor makes, each with a `requested_task` of its own. A success sets the
// form of the call that the interceptor surrounds, which completes with this result.
class task_form_recorder {
public:
    using cancellation_slot_type = asio::cancellation_slot;
    using handler_type = pending_handler<void(error_code, call_result)>;

    task_form_recorder(std::shared_ptr<requested_task const> from, std::shared_ptr<requested_task> to,
                       handler_type done)
        : from_(std::move(from)), to_(std::move(to)), done_(std::move(done))
    {}

    void operator()(error_code ec, call_result result)
    {
        if (!ec) {
            to_->form = from_->form;
            if (!task_in(result, from_->form).empty())
                result.contains_task(from_->form == task_form::member); // for the interceptor
        }
        done_.complete(ec, std::move(result));
    }

    cancellation_slot_type get_cancellation_slot() const noexcept { return done_.cancellation_slot(); }

private:
    std::shared_ptr<requested_task const> from_; // this and the next two: set by the constructor
    std::shared_ptr<requested_task> to_;
    handler_type done_; // moved out by the invocation
};

// Returns whether calls of a tool of a server may become tasks; `forbidden` for a tool that is not in the catalog.
inline task_support task_support_of(catalog const& all, server_id server, std::string_view tool)
{
    auto const* const entry = all.find(server, tool);
    return entry ? entry->tool->tasks : task_support::forbidden;
}

} // namespace linkspan::detail

#endif
