#ifndef LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_READER_ACTIONS_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_READER_ACTIONS_IPP

#include <linkspan/describe/encode.hpp>
#include <linkspan/describe/for_each_argument.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/test/script/detail/delay_text.hpp>
#include <linkspan/test/script/detail/json_template.hpp>
#include <linkspan/test/script/detail/next_draw.hpp>
#include <linkspan/test/script/detail/responds.hpp>
#include <linkspan/test/script/detail/rule_engine.hpp>
#include <linkspan/test/script/detail/script_reader.hpp>
#include <linkspan/test/script/detail/span_text.hpp>

#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

using next_type = std::function<void()>;

// Returns an action that calls `what` and is complete at once.
template<class What>
action step(What what, action_needs needs)
{
    auto run = [what = std::move(what)](exchange& on, next_type const& next) {
        what(on);
        next();
    };
    return {std::move(run), needs};
}

// Returns the text of a JSON object without its braces.
inline std::string without_braces(std::string const& object) { return object.substr(1, object.size() - 2); }

// An action with a problem may be the one that responds.
inline void script_reader::check_response(std::span<script_format::action const> actions, std::size_t problems_before,
                                          std::string const& at)
{
    if (problems().size() == problems_before && std::ranges::none_of(actions, responds))
        reject_whole(at, "an action that responds, or {\"hang\": true}");
}

LINKSPAN_DECL std::vector<action> script_reader::read_response(std::span<script_format::action const> from,
                                                               std::string const& at)
{
    auto const before = problems().size();
    std::vector<action> out;
    for (std::size_t i = 0; i != from.size(); ++i)
        for (auto& one : read(from[i], at + "/" + std::to_string(i)))
            out.push_back(std::move(one));
    check_response(from, before, at);
    return out;
}

// Returns what is expected of the actions for an event that does not permit all of them.
inline char const* permitted_actions(trigger const& when)
{
    if (when.kind == event_kind::http)
        return "'http', 'hang', 'delay', 'gate', 'set', 'reset', 'openGate', 'stderr', 'close' or 'exit', because the "
               "message of the HTTP request was not read";
    return when.permits(action_needs::time)
               ? "an action that needs no request, because the event of the trigger has none"
               : "'set', 'reset', 'openGate', 'stderr' or 'exit', because the connection has ended";
}

inline std::vector<action> script_reader::read_actions(std::span<script_format::action const> from, trigger const& when,
                                                       std::string const& at)
{
    if (when.kind == event_kind::request)
        return read_response(from, at);
    std::vector<action> out;
    for (std::size_t i = 0; i != from.size(); ++i) {
        auto const here = at + "/" + std::to_string(i);
        auto steps = read(from[i], here);
        if (when.kind == event_kind::input_closed)
            check_timeouts(from[i], here);
        if (!std::ranges::all_of(steps, [&](action const& one) { return when.permits(one.needs()); }))
            reject_whole(here, permitted_actions(when));
        else
            std::ranges::move(steps, std::back_inserter(out));
    }
    return out;
}

LINKSPAN_DECL action script_reader::read_reply(script_format::action const& from, std::string const& at)
{
    auto const before = problems().size();
    auto steps = read(from, at);
    check_response({&from, 1}, before, at);
    // An action that responds is one step; others were reported as problems.
    return steps.empty() ? action() : std::move(steps.front());
}

LINKSPAN_DECL action script_reader::read_action(script_format::action const& from)
{
    auto steps = read(from, {});
    return steps.empty() ? action() : std::move(steps.front());
}

// Checks that a request to a client that has closed its side of the connection does not wait endlessly.
inline void script_reader::check_timeouts(script_format::action const& from, std::string const& at)
{
    auto const check = [&](auto const& request, char const* name) {
        if (request && !request->timeout)
            reject(at + name + "/timeout", "a time, because the client sends no response after the end of stdin");
    };
    check(from.request, "/request");
    check(from.sample, "/sample");
    check(from.elicit, "/elicit");
}

inline action script_reader::result(boost::json::object const& members, std::string const& at)
{
    return step([members = json_template::read_result(members, at, problems())](
                    exchange& on) { on.reply(without_braces(members.text(on))); },
                action_needs::request);
}

// Before the replies are known, the reply of a tool is read, which may be the default response of the server itself.
inline action script_reader::default_of_tool() const
{
    if (!replies_)
        return default_response();
    auto run = [replies = replies_](exchange& on, next_type next) {
        auto const found = replies->find(on.tool());
        if (found != replies->end() && found->second)
            return found->second(on, std::move(next));
        on.respond_by_default();
        next();
    };
    return {std::move(run), action_needs::request};
}

