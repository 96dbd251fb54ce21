#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_ENTRY_RULES_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_ENTRY_RULES_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/script/detail/script_format.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// A rule that responds for a resource or a prompt of a script, or for a list of them.
struct entry_rule {
    script_format::rule rule; // with an id and the lowest priority, so that the rules of the script come first
    std::string at;           // location in the script of what the rule stands for
};

// Returns whether a text has expressions, which are evaluated when the action with the text runs.
inline bool has_expression(std::optional<std::string> const& text)
{
    return text && text->find("${") != std::string::npos;
}

// Returns the name of the variable with the text of the action at a location, if the text has expressions.
inline std::string variable_of_text(std::string const& at) { return "resources" + at; }

// Returns the name of the scenario whose state selects the contents of a resource, and the state for new contents. The
// state of the contents at the start is "".
inline std::string scenario_of_resource(std::string const& uri) { return "resource " + uri; }
inline std::string state_of(script_format::resource_change const& change, std::string const& at)
{
    return has_expression(change.text) ? at
           : change.text               ? "text: " + *change.text
                                       : "blob: " + change.blob.value_or("");
}

// The variable with the list of resources, if actions change it. Templates can refer to it.
inline constexpr char resource_list_variable[] = "resources/list";

// Returns the name of the scenario whose state selects the entry of a resource, if actions add or remove it. The state
// of the entry at the start is "", and that of a resource that was removed is `removed_state`.
inline std::string scenario_of_entry(std::string const& uri) { return "entry of resource " + uri; }
inline constexpr char removed_state[] = "removed";

// Returns the resources at the start, and those that actions of rules add.
LINKSPAN_DECL std::vector<script_format::resource> all_resources(script_format::script const& from);

// Makes the list of resources at the start a variable, if actions change it.
LINKSPAN_DECL void add_resource_list(script_format::script& to);

// Returns whether a script has resources, at the start or later.
LINKSPAN_DECL bool has_resources(script_format::script const& from);

// Returns the element of a resource in the result of `resources/list`. `is_template`: texts are written so that a
// template yields them.
LINKSPAN_DECL boost::json::object listed_resource(script_format::resource const& from, bool is_template);

// Returns the rules of the resources and prompts of a script: for their lists, for each of them, for the
// contents that actions give to resources, for those that actions add, and for unknown ones; and, if actions send log
// messages, a rule for `logging/setLevel`.
// Texts of resources and messages of prompts are templates, as in other rules.
LINKSPAN_DECL std::vector<entry_rule> entry_rules(script_format::script const& from);

// Returns the capabilities of a server with the resources, prompts and log messages of a script, as JSON text. Empty:
// the script has none of them.
LINKSPAN_DECL std::string entry_capabilities(script_format::script const& from);

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/entry_rules.ipp>
#endif

#endif
