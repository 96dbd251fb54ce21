#ifndef LINKSPAN_TEST_FAULT_IMPL_FAULT_STEPS_HTTP_IPP
#define LINKSPAN_TEST_FAULT_IMPL_FAULT_STEPS_HTTP_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>
#include <linkspan/test/fault/detail/edited_message.hpp>
#include <linkspan/test/fault/detail/fault_steps.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns an HTTP response. `fields` are lines with their ends.
inline std::string http_text(std::string_view status, std::string_view fields, std::string_view body)
{
    std::string out = "HTTP/1.1 ";
    (((out += status) += "\r\n") += fields) += "Content-Length: ";
    return ((out += std::to_string(body.size())) += "\r\n\r\n") += body;
}

// Returns the steps of a response that ends in the regular way.
inline fault_steps http_whole(std::string text)
{
    return {{fault_step::kind::http_bytes, std::move(text)}, {fault_step::kind::end_response}};
}

// Returns the steps of a response without the session id of the regular response.
inline fault_steps http_without_session(std::string text)
{
    auto out = http_whole(std::move(text));
    out.front().adds_fields = false;
    return out;
}

// Returns the steps of a response after which the connection ends.
inline fault_steps http_cut(std::string text)
{
    return {{fault_step::kind::http_bytes, std::move(text)}, {fault_step::kind::cut}};
}

inline constexpr std::string_view json_type = "Content-Type: application/json\r\n";
// The body has no length, so that it ends with the connection.
inline constexpr std::string_view event_stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                                                 "Cache-Control: no-store\r\nConnection: close\r\n\r\n";

inline std::string event_of(std::string_view data, std::string_view fields_before = {})
{
    return std::string(event_stream).append(fields_before).append(message_event(data));
}

// Returns the steps that send lines of an event stream in place of a message. The stream ends; that of HTTP+SSE, which
// has all messages, does so only if `ends`.
inline fault_steps stream_lines(faulty_message const& on, std::string_view lines, bool ends)
{
    using kind = fault_step::kind;
    if (on.carrier != fault_carrier::http_sse)
        return http_cut(std::string(event_stream).append(lines));
    fault_steps out{{kind::event_bytes, std::string(lines)}};
    if (ends)
        out.push_back({kind::cut});
    return out;
}

// Returns the response of status 401 or 403 with a challenge.
inline fault_steps challenge(std::string_view status, std::string_view parameters)
{
    return http_whole(http_text(status, "WWW-Authenticate: Bearer " + std::string(parameters) + "\r\n", {}));
}

LINKSPAN_DECL std::string resumable_stream(std::string_view id)
{
    return event_of({}, "id: " + std::string(id) + "\n");
}

// Returns a time in the form of HTTP, such as "Thu, 01 Jan 2026 00:00:00 GMT", rounded down to seconds.
inline std::string http_date(wall_time at)
{
    constexpr std::array<char const*, 7> week_days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array<char const*, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    using namespace std::chrono;
    auto const day = floor<days>(at);
    year_month_day const date(day);
    std::string text;
    append_time(text, at); // YYYY-MM-DDThh:mm:ss.000Z
    std::string out(week_days[weekday(day).c_encoding()]);
    ((out += ", ") += text.substr(8, 2)) += ' ';
    ((out += months[static_cast<unsigned>(date.month()) - 1]) += ' ') += text.substr(0, 4);
    return ((out += ' ') += text.substr(11, 8)) += " GMT";
}

// Returns the number of seconds of a fault.
inline std::chrono::seconds seconds_of(fault_setting const& fault, std::uint64_t by_default)
{
    constexpr std::uint64_t max_seconds = 100'000'000; // the maximum of `amount` in a script
    return std::chrono::seconds(fault.amount != 0 ? std::min(fault.amount, max_seconds) : by_default);
}

// Responses that are event streams.
inline fault_steps event_stream_steps(fault_kind kind, faulty_message const& on)
{
    switch (kind) {
    case fault_kind::sse_disconnect: return stream_lines(on, {}, true);
    case fault_kind::sse_disconnect_in_event:
        return stream_lines(on, "data: " + std::string(on.text.substr(0, on.text.size() / 2)), true);
    case fault_kind::sse_resume: return {{fault_step::kind::resumable, std::string(on.text)}};
    case fault_kind::sse_no_id: return stream_lines(on, message_event(stray_progress), true);
    case fault_kind::sse_comment_only: return stream_lines(on, ": no data\n\n", true);
    case fault_kind::sse_multi_line_data: {
        // a line end is permitted after the first brace
        return stream_lines(on, message_event("{\ndata: " + std::string(on.text.substr(1))), false);
    }
    case fault_kind::sse_bad_retry: return stream_lines(on, "retry: soon\n" + message_event(on.text), false);
    case fault_kind::sse_never_ends: return {{fault_step::kind::http_bytes, event_of(on.text)}};
    default: return {send_message(on.text)}; // the other kinds are not passed to this function
    }
}