// Sends the progress notifications from number `sent` on.
inline void send_progress(script_format::progress const& what, duration pause, std::uint32_t sent, exchange& on,
                          next_type next)
{
    auto const send = [](script_format::progress const& one, std::uint32_t number, exchange& to) {
        to.progress(one.from + number, one.total.value_or(one.count));
    };
    if (pause == duration::zero())
        for (; sent != what.count; ++sent)
            send(what, sent, on);
    if (sent == what.count)
        return next();
    on.wait(pause, [what, pause, sent, send, &on, next = std::move(next)]() mutable {
        send(what, sent, on);
        send_progress(what, pause, sent + 1, on, std::move(next));
    });
}

inline action script_reader::progress_of(script_format::progress const& from, std::string const& at)
{
    auto const pause = span(from.every, at + "/every");
    auto run = [from, pause](exchange& on, next_type next) { send_progress(from, pause, 0, on, std::move(next)); };
    auto const every = pause == duration::zero() ? std::string() : span_text(pause);
    return {std::move(run), action_needs::request, form_of_progress(from.count, every, from.from, from.total)};
}

inline fault_setting script_reader::read_fault(std::variant<fault_kind, script_format::fault> const& from,
                                               std::string const& at)
{
    if (auto const* const kind = std::get_if<fault_kind>(&from))
        return {.kind = *kind};
    auto const& with = std::get<script_format::fault>(from);
    auto const delay = std::chrono::duration_cast<std::chrono::milliseconds>(span(with.delay, at + "/delay"));
    return {.kind = with.kind, .delay_ms = static_cast<std::uint64_t>(delay.count()), .amount = with.amount};
}

inline json_template script_reader::part(boost::json::value const& value, std::string const& at)
{
    return json_template::read(value, at, problems());
}

// Returns the template of a value that may be absent.
template<class Value>
std::optional<json_template> script_reader::optional_part(std::optional<Value> const& value, std::string const& at)
{
    return value ? std::optional(part(*value, at)) : std::nullopt;
}

inline action script_reader::error_of(script_format::rpc_error const& from, std::string const& at)
{
    return step([code = from.code, message = part(boost::json::string(from.message), at + "/message"),
                 data = optional_part(from.data, at + "/data")](
                    exchange& on) { on.refuse(code, message.characters(on), data ? data->text(on) : std::string()); },
                action_needs::request);
}

// Appends the actions that send a response. Returns the number of members.
inline std::size_t script_reader::read_results(script_format::action const& from, std::string const& at,
                                               std::vector<action>& to)
{
    std::size_t members = 0;
    auto const add = [&](action one) {
        ++members;
        to.push_back(std::move(one));
    };
    if (from.text)
        add(step([content = part(boost::json::string(*from.text), at + "/text")](
                     exchange& on) { on.reply(result_members(content.characters(on))); },
                 action_needs::request));
    if (from.structured)
        add(step([content = part(*from.structured, at + "/structured")](
                     exchange& on) { on.reply(result_members(content.expand(on).get_object())); },
                 action_needs::request));
    if (from.content)
        add(result({{"content", *from.content}}, at));
    if (from.tool_error)
        add(step([content = part(boost::json::string(*from.tool_error), at + "/toolError")](
                     exchange& on) { on.reply(result_members(content.characters(on)) + R"(,"isError":true)"); },
                 action_needs::request));
    if (from.rpc_error)
        add(error_of(*from.rpc_error, at + "/rpcError"));
    if (from.result)
        add(result(*from.result, at + "/result"));
    if (from.input_required) {
        auto const here = at + "/inputRequired";
        auto const before = problems().size();
        boost::json::object result_of{{"resultType", "input_required"}};
        if (from.input_required->requests)
            result_of["inputRequests"] = *from.input_required->requests;
        if (from.input_required->state)
            result_of["requestState"] = *from.input_required->state;
        add(result(result_of, here));
        relocate(before, here + "/inputRequests", here + "/requests");
        relocate(before, here + "/requestState", here + "/state");
    }
    if (from.default_response)
        add(default_of_tool());
    if (from.http)
        add(http_of(*from.http, at + "/http"));
    return members;
}

template<class Request>
action script_reader::request_of(std::string method, Request const& from, std::string const& at)
{
    auto const timeout = from.timeout ? span(*from.timeout, at + "/timeout") : duration::max();
    if (from.save_as && from.save_as->starts_with('$'))
        reject(at + "/saveAs", std::string(expected_variable));
    auto run = [method = std::move(method), params = optional_part(from.params, at + "/params"),
                variable = from.save_as.value_or(""), timeout](exchange& on, next_type next) {
        send_request(method, params ? params->text(on) : std::string(), variable, timeout)(on, std::move(next));
    };
    return {std::move(run), action_needs::connection};
}

