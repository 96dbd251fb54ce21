#ifndef LINKSPAN_PROTOCOL_CLIENT_IMPL_TASK_POLL_IPP
#define LINKSPAN_PROTOCOL_CLIENT_IMPL_TASK_POLL_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/protocol/client/input_rounds.hpp>
#include <linkspan/protocol/client/task_poll.hpp>
#include <linkspan/protocol/envelope.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL task_poll::action task_poll::start(task const& known, time_point now)
{
    if (is_final(known.status) && !has_outcome(known))
        return get();
    state_ = state::getting;
    return on_task(known, now);
}

// Returns whether a final task contains what `on_final` needs.
LINKSPAN_DECL bool task_poll::has_outcome(task const& of) const noexcept
{
    return era_ == era::handshake || !of.result.empty() || !of.error.empty() || of.status == task_status::cancelled;
}

LINKSPAN_DECL task_poll::action task_poll::on_notified(task const& found, time_point now)
{
    bool const is_whole = is_final(found.status) ? has_outcome(found)
                          : found.status == task_status::input_required
                              ? era_ == era::handshake || !found.input_requests.empty()
                              : true;
    if (state_ == state::pausing && is_whole) {
        is_complete_ = is_watched_;
        return take(found, now, interval_);
    }
    if (found.status == task_status::working)
        return {};
    is_early_ = state_ == state::getting;
    next_poll_ = std::min(next_poll_, now + min_interval);
    return state_ == state::pausing ? action{action::kind::pause, next_poll_} : action();
}

LINKSPAN_DECL task_poll::action task_poll::on_watched(bool is_watched, time_point now)
{
    is_watched_ = is_watched;
    is_complete_ = is_complete_ && is_watched;
    if (is_watched || state_ != state::pausing)
        return {};
    next_poll_ = std::min(next_poll_, now + interval_);
    return {action::kind::pause, next_poll_};
}

LINKSPAN_DECL task_poll::action task_poll::on_pause_over()
{
    if (state_ == state::pausing)
        return get();
    is_due_ = state_ == state::updating;
    return {};
}

LINKSPAN_DECL task_poll::action task_poll::on_task(task const& found, time_point now)
{
    return state_ == state::getting ? take(found, now, default_interval) : action();
}

// Takes the next step after a new state of the task, whose pause is `usual_interval` if the state contains none.
// `state_` does not change before the last allocation.
LINKSPAN_DECL task_poll::action task_poll::take(task const& found, time_point now, duration usual_interval)
{
    if (found.id != id_)
        return fail(error::malformed_message,
                    "the response describes task '" + found.id + "' instead of '" + id_ + "'");
    status_ = found.status;
    first_new_ = inputs_.size();
    if (is_final(status_))
        return on_final(found);
    if (status_ == task_status::input_required && era_ == era::handshake)
        return end({action::kind::fetch_result});
    auto const interval =
        found.poll_interval ? duration(std::clamp(*found.poll_interval, min_interval, max_interval)) : usual_interval;
    interval_ = interval;
    next_poll_ = now + (std::exchange(is_early_, false) ? min_interval
                        : is_complete_                  ? std::max<duration>(interval, min_watched_interval)
                                                        : interval);
    if (status_ == task_status::input_required)
        if (auto problem = add_inputs(found.input_requests); problem.what != action::kind::none)
            return problem;
    if (!calling_handlers_ && has_responses())
        return update();
    state_ = state::pausing;
    return {action::kind::pause, next_poll_};
}

LINKSPAN_DECL task_poll::action task_poll::on_final(task const& found)
{
    if (status_ == task_status::cancelled)
        return fail(error::task_cancelled, found.message);
    if (era_ == era::handshake)
        return end({action::kind::fetch_result});
    if (status_ == task_status::failed)
        return on_failed(found);
    auto const type = json_scan::member(found.result, "resultType");
    if (!found.result.starts_with('{') || (!type.empty() && type != R"("complete")"))
        return fail(error::malformed_message, "the completed task has no valid result");
    return end({action::kind::complete, {}, {}, found.result});
}

