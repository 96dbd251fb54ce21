#ifndef LINKSPAN_TEST_SCRIPT_TO_SCRIPT_HPP
#define LINKSPAN_TEST_SCRIPT_TO_SCRIPT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Returns a script in the format `linkspan-mock/1` with which `mock_script` gives a server the same behaviour: the
/// same tools and rules, faults, scenarios and variables.
///
///     scripted_server weather;
///     weather.on(call("forecast")).once(delay(2s), drop_connection()).then(text("sunny"));
///     std::ofstream("weather.json") << to_script(weather); // linkspan-mock --script weather.json
///
/// The rules begin with their first request, and the gates are closed; the scenarios and variables have their current
/// values. Call the function before the first connection, when these are the values at the start. Texts of C++ that
/// look like expressions, such as `${`, stay texts. A rule without a name gets the name of its position. The
/// expectations of a `mock_script` are no part of a server; `expected` adds expectations to the script:
///
///     to_script(weather, {expectation(call("forecast")).exactly(2), rule_order({"login", "pay"}), closed_by_client()})
///
/// The script contains all parts of the server: each part that has no form in a script is a problem. These parts are:
/// - functions of the program: actions that are neither made by the functions of `<linkspan/test/script/actions.hpp>`
///   nor with an `action_form`, predicates on arguments, functions of tools,
///   `server_dialogue::options::capabilities_of`, and `chaos_options::delay` without `delay_form`;
/// - the server behind the rules, `line_suffix`, `cut_requests_after`, `cut_responses_after`, faults of a plan or of
///   another seed than that of the server, open gates, `script_values::time_scale`, the title, description, URL and
///   icons of the server;
/// - texts that are not JSON in actions that send JSON, input schemas without `type`, and rules that a script cannot
///   describe;
/// - expectations with a predicate on the arguments, expectations of cancelled requests with another number than at
///   least one, and orders with a rule that does not exist.
///
/// \param from The server.
/// \param expected Expectations of the script, in this order.
/// \returns JSON text with one line for each tool, each rule and each expectation.
/// \throws script_error A part of the server has no form in a script. `problems()` has one entry for each, which names
/// the rule, the tool or the expectation, with the location in the script that it would have.
LINKSPAN_DECL std::string to_script(scripted_server const& from, std::vector<any_expectation> const& expected = {});

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/to_script.ipp>
#endif

#endif
