#ifndef LINKSPAN_TEST_IMPL_TRACE_IPP
#define LINKSPAN_TEST_IMPL_TRACE_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/trace.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// Returns the time with three decimals, for example "+1.250s".
inline std::string seconds_text(time_point now)
{
    auto const ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
    auto const rest = std::to_string(1000 + ms % 1000);
    return "+" + std::to_string(ms / 1000) + "." + rest.substr(1) + "s";
}

// Returns the method, or the kind of response, the id, and the name of the tool.
inline std::string message_summary(std::string_view message)
{
    std::string_view method_text, id, result, error, params;
    json_scan::reader members(message);
    for (auto one = members.next(); one && members.is_object(); one = members.next())
        for (auto const& [name, value] : {std::pair("method", &method_text), std::pair("id", &id),
                                          std::pair("result", &result), std::pair("error", &error),
                                          std::pair("params", &params)})
            if (value->empty() && one->key == name)
                *value = one->value;
    auto const method = json_scan::string(method_text);
    std::string out;
    if (method)
        out = *method;
    else if (!result.empty())
        out = "result";
    else if (!error.empty())
        out = "error " + std::string(json_scan::member(error, "code"));
    else
        return std::to_string(message.size()) + " bytes that are no message";
    if (!id.empty())
        (out += " id=") += id;
    if (method == "tools/call")
        if (auto const tool = json_scan::string(json_scan::member(params, "name")))
            (out += ' ') += *tool;
    return out;
}

} // namespace detail

LINKSPAN_DECL void trace::add(time_point now, std::string_view server, std::size_t connection, std::string_view event)
{
    auto line = "t=" + detail::seconds_text(now) + " ";
    ((line += server) += '#') += std::to_string(connection);
    (line += ' ') += event;
    hash_ = linkspan::detail::fnv1a("\n", linkspan::detail::fnv1a(line, hash_));
    lines_.push_back(std::move(line));
}

LINKSPAN_DECL void trace::add_message(time_point now, std::string_view server, std::size_t connection,
                                      std::string_view direction, std::string_view message)
{
    add(now, server, connection, std::string(direction) + " " + detail::message_summary(message));
    hash_ = linkspan::detail::fnv1a("\n", linkspan::detail::fnv1a(message, hash_));
}

} // namespace linkspan::test

#endif