// Responses with an unusual header or body.
inline fault_steps odd_response_steps(fault_setting const& fault, faulty_message const& on)
{
    using kind = fault_step::kind;
    auto const regular = http_text("200 OK", json_type, on.text);
    switch (fault.kind) {
    case fault_kind::wrong_content_type:
        return http_whole(http_text("200 OK", "Content-Type: text/plain\r\n", on.text));
    case fault_kind::no_content_type: return http_whole(http_text("200 OK", {}, on.text));
    case fault_kind::empty_202: return http_whole(http_text("202 Accepted", {}, {}));
    case fault_kind::chunk_malformed:
        return http_cut("HTTP/1.1 200 OK\r\n" + std::string(json_type) + "Transfer-Encoding: chunked\r\n\r\nsize\r\n" +
                        std::string(on.text) + "\r\n");
    case fault_kind::content_length_lie:
        return http_cut("HTTP/1.1 200 OK\r\n" + std::string(json_type) +
                        "Content-Length: " + std::to_string(on.text.size() + 100) + "\r\n\r\n" + std::string(on.text));
    case fault_kind::gzip_unasked:
        return http_whole(http_text("200 OK", std::string(json_type) + "Content-Encoding: gzip\r\n", on.text));
    case fault_kind::reset_before_head: return {{kind::cut}};
    case fault_kind::reset_after_head: return http_cut(regular.substr(0, regular.find("\r\n\r\n") + 4));
    case fault_kind::slow_head: {
        return {{kind::http_bytes, regular.substr(0, 20)},
                {kind::pause, {}, delay_of(fault)},
                {kind::http_bytes, regular.substr(20)},
                {kind::end_response}};
    }
    case fault_kind::interim_response: return http_whole("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + regular);
    case fault_kind::expect_100: return http_whole("HTTP/1.1 100 Continue\r\n\r\n" + regular);
    case fault_kind::reset_on_accept:
    case fault_kind::connection_close: {
        constexpr std::uint64_t max_resets = 1000;
        auto out = http_cut(http_text("200 OK", std::string(json_type) + "Connection: close\r\n", on.text));
        if (fault.kind == fault_kind::reset_on_accept)
            out.insert(out.begin(), std::clamp<std::uint64_t>(fault.amount, 1, max_resets), {kind::reset_next});
        return out;
    }
    case fault_kind::session_id_changes:
        return http_without_session(
            http_text("200 OK", std::string(json_type) + "Mcp-Session-Id: changed-by-a-fault\r\n", on.text));
    case fault_kind::session_id_missing: return http_without_session(regular);
    case fault_kind::header_mismatch:
        return http_whole(
            http_text("400 Bad Request", json_type,
                      server_dialogue::failure(json_scan::member(on.text, "id"), -32020, "Header mismatch")));
    default: return event_stream_steps(fault.kind, on);
    }
}

LINKSPAN_DECL fault_steps http_steps(fault_setting const& fault, faulty_message const& on)
{
    auto const status = [](std::string_view line) { return http_whole(http_text(line, {}, {})); };
    auto const expired =
        challenge("401 Unauthorized", "error=\"invalid_token\", error_description=\"the token has expired\"");
    std::string const host(on.host.empty() ? "server" : on.host);
    switch (fault.kind) {
    case fault_kind::http_400: return status("400 Bad Request");
    case fault_kind::http_403: return status("403 Forbidden");
    case fault_kind::http_404: return status("404 Not Found");
    case fault_kind::http_405: return http_whole(http_text("405 Method Not Allowed", "Allow: GET\r\n", {}));
    case fault_kind::http_406: return status("406 Not Acceptable");
    case fault_kind::http_408: return status("408 Request Timeout");
    case fault_kind::http_409: return status("409 Conflict");
    case fault_kind::http_413: return status("413 Content Too Large");
    case fault_kind::http_415: return status("415 Unsupported Media Type");
    case fault_kind::http_429: {
        auto const seconds = std::to_string(seconds_of(fault, 1).count());
        return http_whole(http_text("429 Too Many Requests", "Retry-After: " + seconds + "\r\n", {}));
    }
    case fault_kind::http_429_date: {
        auto const at = http_date(on.now + seconds_of(fault, 1));
        return http_whole(http_text("429 Too Many Requests", "Retry-After: " + at + "\r\n", {}));
    }
    case fault_kind::http_500: return status("500 Internal Server Error");
    case fault_kind::http_502:
        return http_whole(http_text("502 Bad Gateway", "Content-Type: text/html\r\n",
                                    "<html><body><h1>502 Bad Gateway</h1></body></html>"));
    case fault_kind::http_503: return status("503 Service Unavailable");
    case fault_kind::http_504: return status("504 Gateway Timeout");
    case fault_kind::http_307: return http_whole(http_text("307 Temporary Redirect", "Location: /elsewhere\r\n", {}));
    case fault_kind::unauthorized: return challenge("401 Unauthorized", "realm=\"mcp\"");
    case fault_kind::token_expired: return expired;
    case fault_kind::refresh_rejected: {
        auto out = expired;
        out.insert(out.begin(), {fault_step::kind::reject, {}, delay_of(fault)});
        return out;
    }
    case fault_kind::scope_insufficient:
        return challenge("403 Forbidden", "error=\"insufficient_scope\", scope=\"mcp:write\"");
    case fault_kind::metadata_missing:
        return challenge("401 Unauthorized", "resource_metadata=\"http://" + host + "/.well-known/absent\"");
    case fault_kind::metadata_loop:
        return challenge("401 Unauthorized", "resource_metadata=\"http://" + host + "/mcp\"");
    case fault_kind::wrong_resource:
        return challenge("401 Unauthorized",
                         "resource_metadata=\"http://other.example/.well-known/oauth-protected-resource\"");
    case fault_kind::skew: {
        auto const then = on.now - seconds_of(fault, 24 * 3600);
        return http_whole(http_text(
            "503 Service Unavailable",
            "Date: " + http_date(then) + "\r\nRetry-After: " + http_date(then + std::chrono::seconds(1)) + "\r\n", {}));
    }
    default: return odd_response_steps(fault, on);
    }
}

} // namespace linkspan::test::detail

#endif
