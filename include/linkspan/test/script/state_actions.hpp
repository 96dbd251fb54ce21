#ifndef LINKSPAN_TEST_SCRIPT_STATE_ACTIONS_HPP
#define LINKSPAN_TEST_SCRIPT_STATE_ACTIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/log_level.hpp>
#include <linkspan/test/script/exchange.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>

namespace linkspan::inline LINKSPAN_ABI::test {

/// @name Actions on the server and its process
///
/// Functions that return actions, as those of `<linkspan/test/script/actions.hpp>`, each with the form of the action of
/// a script:
///
///     server.on(call("login")).then(set_state("auth", "fresh"), log(log_level::info, "logged in"), text("welcome"));
/// @{

/// Returns an action that waits for a time that depends on draws or on the time since the first connection.
///
///     server.on(call("forecast")).then(delay({{"uniform", {"10ms", "50ms"}}}), text("sunny"));
///
/// \param distribution A distribution as in the action `delay` of a script, see doc/mock-script.md.
/// \throws std::invalid_argument The distribution is invalid. The text of the exception names each location.
LINKSPAN_DECL action delay(boost::json::object const& distribution);

/// Returns an action that sets the state of a scenario. `rule::set_state` does so before the first action.
///
/// \throws std::invalid_argument The name of the scenario begins with '$'.
LINKSPAN_DECL action set_state(std::string scenario, std::string state);

/// Returns an action that sets a variable. `rule::change` does so before the first action.
///
/// \throws std::invalid_argument The value is an object with the only member `add`, which a script adds to the
/// variable.
LINKSPAN_DECL action set_variable(std::string name, boost::json::value value);

/// Returns an action that adds a number to a variable, which counts as 0 unless it is a number.
LINKSPAN_DECL action add_to_variable(std::string name, double amount);

/// Returns an action with which all scenarios and variables have the values again that they had before the first event
/// of the server.
LINKSPAN_DECL action reset_values();

/// Returns an action that sends `notifications/message`.
///
/// \param level Level of the message.
/// \param data Member `data` of the notification.
LINKSPAN_DECL action log(log_level level, boost::json::value const& data);

/// Returns an action that declares a tool, or replaces the tool of this name, and sends
/// `notifications/tools/list_changed`. The action has no effect if a server is behind the rules. A call that no rule
/// handles has empty content; in an exported script, it has a value for the output schema, if there is one.
LINKSPAN_DECL action declare_tool(tool_declaration declared);

/// Returns an action that removes a tool, if there is one of this name, and sends `notifications/tools/list_changed`.
/// The action has no effect if a server is behind the rules.
LINKSPAN_DECL action remove_tool(std::string name);

/// Returns an action that writes a line to the standard error stream of the process.
LINKSPAN_DECL action write_to_stderr(std::string line);

/// Returns an action that ends the process with a status from 0 to 255 if `serve_stdio` or `serve_http` serves the
/// server; else it ends the connection. Later actions are not executed.
///
/// \throws std::invalid_argument The status is less than 0 or greater than 255.
LINKSPAN_DECL action exit_process(int status);

/// @}

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/state_actions.ipp>
#endif

#endif
