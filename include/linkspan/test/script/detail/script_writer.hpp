#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_SCRIPT_WRITER_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_SCRIPT_WRITER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>
#include <linkspan/test/chaos.hpp>
#include <linkspan/test/detail/default_responses.hpp>
#include <linkspan/test/detail/server_connection.hpp>
#include <linkspan/test/script.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

inline constexpr auto unlimited = std::numeric_limits<std::size_t>::max();

// The action `default` of a script, and the reply of a tool that is drawn from its output schema.
inline constexpr std::string_view default_form = R"({"default":true})";

// Writes a scripted server as a script, and collects what has no form in a script. The reader of scripts finds further
// problems, such as ids of rules that are not permitted.
class script_writer {
public:
    LINKSPAN_DECL explicit script_writer(scripted_server const& from);

    // Returns the script. Called once.
    LINKSPAN_DECL boost::json::object write(std::vector<any_expectation> const& expected);

    std::vector<diagnostic> const& problems() const noexcept { return problems_; }

    // Returns a description of the rule, tool or expectation at this location of the script; empty: there is none.
    LINKSPAN_DECL std::string subject_at(std::string_view pointer) const;

private:
    using value = boost::json::value;
    using object = boost::json::object;
    using array = boost::json::array;

    void reject(std::string problem)
    {
        problems_.push_back({.subject = subject_, .pointer = at_, .message = std::move(problem)});
    }
    // Makes later problems those of an element of the script.
    void enter(std::string_view list, std::size_t index);
    // Returns the JSON value of a text; empty after a problem.
    std::optional<value> read(std::string_view text, std::string const& name);
    // Returns the JSON object of a text; an empty object after a problem.
    object parsed(std::string_view text, std::string const& name);

    void find_added_tools();
    void sort_rules();
    bool sends_log_messages() const;
    void write_dialogue(object& to);
    void write_values(object& to);
    void write_faults(object& to);

    object write_tool(declared_tool const& from);
    std::optional<value> reply_of(declared_tool const& from);

    object write_rule(rule const& from, std::size_t index);
    value write_trigger(trigger const& from);
    object write_where(std::vector<parameter_condition> const& from);
    std::optional<value> write_times(rule_conditions const& from);
    object write_window(rule_conditions const& from);
    object write_changes(rule const& from);
    void write_phases(rule const& from, bool has_own_name, object& to);
    // `actions`: null is the default response. `phase`: number of the phase, from 1.
    array write_actions(rule const& from, std::vector<action> const* actions, std::size_t phase);
    // Returns the form of an action. `where`: description of the action for problems.
    object write_action(action const& from, std::string const& where);
    void check_default(rule const& from);

    object write_expectation(expectation const& from);
    object write_expectation(rule_order const& from);
    object write_expectation(closed_by_client) { return {{"stdinClosed", true}}; }

    server_script const& from_;                    // set by the constructor
    std::vector<rule const*> rules_;               // without the next ones; set by sort_rules()
    std::set<std::string> added_tools_;            // by actions; set by find_added_tools()
    std::map<std::string, action const*> replies_; // of tools that a script has declared; set by sort_rules()
    // The value of `unmatched` for calls of tools without a reply; set by sort_rules().
    std::map<std::string, std::string_view> others_;
    std::vector<diagnostic> problems_; // extended by reject()
    std::string subject_, at_;         // part that is written, and its location; set by enter()
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/script_writer.ipp>
#include <linkspan/test/script/impl/script_writer.rules.ipp>
#endif

#endif
