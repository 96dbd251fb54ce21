#ifndef LINKSPAN_TEST_IMPL_FAULTY_OUTPUT_IPP
#define LINKSPAN_TEST_IMPL_FAULTY_OUTPUT_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>
#include <linkspan/test/detail/faulty_output.hpp>

#include <chrono>
#include <iterator>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL void faulty_output::send(message what)
{
    if (has_ended_)
        return;
    bool const is_response =
        !json_scan::member(what.text, "id").empty() && json_scan::member(what.text, "method").empty();
    auto const fault = source_->decide(server_, connection_, ++sent_, is_response);
    auto const earlier = std::exchange(held_, std::nullopt);
    if (fault)
        apply(*fault, std::move(what));
    else
        transmit_(what);
    if (earlier && !has_ended_)
        transmit_(*earlier);
}

inline void faulty_output::apply(chaos_fault const& fault, message what)
{
    switch (fault.fault) {
    case chaos_kind::delay: after(fault.delay_ms, [this, what = std::move(what)] { transmit_(what); }); break;
    case chaos_kind::drop: break;
    case chaos_kind::duplicate:
        transmit_(what);
        transmit_(what);
        break;
    case chaos_kind::reorder:
        held_ = std::move(what);
        after(fault.delay_ms, [this, number = ++held_number_] {
            if (number == held_number_)
                send_held();
        });
        break;
    case chaos_kind::cut:
        what.text.resize(what.text.size() / 2);
        transmit_(what);
        end();
        drop_();
        break;
    case chaos_kind::rpc_error:
        what.text = server_dialogue::failure(json_scan::member(what.text, "id"), -32603, "fault of a chaos test");
        transmit_(what);
        break;
    case chaos_kind::disconnect:
        end();
        drop_();
        break;
    }
}

inline void faulty_output::send_held()
{
    if (auto const what = std::exchange(held_, std::nullopt))
        transmit_(*what);
}

inline void faulty_output::after(std::uint64_t delay_ms, std::function<void()> next)
{
    waits_.push_back(std::make_unique<timer>(executor_));
    auto const position = std::prev(waits_.end());
    auto& pause = **position;
    pause.expires_after(std::chrono::milliseconds(delay_ms));
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
