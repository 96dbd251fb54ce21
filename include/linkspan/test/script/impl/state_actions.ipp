#ifndef LINKSPAN_TEST_SCRIPT_IMPL_STATE_ACTIONS_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_STATE_ACTIONS_IPP

#include <linkspan/describe/decode.hpp>
#include <linkspan/test/script/detail/declaration_text.hpp>
#include <linkspan/test/script/detail/escape_expressions.hpp>
#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/json_text.hpp>
#include <linkspan/test/script/detail/script_reader.hpp>
#include <linkspan/test/script/state_actions.hpp>

#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// Returns the action of a script that has this form, without expressions: the reader of scripts makes the action, so
// that it is the same in a script.
inline action scripted_action(std::string_view name, boost::json::value form)
{
    escape_expressions(form);
    auto const json = json_text(boost::json::object{{name, std::move(form)}});
    script_format::action from;
    mismatches differences;
    std::vector<diagnostic> problems;
    script_reader reader(json, problems);
    action out;
    if (decode(from, json, differences))
        out = reader.read_action(from);
    else
        reader.add(differences);
    if (!problems.empty())
        throw std::invalid_argument(join_problems("linkspan: action", problems));
    return out;
}

// Returns an action that changes the tools, and sends the notification.
inline action with_change_notification(std::function<void(exchange&)> change, action_form form)
{
    auto run = [change = std::move(change)](exchange& on, std::function<void()> const& next) {
        change(on);
        on.notify("notifications/tools/list_changed", {});
        next();
    };
    return {std::move(run), action_needs::connection, std::move(form)};
}

} // namespace detail

LINKSPAN_DECL action delay(boost::json::object const& distribution)
{
    return detail::scripted_action("delay", distribution);
}

LINKSPAN_DECL action set_state(std::string scenario, std::string state)
{
    if (scenario.starts_with('$')) // a variable in the form of the action
        throw std::invalid_argument(
            "linkspan: action: set_state: expected a name that does not begin with '$', found " +
            detail::quoted(scenario));
    return detail::scripted_action("set", boost::json::object{{scenario, state}});
}

LINKSPAN_DECL action set_variable(std::string name, boost::json::value value)
{
    if (auto const* const object = value.if_object(); object && object->size() == 1 && object->contains("add"))
        throw std::invalid_argument("linkspan: action: set_variable: expected a value that is no object with the only "
                                    "member 'add', which a script adds to the variable");
    return detail::scripted_action("set", boost::json::object{{"$" + name, std::move(value)}});
}

LINKSPAN_DECL action add_to_variable(std::string name, double amount)
{
    return detail::scripted_action("set", boost::json::object{{"$" + name, boost::json::object{{"add", amount}}}});
}

LINKSPAN_DECL action reset_values() { return detail::scripted_action("reset", true); }

LINKSPAN_DECL action log(log_level level, boost::json::value const& data)
{
    return detail::scripted_action("log", boost::json::object{{"level", to_string(level)}, {"data", data}});
}

LINKSPAN_DECL action declare_tool(tool_declaration declared)
{
    std::string added;
    detail::append_declaration(added, declared);
    auto form = detail::form_of("tools", R"({"add":[)" + added + "]}");
    return detail::with_change_notification(
        [declared = std::move(declared)](exchange& on) { on.declare_tool(declared); }, std::move(form));
}

LINKSPAN_DECL action remove_tool(std::string name)
{
    auto form = detail::form_of("tools", R"({"remove":[)" + detail::quoted(name) + "]}");
    return detail::with_change_notification([name = std::move(name)](exchange& on) { on.remove_tool(name); },
                                            std::move(form));
}

LINKSPAN_DECL action write_to_stderr(std::string line)
{
    return detail::scripted_action("stderr", boost::json::value(std::move(line)));
}

LINKSPAN_DECL action exit_process(int status) { return detail::scripted_action("exit", status); }

} // namespace linkspan::test

#endif
