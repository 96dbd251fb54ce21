#ifndef LINKSPAN_TEST_IMPL_FAULTY_OUTPUT_IPP
#define LINKSPAN_TEST_IMPL_FAULTY_OUTPUT_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/detail/faulty_output.hpp>

#include <algorithm>
#include <iterator>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL void faulty_output::send(message what, std::optional<fault_setting> fault, chaos* source)
{
    if (has_ended_ || is_muted_)
        return;
    bool const is_response =
        !json_scan::member(what.text, "id").empty() && json_scan::member(what.text, "method").empty();
    if (fault && !applies(fault->kind, is_response, what.method, what.carrier))
        fault.reset();
    else if (!fault && source)
        if (auto const decided = source->decide(server_, connection_, what.number, is_response, what.method,
                                                what.carrier, what.since_start))
            fault = fault_setting{decided->fault, decided->delay_ms, decided->amount};
    auto earlier = held_ && --held_after_ == 0 ? std::exchange(held_, std::nullopt) : std::nullopt;
    if (fault && on_fault_)
        on_fault_({.server = server_,
                   .connection = connection_,
                   .message = what.number,
                   .fault = fault->kind,
                   .delay_ms = fault->delay_ms,
                   .amount = fault->amount});
    if (fault) {
        auto const now = std::make_shared<run>();
        now->steps = steps_of(*fault, {.text = what.text,
                                       .method = what.method,
                                       .token = what.token,
                                       .carrier = what.carrier,
                                       .host = what.host,
                                       .now = time_source::of(executor_).wall_now()});
        now->fault = *fault;
        now->what = std::move(what);
        perform(now);
    } else {
        transmit(std::move(what));
    }
    if (earlier)
        transmit(std::move(*earlier));
}

inline void faulty_output::perform(run_pointer const& now)
{
    using kind = fault_step::kind;
    while (now->index != now->steps.size() && !has_ended_) {
        auto const& step = now->steps[now->index];
        bool const writes = step.what <= kind::cut;
        if (writes && is_muted_)
            break;
        if (writes && must_wait(*now))
            return waiting_.push_back(now);
        ++now->index;
        if (step.what == kind::pause)
            return after(step.span, [this, now] { perform(now); });
        perform_step(now, step);
    }
    if (std::erase(writing_, now) != 0)
        resume();
}

inline void faulty_output::perform_step(run_pointer const& now, fault_step const& step)
{
    using kind = fault_step::kind;
    auto const stream = now->what.stream;
    switch (step.what) {
    case kind::message: target_.transmit(step.text, stream); break;
    case kind::bytes:
    case kind::event_bytes:
    case kind::http_bytes:
        if (std::ranges::find(writing_, now) == writing_.end())
            writing_.push_back(now);
        [[fallthrough]];
    case kind::end_response:
    case kind::resumable:
    case kind::reset_next:
    case kind::reject:
    case kind::end_output: target_.write(step, stream); break;
    case kind::cut: {
        // Over Streamable HTTP, the session continues. The stream of HTTP+SSE is the connection.
        auto const carrier = now->what.carrier;
        if (carrier != fault_carrier::http)
            end();
        target_.write(step, stream);
        if (carrier == fault_carrier::http_sse)
            target_.drop();
        break;
    }
    case kind::freeze:
        ++freezes_;
        after(step.span, [this] {
            if (--freezes_ == 0)
                resume();
        });
        break;
    case kind::hold:
        send_held();
        held_ = now->what;
        held_after_ = std::max<std::uint64_t>(now->fault.amount, 1);
        after(step.span, [this, number = ++held_number_] {
            if (number == held_number_)
                send_held();
        });
        break;
    case kind::mute: is_muted_ = true; break;
    case kind::drop:
        end();
        target_.drop();
        break;
    case kind::process: target_.affect_process(now->fault); break;
    case kind::pause: break; // perform() waits
    }
}

inline void faulty_output::transmit(message what)
{
    if (has_ended_ || is_muted_)
        return;
    auto const now = std::make_shared<run>();
    now->steps.push_back({.text = what.text});
    now->what = std::move(what);
    perform(now);
}

// Over HTTP, each stream has bytes of its own, except those of HTTP+SSE, which share one.
inline bool faulty_output::must_wait(run const& now) const
{
    return freezes_ != 0 || std::ranges::any_of(writing_, [&now](run_pointer const& each) {
               return each.get() != &now &&
                      (now.what.carrier != fault_carrier::http || each->what.stream == now.what.stream);
           });
}

inline void faulty_output::resume()
{
    for (auto const& each : std::exchange(waiting_, {}))
        perform(each); // may wait again, in the same order
}

inline void faulty_output::send_held()
{
    if (auto what = std::exchange(held_, std::nullopt))
        transmit(std::move(*what));
}

inline void faulty_output::after(duration span, std::function<void()> next)
{
    waits_.push_back(std::make_unique<timer>(executor_));
    auto const position = std::prev(waits_.end());
    auto& pause = **position;
    pause.expires_after(values_.scaled(span));
    // A cancelled wait may complete after the destruction of this object.
    pause.async_wait([this, position, next = std::move(next), alive = std::weak_ptr(alive_)](error_code ec) {
        if (ec || alive.expired() || has_ended_)
            return;
        waits_.erase(position);
        next();
    });
}

} // namespace linkspan::test::detail

#endif
