#ifndef LINKSPAN_TEST_SCRIPT_TO_SCRIPT_HPP
#define LINKSPAN_TEST_SCRIPT_TO_SCRIPT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>
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
/// The script contains all parts of the server: each part that has no form in a script is a problem;
/// `to_partial_script` omits these parts. They are:
/// - functions of the program: actions that are neither made by the functions of `<linkspan/test/script/actions.hpp>`
///   and `<linkspan/test/script/state_actions.hpp>` nor with an `action_form`, predicates on arguments, functions of
///   tools, `server_dialogue::options::capabilities_of`, and `chaos_options::delay` without `delay_form`;
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

/// A script with those parts of a server that have a form in a script.
struct partial_script {
    std::string json;                ///< the script, as `to_script` returns it
    std::vector<diagnostic> omitted; ///< the other parts, as `to_script` reports them
};

/// Returns a script without the parts of the server that have no form in a script: rules and expectations with such
/// parts are omitted, tools remain without their function, and other parts have their default.
///
///     auto const [json, omitted] = to_partial_script(weather);
///
/// \param from The server.
/// \param expected Expectations of the script, in this order.
/// \returns The script, and the parts that it does not contain.
/// \throws script_error A tool is invalid, such as one with an input schema that is not JSON.
LINKSPAN_DECL partial_script to_partial_script(scripted_server const& from,
                                               std::vector<any_expectation> const& expected = {});

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/to_script.ipp>
#endif

#endif