// Returns the value of a header field, which a line end in a value of the client would end.
inline std::string on_one_line(std::string value)
{
    std::ranges::replace_if(
        value, [](char c) { return c == '\r' || c == '\n' || c == '\0'; }, ' ');
    return value;
}

inline action script_reader::http_of(script_format::http_response const& from, std::string const& at)
{
    for (auto const& [name, value] : from.headers)
        if (name.empty() || name.find_first_of(" :\r\n") != name.npos || value.find_first_of("\r\n") != value.npos)
            reject(at + "/headers/" + linkspan::detail::shortened_key(name), "a header field on one line");
    std::vector<std::pair<std::string, json_template>> fields;
    for (auto const& [name, value] : from.headers)
        fields.emplace_back(name,
                            part(boost::json::string(value), at + "/headers/" + linkspan::detail::shortened_key(name)));
    auto run = [status = from.status, fields = std::move(fields),
                body = part(boost::json::string(from.body), at + "/body")](exchange& on) {
        std::map<std::string, std::string> headers;
        for (auto const& [name, value] : fields)
            headers.emplace(name, on_one_line(value.characters(on)));
        on.respond_http(http_response_text(status, headers, body.characters(on)));
    };
    return step(std::move(run), action_needs::http);
}

// Appends the actions that send other messages. Returns the number of members.
inline std::size_t script_reader::read_messages(script_format::action const& from, std::string const& at,
                                                std::vector<action>& to)
{
    std::size_t members = 0;
    auto const add = [&](action one) {
        ++members;
        to.push_back(std::move(one));
    };
    if (from.progress)
        add(progress_of(*from.progress, at + "/progress"));
    if (from.log)
        add(step([params = part(boost::json::object{{"level", name_of(from.log->level)}, {"data", from.log->data}},
                                at + "/log")](exchange& on) { on.notify("notifications/message", params.text(on)); },
                 action_needs::connection));
    if (from.notify)
        add(step([method = from.notify->method, params = optional_part(from.notify->params, at + "/notify/params")](
                     exchange& on) { on.notify(method, params ? params->text(on) : std::string()); },
                 action_needs::connection));
    if (from.resource) {
        ++members;
        std::ranges::move(changes_of(*from.resource, at + "/resource"), std::back_inserter(to));
    }
    if (from.request)
        add(request_of(from.request->method, *from.request, at + "/request"));
    if (from.sample)
        add(request_of("sampling/createMessage", *from.sample, at + "/sample"));
    if (from.elicit)
        add(request_of("elicitation/create", *from.elicit, at + "/elicit"));
    if (from.emit && from.emit->find_first_of("\r\n") != std::string::npos)
        reject(at + "/emit", "a text without a line break, which would end the message");
    if (from.emit)
        add(raw(*from.emit));
    return members;
}

// Appends the actions that send no message. Returns the number of members.
inline std::size_t script_reader::read_controls(script_format::action const& from, std::string const& at,
                                                std::vector<action>& to)
{
    std::size_t members = 0;
    auto const add = [&](action one) {
        ++members;
        to.push_back(std::move(one));
    };
    if (from.delay)
        add(delay_of(*from.delay, at + "/delay"));
    if (from.tools)
        add(change_of(*from.tools));
    if (from.resources)
        add(change_of(*from.resources, at + "/resources"));
    if (from.gate)
        add(gate(*from.gate));
    if (from.open_gate)
        add(open_gate(*from.open_gate));
    if (from.set)
        add(step([changes = read_changes(*from.set, at + "/set")](exchange& on) { make_all(changes, on); },
                 action_needs::nothing));
    if (from.reset)
        add(step([](exchange& on) { on.values().reset(); }, action_needs::nothing));
    if (from.standard_error)
        add(step([line = *from.standard_error](exchange&) { std::cerr << line << std::endl; }, action_needs::nothing));
    if (from.fault)
        add(fault(read_fault(*from.fault, at + "/fault")));
    if (from.hang)
        add(hang());
    if (from.close)
        add(drop_connection());
    if (from.exit)
        add([status = *from.exit](exchange& on, next_type const&) {
            on.values().exit ? on.values().exit(status) : on.drop();
        });
    return members;
}

inline std::vector<action> script_reader::read(script_format::action const& from, std::string const& at)
{
    std::vector<action> out;
    auto const members = read_results(from, at, out) + read_messages(from, at, out) + read_controls(from, at, out);
    if (members != 1)
        reject_whole(at, "exactly one member");
    // An action of the C++ functions has a form. The rules of added resources would be added twice by an exported
    // script.
    if (members == 1 && !from.resources && out.front().form().json.empty()) {
        std::string json;
        encode(json, from);
        out.front() = action(std::move(out.front()), {std::move(json), true});
    }
    return out;
}

} // namespace linkspan::test::detail

#endif
