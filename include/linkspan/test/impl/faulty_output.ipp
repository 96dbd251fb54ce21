#ifndef LINKSPAN_TEST_IMPL_FAULTY_OUTPUT_IPP
#define LINKSPAN_TEST_IMPL_FAULTY_OUTPUT_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/detail/faulty_output.hpp>

#include <iterator>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL void faulty_output::send(message what, std::optional<fault_setting> fault)
{
    if (has_ended_ || is_muted_)
        return;
    bool const is_response =
        !json_scan::member(what.text, "id").empty() && json_scan::member(what.text, "method").empty();
    ++sent_;
    if (fault && !applies(fault->kind, is_response, what.method, what.over_http))
        fault.reset();
    else if (!fault && source_)
        if (auto const decided = source_->decide(server_, connection_, sent_, is_response, what.method, what.over_http))
            fault = fault_setting{decided->fault, decided->delay_ms, decided->amount};
    auto const earlier = std::exchange(held_, std::nullopt);
    if (fault) {
        auto const now = std::make_shared<run>();
        now->steps = steps_of(
            *fault, {.text = what.text, .method = what.method, .token = what.token, .over_http = what.over_http});
        now->fault = *fault;
        now->what = std::move(what);
        perform(now);
    } else {
        transmit(what.text, what.stream);
    }
    if (earlier && !has_ended_)
        transmit(earlier->text, earlier->stream);
}

inline void faulty_output::perform(std::shared_ptr<run> const& now)
{
    while (now->index != now->steps.size() && !has_ended_) {
        auto const& step = now->steps[now->index++];
        if (step.what == fault_step::kind::pause)
            return after(step.span, [this, now] { perform(now); });
        perform_step(*now, step);
    }
}

inline void faulty_output::perform_step(run& now, fault_step const& step)
{
    using kind = fault_step::kind;
    auto const stream = now.what.stream;
    switch (step.what) {
    case kind::message: transmit(step.text, stream); break;
    case kind::bytes:
    case kind::http_bytes:
    case kind::end_response: target_.write(step, stream); break;
    case kind::cut:
        // Over HTTP, the session continues.
        if (!now.what.over_http)
            end();
        target_.write(step, stream);
        break;
    case kind::freeze:
        ++freezes_;
        after(step.span, [this] { thaw(); });
        break;
    case kind::hold:
        held_ = now.what;
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
    case kind::process: target_.affect_process(now.fault); break;
    case kind::pause: break; // perform() waits
    }
}

inline void faulty_output::transmit(std::string_view text, std::uint64_t stream)
{
    if (freezes_ != 0)
        frozen_.emplace_back(text, stream);
    else
        target_.transmit(text, stream);
}

inline void faulty_output::thaw()
{
    if (--freezes_ == 0)
        for (auto const& [text, stream] : std::exchange(frozen_, {}))
            target_.transmit(text, stream);
}

inline void faulty_output::send_held()
{
    if (auto const what = std::exchange(held_, std::nullopt))
        transmit(what->text, what->stream);
}

inline void faulty_output::after(duration span, std::function<void()> next)
{
    waits_.push_back(std::make_unique<timer>(executor_));
    auto const position = std::prev(waits_.end());
    auto& pause = **position;
    pause.expires_after(span);
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
