#ifndef LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_READER_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_READER_IPP

#include <linkspan/describe/enum.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/parse_params.hpp>
#include <linkspan/test/script/detail/script_reader.hpp>
#include <linkspan/test/script/detail/span_text.hpp>

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

inline duration script_reader::span(std::string const& text, std::string const& at)
{
    auto const read = read_span(text);
    if (!read)
        reject(at, std::string(expected_span));
    return read.value_or(duration::zero());
}

inline trigger script_reader::read_trigger(std::optional<std::string> const& tool,
                                           std::optional<std::string> const& method, std::string const& at)
{
    if (tool.has_value() + method.has_value() != 1)
        reject_whole(at, "exactly one of 'call' and 'request'");
    else if (tool && tool->empty())
        reject(at + "/call", "the name of a tool; {\"request\": \"tools/call\"} is the trigger for all calls");
    return tool ? call(*tool) : request(method.value_or(""));
}

inline trigger script_reader::read_trigger(script_format::trigger const& from, std::string const& at)
{
    if (from.call.has_value() + from.request.has_value() + from.notification.has_value() + from.response.has_value() +
            from.connect.has_value() + from.stdin_eof.has_value() + from.disconnect.has_value() +
            from.start.has_value() + from.at.has_value() + from.gate.has_value() + from.http.has_value() +
            from.signal.has_value() !=
        1)
        reject_whole(at, "exactly one of 'call', 'request', 'notification', 'response', 'connect', 'stdin-eof', "
                         "'disconnect', 'start', 'at', 'gate', 'http' and 'signal'");
    else if (from.notification)
        return notification(*from.notification);
    else if (from.response)
        return response(*from.response);
    else if (from.connect)
        return connection_opened();
    else if (from.stdin_eof)
        return input_closed();
    else if (from.disconnect)
        return connection_closed();
    else if (from.start)
        return server_started();
    else if (from.at)
        return time_reached(span(*from.at, at + "/at"));
    else if (from.gate)
        return gate_opened(*from.gate);
    else if (from.signal)
        return signal_received(*from.signal == script_format::signal_name::any ? ""
                                                                               : std::string(name_of(*from.signal)));
    else if (from.http)
        return http_request(from.http->method.value_or(""), from.http->path.value_or(""));
    else
        return read_trigger(from.call, from.request, at);
    return request("");
}

// Returns what is expected of the name of a condition.
inline std::string expected_pointer(bool has_params, bool has_headers)
{
    std::string const header = "a header field, such as '#/http/headers/authorization'";
    if (!has_params)
        return header;
    return "a JSON Pointer into the parameters as name, such as '/arguments/city', or into the message, such as "
           "'#/id'" +
           (has_headers ? ", or " + header : std::string());
}

inline std::vector<parameter_condition> script_reader::read_where(matchers const& from, std::string const& at,
                                                                  condition_scope scope)
{
    std::vector<parameter_condition> out;
    for (auto const& [pointer, definition] : from) {
        auto const here = at + "/where/" + linkspan::detail::shortened_key(pointer);
        bool const is_header = !header_of_pointer(pointer).empty();
        bool const is_value = is_json_pointer(pointer) || pointer_into_message(pointer);
        if (!(is_header ? scope.has_headers : scope.has_params && is_value))
            reject(here, expected_pointer(scope.has_params, scope.has_headers), short_json(pointer));
        out.push_back({pointer, matcher::read(definition, here, problems())});
    }
    return out;
}

inline expectation script_reader::read_pattern(script_format::pattern const& from, std::string const& at)
{
    expectation out(read_trigger(from.call, from.request, at));
    out.where(read_where(from.where, at, {}));
    return out;
}

// An order without names, or with an empty one, is rejected elsewhere: as a short array, and as an unknown rule.
inline any_expectation expectation_of(std::vector<std::string> const& order)
{
    if (order.empty() || std::ranges::find(order, "") != order.end())
        return closed_by_client();
    return rule_order(order);
}

LINKSPAN_DECL any_expectation script_reader::read(script_format::expectation const& from, std::string const& at)
{
    bool const is_pattern = from.call || from.request;
    if (is_pattern + from.never.has_value() + from.cancelled.has_value() + from.order.has_value() +
            from.stdin_closed.has_value() !=
        1)
        reject(at, "exactly one of 'call', 'request', 'never', 'cancelled', 'order' and 'stdinClosed'");
    if (!is_pattern && (!from.where.empty() || from.count))
        reject(at, "'where' and 'count' only beside 'call' or 'request'");
    if (from.never)
        return read_pattern(*from.never, at + "/never").exactly(0);
    if (from.cancelled)
        return read_pattern(*from.cancelled, at + "/cancelled").cancelled();
    if (from.order)
        return expectation_of(*from.order);
    if (from.stdin_closed)
        return closed_by_client();
    expectation out(is_pattern ? read_trigger(from.call, from.request, at) : trigger{});
    out.where(read_where(from.where, at, {}));
    if (!from.count)
        return out;
    if (auto const* const exact = std::get_if<std::uint64_t>(&*from.count))
        return out.exactly(static_cast<std::size_t>(*exact));
    auto const& [min, max] = std::get<script_format::count>(*from.count);
    if (max && *max < min) {
        reject(at + "/count/max", "a number that is not less than 'min'");
        return out;
    }
    constexpr auto all = std::numeric_limits<std::size_t>::max();
    return out.between(static_cast<std::size_t>(min), static_cast<std::size_t>(max.value_or(all)));
}

