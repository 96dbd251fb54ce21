#ifndef LINKSPAN_HTTP_CLIENT_IMPL_INBOUND_QUEUE_IPP
#define LINKSPAN_HTTP_CLIENT_IMPL_INBOUND_QUEUE_IPP

#include <linkspan/http/client/detail/inbound_queue.hpp>

#include <type_traits>
#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void inbound_queue::add_message(std::string&& text, envelope const& structure, request_id of,
                                              certainty max_certainty, std::vector<envelope> elements)
{
    inbound_message message;
    message.exchange = of;
    message.max_certainty = max_certainty;
    auto const* const address = text.data();
    auto& made = ready_.emplace_back();
    made.what = message;
    if (text.size() < large_message) {
        made.text = std::move(text);
    } else {
        try {
            auto const kept = std::make_shared<std::string const>(std::move(text));
            made.large = *kept;
            made.owner = kept;
        } catch (...) {
            ready_.pop_back();
            throw;
        }
    }
    // A move of a short string copies its characters, so that the views of the structure would dangle. A longer string
    // keeps its memory, also when `ready_` grows.
    static_assert(std::is_nothrow_move_constructible_v<item>);
    if (made.owner || made.text.data() == address) {
        made.structure = structure;
        made.elements = std::move(elements);
    }
}

LINKSPAN_DECL void inbound_queue::add_report(inbound_report const& report, std::string first_bytes,
                                             std::string challenge)
{
    auto& made = ready_.emplace_back();
    made.what = report;
    made.text = std::move(first_bytes);
    made.challenge = std::move(challenge);
}

LINKSPAN_DECL void inbound_queue::add_notice(inbound_notice const& notice, std::string text)
{
    auto& made = ready_.emplace_back();
    made.what = notice;
    made.text = std::move(text);
}

LINKSPAN_DECL std::span<inbound const> inbound_queue::take()
{
    batch_.clear();
    batch_.reserve(ready_.size());
    delivered_.swap(ready_);
    ready_.clear();
    for (auto const& each : delivered_) {
        batch_.push_back(each.what);
        if (auto* const message = std::get_if<inbound_message>(&batch_.back())) {
            message->bytes = each.owner ? each.large : std::string_view(each.text);
            message->owner = each.owner ? &each.owner : nullptr;
            message->structure = each.structure ? &*each.structure : nullptr;
            message->elements = each.elements;
        } else if (auto* const report = std::get_if<inbound_report>(&batch_.back())) {
            report->first_bytes = each.text;
            report->challenge = each.challenge;
        } else {
            std::get<inbound_notice>(batch_.back()).text = each.text;
        }
    }
    return batch_;
}

} // namespace linkspan::detail

#endif
