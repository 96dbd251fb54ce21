#ifndef LINKSPAN_TEST_FAULT_IMPL_FAULT_STEPS_BYTES_IPP
#define LINKSPAN_TEST_FAULT_IMPL_FAULT_STEPS_BYTES_IPP

#include <linkspan/core/detail/fnv1a.hpp>
#include <linkspan/test/fault/detail/edited_message.hpp>
#include <linkspan/test/fault/detail/fault_steps.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

inline fault_step send_bytes(std::string text) { return {fault_step::kind::bytes, std::move(text)}; }

// Returns the steps that send a message in parts of equal size.
inline fault_steps in_parts(faulty_message const& on, std::size_t parts, duration between)
{
    auto text = std::string(on.text);
    if (!uses_http(on.carrier))
        text += '\n';
    parts = std::clamp<std::size_t>(parts, 1, text.size());
    fault_steps out;
    for (std::size_t i = 0; i != parts; ++i) {
        if (i != 0)
            out.push_back({fault_step::kind::pause, {}, between});
        auto const begin = text.size() * i / parts;
        out.push_back(send_bytes(text.substr(begin, text.size() * (i + 1) / parts - begin)));
    }
    if (uses_http(on.carrier))
        out.push_back({fault_step::kind::end_response});
    return out;
}

// Faults of lines. Over HTTP, the lines are those of an event stream.
inline fault_steps line_steps(fault_kind kind, faulty_message const& on)
{
    std::string const text(on.text);
    auto const half = text.size() / 2;
    auto const event = message_event(text);
    auto const as = [&on](std::string lines, std::string events) -> fault_steps {
        return uses_http(on.carrier) ? send_events(on, std::move(events)) : fault_steps{send_bytes(std::move(lines))};
    };
    switch (kind) {
    case fault_kind::coalesce:
        return as(std::string(list_changed) + '\n' + text + '\n', message_event(list_changed) + event);
    case fault_kind::crlf: return as(text + "\r\n", "data: " + text + "\r\n\r\n");
    case fault_kind::blank_lines: return as("\n\n" + text + "\n\n", "\n\n" + event + "\n\n");
    case fault_kind::stdout_garbage: {
        std::string const line = "INFO  server: request handled\n";
        return uses_http(on.carrier) ? send_events(on, line + event)
                                     : fault_steps{send_bytes(line), send_message(text)};
    }
    case fault_kind::interleave:
        return as(text.substr(0, half) + std::string(list_changed) + '\n' + text.substr(half) + '\n',
                  "data: " + text.substr(0, half) + message_event(list_changed) + text.substr(half) + "\n\n");
    default: return {send_message(text)}; // the other kinds are not passed to this function
    }
}

LINKSPAN_DECL fault_steps byte_steps(fault_setting const& fault, faulty_message const& on)
{
    using namespace std::chrono_literals;
    using kind = fault_step::kind;
    constexpr std::size_t slow_parts = 16;

    duration const span = delay_of(fault);
    auto const amount = [&](std::size_t by_default) { return fault.amount != 0 ? fault.amount : by_default; };
    std::string text(on.text);
    std::size_t const half = text.size() / 2;
    auto const last_brace = std::min(text.rfind('}'), text.size());
    switch (fault.kind) {
    case fault_kind::delay: return {{kind::pause, {}, span}, send_message(text)};
    case fault_kind::jitter: {
        auto const part = linkspan::detail::fnv1a(text) % 100;
        return {{kind::pause, {}, span * static_cast<duration::rep>(part) / 100}, send_message(text)};
    }
    case fault_kind::drop: return {};
    case fault_kind::duplicate: return send_both(on, text, text);
    case fault_kind::reorder: return {{kind::hold, text, span}};
    case fault_kind::corrupt: {
        auto const bit = (half * 8 + fault.amount) % (text.size() * 8);
        text[bit / 8] = static_cast<char>(static_cast<unsigned char>(text[bit / 8]) ^ (1U << bit % 8));
        return {send_message(text)};
    }
    case fault_kind::cut: return {send_bytes(text.substr(0, amount(half))), {kind::cut}};
    case fault_kind::partial_line: return {send_bytes(text.substr(0, half))};
    case fault_kind::limit_data: return {send_bytes(text.substr(0, amount(16))), {kind::mute}};
    case fault_kind::split: return in_parts(on, amount(3), 1ms);
    case fault_kind::slow: return in_parts(on, amount(slow_parts), span);
    case fault_kind::bom: return {send_message("\xEF\xBB\xBF" + text)};
    case fault_kind::nul_byte: return {send_message(text.insert(1, 1, '\0'))};
    case fault_kind::bad_utf8: return {send_message(text.insert(last_brace, ",\"x\":\"\xC3\x28\""))};
    case fault_kind::oversize: return {send_message(text.insert(last_brace, amount(17U << 20), ' '))};
    case fault_kind::deep_nesting: {
        auto const depth = amount(100'000);
        auto const id = text.find("\"result\":{");
        auto const nested = "\"x\":" + std::string(depth, '[') + std::string(depth, ']') + ',';
        return {send_message(id == text.npos ? text : text.insert(id + 10, nested))};
    }
    case fault_kind::half_close: return {{kind::end_output}, {kind::mute}};
    case fault_kind::disconnect: return {{kind::drop}};
    default: return line_steps(fault.kind, on);
    }
}

} // namespace linkspan::test::detail

#endif
