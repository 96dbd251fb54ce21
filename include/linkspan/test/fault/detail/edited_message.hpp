#ifndef LINKSPAN_TEST_FAULT_DETAIL_EDITED_MESSAGE_HPP
#define LINKSPAN_TEST_FAULT_DETAIL_EDITED_MESSAGE_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/test/fault/detail/fault_step.hpp>
#include <linkspan/test/fault/detail/faulty_message.hpp>
#include <linkspan/test/fault/fault_kind.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

inline constexpr std::string_view list_changed = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";
// A notification of the progress of no request.
inline constexpr std::string_view stray_progress =
    R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"unknown","progress":1}})";

// Returns the delay of a fault.
inline duration delay_of(fault_setting const& fault, std::uint64_t default_ms = 1000)
{
    return std::chrono::milliseconds(fault.delay_ms != 0 ? fault.delay_ms : default_ms);
}

// Returns the step that sends a message.
inline fault_step send_message(std::string_view text) { return {fault_step::kind::message, std::string(text)}; }

// Returns the steps that send lines of an event stream in place of a message. A response ends its stream.
inline fault_steps send_events(faulty_message const& on, std::string lines)
{
    fault_steps out{{fault_step::kind::event_bytes, std::move(lines)}};
    if (!on.method.empty())
        out.push_back({fault_step::kind::end_response});
    return out;
}

// Returns the event of a message.
inline std::string message_event(std::string_view text) { return std::string("data: ").append(text).append("\n\n"); }

// Returns the steps that send two messages. Over HTTP, both are events of one stream: a response as the first of two
// messages would end the HTTP response.
inline fault_steps send_both(faulty_message const& on, std::string_view first, std::string_view second)
{
    return uses_http(on.carrier) ? send_events(on, message_event(first) + message_event(second))
                                 : fault_steps{send_message(first), send_message(second)};
}

// Returns the step that sends a message which `edit` has changed. A text that is not a JSON object is not changed.
template<class Edit>
fault_steps edited(std::string_view text, Edit edit)
{
    error_code ec;
    auto message = boost::json::parse(text, ec);
    if (ec || !message.is_object())
        return {send_message(text)};
    edit(message.get_object());
    std::string out;
    append_json(out, message);
    return {send_message(out)};
}

} // namespace linkspan::test::detail

#endif