LINKSPAN_DECL rule script_reader::read(script_format::rule const& from, std::string const& name, std::string const& at)
{
    rule out(read_trigger(from.on, at + "/on"));
    auto const kind = out.when().kind;
    condition_scope const scope{.has_params = kind == event_kind::request || kind == event_kind::notification ||
                                              kind == event_kind::response,
                                .has_headers = kind == event_kind::request || kind == event_kind::http};
    if (!scope.has_params && !scope.has_headers && !from.where.empty())
        reject(at + "/where", "no such member, because the event of the trigger has no parameters");
    out.named(from.id.value_or(name)).conditions() = conditions(from, scope, at);
    for (auto& change : read_changes(from.set, at + "/set"))
        out.change(std::move(change));
    read_phases(from, out, at);
    read_times(from, out, at);
    return out;
}

inline rule_conditions script_reader::conditions(script_format::rule const& from, condition_scope scope,
                                                 std::string const& at)
{
    rule_conditions out;
    if (scope.has_params || scope.has_headers)
        out.where = read_where(from.where, at, scope);
    out.states = from.state;
    if (from.during) {
        auto const before = problems().size();
        out.begin = from.during->from ? span(*from.during->from, at + "/during/from") : duration::zero();
        out.end = from.during->to ? span(*from.during->to, at + "/during/to") : duration::max();
        if (problems().size() == before && out.begin >= out.end)
            reject(at + "/during", "a time 'to' after the time 'from'");
    }
    out.chance = from.chance;
    out.priority = from.priority;
    return out;
}

inline void script_reader::read_times(script_format::rule const& from, rule& to, std::string const& at)
{
    if (!from.times)
        return;
    constexpr auto all = std::numeric_limits<std::size_t>::max();
    auto& conditions = to.conditions();
    if (auto const* const count = std::get_if<std::uint64_t>(&*from.times)) {
        conditions.last = static_cast<std::size_t>(*count);
        return;
    }
    auto const& numbers = std::get<script_format::occurrence>(*from.times);
    if (numbers.nth && (numbers.from || numbers.to || numbers.every))
        return reject(at + "/times", "'nth' without further members");
    // A 0 was reported as a problem, and must not divide.
    conditions.every = std::max<std::size_t>(1, static_cast<std::size_t>(numbers.every.value_or(1)));
    // The first request whose number is a multiple of `every`, and not below `from`.
    auto const from_number = static_cast<std::size_t>(numbers.nth ? *numbers.nth : numbers.from.value_or(1));
    auto const multiple = from_number / conditions.every + (from_number % conditions.every != 0);
    conditions.first = multiple > all / conditions.every ? all : multiple * conditions.every;
    conditions.last = static_cast<std::size_t>(numbers.nth ? *numbers.nth : numbers.to.value_or(all));
    if (conditions.first > conditions.last)
        reject(at + "/times", "a number 'to' from which at least one request is selected");
}

inline void script_reader::read_phases(script_format::rule const& from, rule& to, std::string const& at)
{
    constexpr auto all = std::numeric_limits<std::size_t>::max();
    if (from.steps.has_value() == from.sequence.has_value())
        reject(at, "exactly one of 'do' and 'sequence'");
    if (from.after && !from.sequence)
        reject(at + "/after", "no such member beside 'do'");
    if (from.after == script_format::after::fail && to.when().kind != event_kind::request)
        reject(at + "/after", "no 'fail', because the event of the trigger has no request");
    if (from.steps) {
        auto actions = read_actions(*from.steps, to.when(), at + "/do");
        if (!from.sequence) // else a problem of both was reported
            to.add_phase(all, std::move(actions));
    }
    if (!from.sequence)
        return;
    for (std::size_t i = 0; i != from.sequence->size(); ++i)
        to.add_phase(1, read_actions((*from.sequence)[i], to.when(), at + "/sequence/" + std::to_string(i)));
    switch (from.after.value_or(script_format::after::repeat_last)) {
    case script_format::after::repeat_last: to.after_last(used_up::repeat_last); break;
    case script_format::after::cycle: to.after_last(used_up::cycle); break;
    case script_format::after::unmatched: to.after_last(used_up::next_rule); break;
    case script_format::after::fail: to.after_last(used_up::refuse); break;
    }
}

inline bool script_reader::has_expressions(boost::json::value const& value, std::string const& at)
{
    return !part(value, at).is_constant();
}

LINKSPAN_DECL std::vector<value_change> script_reader::read_changes(boost::json::object const& from,
                                                                    std::string const& at)
{
    std::vector<value_change> out;
    for (auto const& member : from) {
        std::string_view const name = member.key();
        auto const& value = member.value();
        auto const here = at + "/" + linkspan::detail::shortened_key(name);
        auto const* const object = value.if_object();
        auto const* const added = object && object->size() == 1 ? object->if_contains("add") : nullptr;
        if (!name.starts_with('$')) {
            if (!value.is_string())
                reject(here, "the state of a scenario, a string; the name of a variable begins with '$'");
            else
                out.push_back({value_change::kind::state, std::string(name), value, has_expressions(value, here)});
        } else if (added && !added->is_number()) {
            reject(here + "/add", "a number");
        } else if (auto const* const start = vars_ ? vars_->if_contains(name.substr(1)) : nullptr;
                   added && start && !start->is_number()) {
            reject(here + "/add", "a variable that is a number in 'vars'", short_json(*start));
        } else {
            auto const kind = added ? value_change::kind::add : value_change::kind::set;
            out.push_back(
                {kind, std::string(name.substr(1)), added ? *added : value, !added && has_expressions(value, here)});
        }
    }
    return out;
}

} // namespace linkspan::test::detail

#endif