LINKSPAN_DECL task_poll::action task_poll::on_failed(task const& found)
{
    auto const failure = read_failure(found.error);
    if (failure.code == 0)
        return fail(error::malformed_message, "the failed task has no valid error");
    return fail({failure.code, rpc_category()}, json_scan::string(failure.message).value_or(""));
}

// Adds the input requests whose keys are not known. The keys of a task are never reused, so that a known key is a
// request that was passed to its handler before.
LINKSPAN_DECL task_poll::action task_poll::add_inputs(std::string_view requests)
{
    if (requests.empty() || requests == "{}" || requests == "null")
        return {};
    std::string const object = R"({"inputRequests":)" + std::string(requests) + '}';
    auto const listed = read_input_required(object);
    if (!listed)
        return fail(error::malformed_message, "the input requests of the task are not valid");
    if (listed->requests.size() > max_inputs)
        return fail(error::too_many_input_rounds,
                    std::to_string(listed->requests.size()) + " input requests in one task, expected at most 100");
    std::vector<input> added;
    for (auto const& one : listed->requests) {
        auto const is_known = [&](std::vector<input> const& in) {
            return std::ranges::find(in, one.key, &input::key) != in.end();
        };
        if (is_known(inputs_) || is_known(added))
            continue;
        auto const params = one.params.empty() ? std::string_view("{}") : one.params;
        added.push_back({std::string(one.key), std::string(one.method), std::string(params)});
    }
    inputs_.insert(inputs_.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
    calling_handlers_ = first_new_ != inputs_.size();
    if (calling_handlers_ && ++rounds_ > max_rounds_)
        return fail(error::too_many_input_rounds, {});
    return {};
}

LINKSPAN_DECL task_poll::action task_poll::on_input(std::size_t index, std::string_view result)
{
    if (state_ == state::over || index >= inputs_.size() || inputs_[index].reached != stage::open)
        return {};
    inputs_[index].result = result;
    inputs_[index].reached = stage::responded;
    ++responses_;
    return state_ == state::pausing && !calling_handlers_ ? update() : action();
}

LINKSPAN_DECL task_poll::action task_poll::on_handlers_called()
{
    calling_handlers_ = false;
    first_new_ = inputs_.size();
    return state_ == state::pausing && has_responses() ? update() : action();
}

LINKSPAN_DECL task_poll::action task_poll::on_updated()
{
    if (state_ != state::updating)
        return {};
    if (has_responses())
        return update();
    state_ = state::pausing;
    return is_due_ ? get() : action{action::kind::pause, next_poll_};
}

LINKSPAN_DECL task_poll::action task_poll::get()
{
    is_due_ = false;
    is_complete_ = is_watched_;
    state_ = state::getting;
    return {action::kind::get};
}

LINKSPAN_DECL task_poll::action task_poll::update()
{
    std::vector<input_response> sent;
    for (auto const& one : inputs_)
        if (one.reached == stage::responded)
            sent.push_back({one.key, one.result});
    action out{action::kind::update};
    append_quoted(out.text += R"("taskId":)", id_);
    std::string members;
    compose_input(members, sent, {});
    (out.text += ',') += members;
    // The rest of the function does not throw.
    for (auto& one : inputs_)
        if (one.reached == stage::responded) {
            one.reached = stage::sent;
            one.result = {};
        }
    responses_ = 0;
    state_ = state::updating;
    return out;
}

LINKSPAN_DECL task_poll::action task_poll::fail(error_code ec, std::string why)
{
    return end({action::kind::fail, {}, ec, std::move(why)});
}

LINKSPAN_DECL task_poll::action task_poll::end(action last)
{
    state_ = state::over;
    return last;
}

} // namespace linkspan

#endif
