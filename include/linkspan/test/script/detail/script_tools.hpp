#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_SCRIPT_TOOLS_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_SCRIPT_TOOLS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/script.hpp>
#include <linkspan/test/script/detail/script_format.hpp>
#include <linkspan/test/script/detail/script_reader.hpp>

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// The tools of a script, and the responses to their calls without a rule.
namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns a tool of a list of tools; empty: the value has no name. A tool without an output schema that has values
// responds with empty content.
LINKSPAN_DECL std::optional<script_format::tool> listed_tool(boost::json::value const& from, std::uint64_t seed);

// Adds the tools of the file `toolsFrom`, except those that the script has itself. `name`: path of the script.
LINKSPAN_DECL void add_listed_tools(script_format::script& to, std::string_view name, script_reader& reader);

// Returns the response to the calls of a tool that no rule handles; empty: the tool has empty content.
LINKSPAN_DECL action reply_of_tool(script_format::tool const& tool, std::uint64_t seed, script_reader& reader,
                                   std::string const& at);

// Adds the responses of tools that only actions declare. Returns the names of these tools.
LINKSPAN_DECL std::set<std::string> add_replies_of_added_tools(tool_replies& to, script_format::script const& from,
                                                               script_reader& reader);

// Adds the rule for the calls of a tool that no other rule matches.
LINKSPAN_DECL void add_last_rule(std::vector<rule>& to, std::string const& tool, action const& reply,
                                 script_format::unmatched unmatched);

// Adds such rules for the tools that rules declare. `known`: the tools of the script.
LINKSPAN_DECL void add_last_rules(std::vector<rule>& to, tool_replies const& known, script_format::unmatched unmatched);

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/script_tools.ipp>
#endif

#endif
