#ifndef LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_READER_ACTIONS_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_SCRIPT_READER_ACTIONS_IPP

#include <linkspan/describe/for_each_argument.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/test/script/detail/delay_text.hpp>
#include <linkspan/test/script/detail/json_template.hpp>
#include <linkspan/test/script/detail/next_draw.hpp>
#include <linkspan/test/script/detail/rule_engine.hpp>
#include <linkspan/test/script/detail/script_reader.hpp>

#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
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

// Returns an action that executes the action that `make` returns for the request, which sends the response.
template<class Make>
action made_by(Make make)
{
    return {[make = std::move(make)](exchange& on, next_type next) { make(on)(on, std::move(next)); },
            action_needs::request};
}

// Returns the text of a JSON object without its braces.
inline std::string without_braces(std::string const& object) { return object.substr(1, object.size() - 2); }

// An action with a problem may be the one that responds.
inline void script_reader::check_response(std::span<script_format::action const> actions, std::size_t problems_before,
                                          std::string const& at)
{
    auto const responds = [](script_format::action const& one) {
        return one.text || one.structured || one.content || one.tool_error || one.rpc_error || one.result ||
               one.input_required || one.default_response || one.hang || one.close || one.exit || one.emit;
    };
    if (problems_.size() == problems_before && std::ranges::none_of(actions, responds))
        reject_whole(at, "an action that responds, or {\"hang\": true}");
}

LINKSPAN_DECL std::vector<action> script_reader::read_response(std::span<script_format::action const> from,
                                                               std::string const& at)
{
    auto const before = problems_.size();
    std::vector<action> out;
    for (std::size_t i = 0; i != from.size(); ++i)
        for (auto& one : read(from[i], at + "/" + std::to_string(i)))
            out.push_back(std::move(one));
    check_response(from, before, at);
    return out;
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
        if (std::ranges::any_of(steps, [&](action const& one) { return one.needs() > when.permits(); }))
            reject_whole(here, when.permits() == action_needs::nothing
                                   ? "'set', 'openGate', 'stderr' or 'exit', because the connection has ended"
                                   : "an action that needs no request, because the event of the trigger has none");
        else
            std::ranges::move(steps, std::back_inserter(out));
    }
    return out;
}

LINKSPAN_DECL action script_reader::read_reply(script_format::action const& from, std::string const& at)
{
    auto const before = problems_.size();
    auto steps = read(from, at);
    check_response({&from, 1}, before, at);
    // An action that responds is one step; others were reported as problems.
    return steps.empty() ? action() : std::move(steps.front());
}

inline action script_reader::result(boost::json::object members, std::string const& at)
{
    return step([members = json_template::read(std::move(members), at, problems_)](
                    exchange& on) { on.reply(without_braces(members.text(on))); },
                action_needs::request);
}

inline action script_reader::default_of_tool() const
{
    auto run = [replies = replies_](exchange& on, next_type next) {
        auto const found = replies ? replies->find(on.tool()) : tool_replies::const_iterator();
        if (replies && found != replies->end() && found->second)
            return found->second(on, std::move(next));
        on.respond_by_default();
        next();
    };
    return {std::move(run), action_needs::request};
}

inline action script_reader::delay_of(std::variant<std::string, script_format::distribution> const& from,
                                      std::string const& at)
{
    if (auto const* const text = std::get_if<std::string>(&from))
        return delay(span(*text, at));
    auto const& distribution = std::get<script_format::distribution>(from);
    constexpr double max_sigma = 10; // of which the factor is more than 10,000 in one draw of six
    if (distribution.lognormal && !(distribution.lognormal->second >= 0 && distribution.lognormal->second <= max_sigma))
        reject(at + "/lognormal/1", "a number from 0 to 10");
    auto const drawn = read_distribution(distribution);
    if (!drawn)
        reject_whole(at, "exactly one of 'uniform', 'normal', 'lognormal' and 'exp', with " +
                             std::string(expected_span) + "; the lowest of 'uniform' first");
    auto run = [drawn](exchange& on, next_type next) {
        auto const first = unit_interval(next_draw(on.values()));
        auto const second = unit_interval(next_draw(on.values()));
        on.wait(drawn(first, second), std::move(next));
    };
    return {std::move(run), action_needs::connection};
}

