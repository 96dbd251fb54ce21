#ifndef LINKSPAN_MODEL_IMPL_TASK_IPP
#define LINKSPAN_MODEL_IMPL_TASK_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/task.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail::task_time {

// Appends a number with leading zeros.
inline void append_digits(std::string& out, std::uint64_t number, std::size_t digits)
{
    auto const text = std::to_string(number);
    out.append(digits > text.size() ? digits - text.size() : 0, '0');
    out += text;
}

// Reads digits at the beginning of a text, and removes them and the next character.
inline std::optional<unsigned> take_digits(std::string_view& text, std::size_t digits) noexcept
{
    auto const number = json_scan::integer(
        text.substr(0, digits).starts_with('0') && digits == 2 ? text.substr(1, digits - 1) : text.substr(0, digits));
    if (text.size() < digits || !number || *number < 0)
        return std::nullopt;
    text.remove_prefix(std::min(digits + 1, text.size()));
    return static_cast<unsigned>(*number);
}

// Returns the offset of a time of RFC 3339 from UTC, such as -05:30; zero: there is none. Empty: it is not valid.
inline std::optional<std::chrono::minutes> read_offset(std::string_view text) noexcept
{
    auto const sign = text.find_first_of("+-", std::string_view("2026-07-28T09:30:05").size());
    if (sign == text.npos)
        return std::chrono::minutes(0);
    auto const factor = text[sign] == '+' ? 1 : -1;
    text.remove_prefix(sign + 1);
    auto const hour = take_digits(text, 2), minute = take_digits(text, 2);
    if (!hour || !minute)
        return std::nullopt;
    return factor * (std::chrono::hours(*hour) + std::chrono::minutes(*minute));
}

// Reads a time of RFC 3339. Fractions of a second are ignored. Empty: the text is not such a time.
inline std::optional<wall_time> read(std::string_view text) noexcept
{
    using namespace std::chrono;
    auto const offset = read_offset(text);
    auto const years = take_digits(text, 4), months = take_digits(text, 2), days = take_digits(text, 2);
    auto const hour = take_digits(text, 2), minute = take_digits(text, 2), second = take_digits(text, 2);
    if (!offset || !years || !months || !days || !hour || !minute || !second)
        return std::nullopt;
    year_month_day const date(year(static_cast<int>(*years)), month(*months), day(*days));
    if (!date.ok())
        return std::nullopt;
    return wall_time(sys_days(date)) + hours(*hour) + minutes(*minute) + seconds(*second) - *offset;
}

inline std::optional<std::chrono::milliseconds> read_milliseconds(std::string_view value) noexcept
{
    auto const number = json_scan::integer(value);
    return number && *number >= 0 ? std::optional(std::chrono::milliseconds(*number)) : std::nullopt;
}

} // namespace detail::task_time

LINKSPAN_DECL std::optional<task> read_task(std::string_view json)
{
    auto const status =
        task_status_from(json_scan::quoted(json_scan::member(json, "status")).value_or(std::string_view()));
    auto id = json_scan::string(json_scan::member(json, "taskId")).value_or("");
    if (!status || id.empty())
        return std::nullopt;
    auto const text = [json](std::string_view key) {
        return json_scan::string(json_scan::member(json, key)).value_or("");
    };
    auto const milliseconds = [json](std::string_view key, std::string_view old_key) {
        auto const value = json_scan::member(json, key);
        return detail::task_time::read_milliseconds(value.empty() ? json_scan::member(json, old_key) : value);
    };
    task out;
    out.id = std::move(id);
    out.status = *status;
    out.message = text("statusMessage");
    out.created = detail::task_time::read(text("createdAt")).value_or(wall_time());
    out.updated = detail::task_time::read(text("lastUpdatedAt")).value_or(wall_time());
    out.ttl = milliseconds("ttlMs", "ttl");
    out.poll_interval = milliseconds("pollIntervalMs", "pollInterval");
    out.input_requests = json_scan::member(json, "inputRequests");
    out.result = json_scan::member(json, "result");
    out.error = json_scan::member(json, "error");
    return out;
}

LINKSPAN_DECL void append_members(std::string& out, task const& from, protocol_version id, bool has_outcome)
{
    bool const is_extension = traits_of(id).era == era::stateless;
    append_quoted(out += R"("taskId":)", from.id);
    append_quoted(out += R"(,"status":)", to_string(from.status));
    if (!from.message.empty())
        append_quoted(out += R"(,"statusMessage":)", from.message);
    append_time(out += R"(,"createdAt":")", from.created);
    append_time(out += R"(","lastUpdatedAt":")", from.updated);
    out += is_extension ? R"(","ttlMs":)" : R"(","ttl":)";
    if (from.ttl)
        append_number(out, from.ttl->count());
    else
        out += "null";
    if (from.poll_interval)
        append_number(out += is_extension ? R"(,"pollIntervalMs":)" : R"(,"pollInterval":)",
                      from.poll_interval->count());
    if (!has_outcome || !is_extension)
        return;
    if (from.status == task_status::input_required && !from.input_requests.empty())
        (out += R"(,"inputRequests":)") += from.input_requests;
    if (from.status == task_status::completed)
        (out += R"(,"result":)") += from.result;
    if (from.status == task_status::failed)
        (out += R"(,"error":)") += from.error;
}

LINKSPAN_DECL void append_time(std::string& out, wall_time at)
{
    using namespace std::chrono;
    auto const day_start = floor<days>(at);
    year_month_day const date(day_start);
    hh_mm_ss const clock(floor<milliseconds>(at - day_start));
    using detail::task_time::append_digits;
    append_digits(out, static_cast<std::uint64_t>(static_cast<int>(date.year())), 4);
    append_digits(out += '-', static_cast<unsigned>(date.month()), 2);
    append_digits(out += '-', static_cast<unsigned>(date.day()), 2);
    append_digits(out += 'T', static_cast<std::uint64_t>(clock.hours().count()), 2);
    append_digits(out += ':', static_cast<std::uint64_t>(clock.minutes().count()), 2);
    append_digits(out += ':', static_cast<std::uint64_t>(clock.seconds().count()), 2);
    append_digits(out += '.', static_cast<std::uint64_t>(clock.subseconds().count()), 3);
    out += 'Z';
}

} // namespace linkspan

#endif
