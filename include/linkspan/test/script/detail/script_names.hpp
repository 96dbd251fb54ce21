#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_SCRIPT_NAMES_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_SCRIPT_NAMES_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/script/detail/entry_rules.hpp>
#include <linkspan/test/script/detail/script_format.hpp>
#include <linkspan/test/script/detail/script_reader.hpp>
#include <linkspan/test/script/rule.hpp>

#include <set>
#include <string>
#include <vector>

// Checks of the names that a script defines, and of those to which it refers.
namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Checks that the names of the resources and prompts, and the ids of the rules, are different, and that the input
// schema of each tool is that of an object.
LINKSPAN_DECL void check_names(script_format::script const& from, std::vector<entry_rule> const& entries,
                               script_reader& reader);

// Checks that the rules of the expectation of an order exist. `at`: location of the expectation.
LINKSPAN_DECL void check_order(script_format::expectation const& from, std::vector<rule> const& rules,
                               script_reader& reader, std::string const& at);

// Checks that each scenario whose state a rule requires has a state at the start, or that a rule or an action sets it.
// The state of another scenario is always empty.
LINKSPAN_DECL void check_scenarios(script_format::script const& from, script_reader& reader);

// Checks that the names of the variables at the start do not begin with '$'.
LINKSPAN_DECL void check_variables(script_format::script const& from, script_reader& reader);

// Checks that the tools of expectations are tools of the script, or `others`. Without an effect if the script does not
// contain all names of its tools: the tools may be those of a tape or of another server, and a rule for all calls may
// respond to calls of any tool.
LINKSPAN_DECL void check_expected_tools(script_format::script const& from, std::set<std::string> const& others,
                                        script_reader& reader);

// Implements `mock_script::misspelled_tools`.
LINKSPAN_DECL std::vector<std::string> misspelled_tools(script_format::script const& from);

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/script_names.ipp>
#endif

#endif