inline void script_reader::append_progress(script_format::progress const& from, std::vector<action>& to,
                                           std::string const& at)
{
    auto const pause = span(from.every, at + "/every");
    auto const total = from.total.value_or(from.count);
    for (std::uint32_t i = 1; i <= from.count; ++i) {
        if (pause != duration::zero())
            to.push_back(delay(pause));
        to.push_back(progress(i, total));
    }
}

inline std::vector<action> script_reader::read(script_format::action const& from, std::string const& at)
{
    std::size_t members = 0;
    std::vector<action> out;
    auto const add = [&](action one) { out.push_back(std::move(one)); };
    auto const part = [&](boost::json::value const& value, char const* name) {
        return json_template::read(value, at + "/" + name, problems_);
    };
    if (from.text && ++members)
        add(made_by([content = part(boost::json::string(*from.text), "text")](exchange& on) {
            return text(content.characters(on));
        }));
    if (from.structured && ++members)
        add(made_by([content = part(*from.structured, "structured")](exchange& on) {
            return structured(content.expand(on).get_object());
        }));
    if (from.content && ++members)
        add(result({{"content", *from.content}}, at));
    if (from.tool_error && ++members)
        add(made_by([content = part(boost::json::string(*from.tool_error), "toolError")](exchange& on) {
            return tool_error(content.characters(on));
        }));
    if (from.rpc_error && ++members)
        add(step([code = from.rpc_error->code,
                  message = part(boost::json::string(from.rpc_error->message), "rpcError/message")](
                     exchange& on) { on.refuse(code, message.characters(on)); },
                 action_needs::request));
    if (from.result && ++members)
        add(result(*from.result, at + "/result"));
    if (from.input_required && ++members) {
        boost::json::object result_of{{"resultType", "input_required"}};
        if (from.input_required->requests)
            result_of["inputRequests"] = *from.input_required->requests;
        if (from.input_required->state)
            result_of["requestState"] = *from.input_required->state;
        add(result(std::move(result_of), at + "/inputRequired"));
    }
    if (from.progress && ++members)
        append_progress(*from.progress, out, at + "/progress");
    if (from.log && ++members)
        add(step([params = part(boost::json::object{{"level", name_of(from.log->level)}, {"data", from.log->data}},
                                "log")](exchange& on) { on.notify("notifications/message", params.text(on)); },
                 action_needs::connection));
    if (from.notify && ++members)
        add(step([method = from.notify->method, has_params = from.notify->params.has_value(),
                  params = part(from.notify->params.value_or(boost::json::object()), "notify/params")](
                     exchange& on) { on.notify(method, has_params ? params.text(on) : std::string()); },
                 action_needs::connection));
    if (from.request && ++members)
        add({[method = from.request->method, has_params = from.request->params.has_value(),
              params = part(from.request->params.value_or(boost::json::object()), "request/params")](exchange& on,
                                                                                                     next_type next) {
                 on.send_request(method, has_params ? params.text(on) : std::string(), std::move(next));
             },
             action_needs::connection});
    if (from.delay && ++members)
        add(delay_of(*from.delay, at + "/delay"));
    if (from.gate && ++members)
        add(gate(*from.gate));
    if (from.open_gate && ++members)
        add(open_gate(*from.open_gate));
    if (from.set && ++members)
        add(step(
            [changes = read_changes(*from.set, at + "/set")](exchange& on) {
                for (auto const& change : changes)
                    make(change, on.values());
            },
            action_needs::nothing));
    if (from.emit && from.emit->find_first_of("\r\n") != std::string::npos)
        reject(at + "/emit", "a text without a line break, which would end the message");
    if (from.emit && ++members)
        add(raw(*from.emit));
    if (from.standard_error && ++members)
        add(step([line = *from.standard_error](exchange&) { std::cerr << line << std::endl; }, action_needs::nothing));
    if (from.hang && ++members)
        add(hang());
    if (from.close && ++members)
        add(drop_connection());
    if (from.default_response && ++members)
        add(default_of_tool());
    if (from.exit && ++members)
        add([status = *from.exit](exchange& on, next_type const&) {
            on.values().exit ? on.values().exit(status) : on.drop();
        });
    if (members != 1)
        reject_whole(at, "exactly one member, found " + std::to_string(members));
    return out;
}

} // namespace linkspan::test::detail

#endif
