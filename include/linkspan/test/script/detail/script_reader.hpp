#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_SCRIPT_READER_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_SCRIPT_READER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/chaos.hpp>
#include <linkspan/test/script.hpp>
#include <linkspan/test/script/any_expectation.hpp>
#include <linkspan/test/script/detail/delay_text.hpp>
#include <linkspan/test/script/detail/json_template.hpp>
#include <linkspan/test/script/detail/script_format.hpp>
#include <linkspan/test/script/detail/script_problems.hpp>
#include <linkspan/test/script/rule_conditions.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Description of the name of a variable, for messages.
inline constexpr std::string_view expected_variable = "the name of a variable without '$', which only 'set' requires";

// The action that responds to calls of a tool without a rule, by the name of the tool; empty: empty content.
using tool_replies = std::map<std::string, action, std::less<>>;

// Returns the response to a call of a tool that no rule of its script handles. The message also has the nearest rule.
inline action no_rule_error(std::string const& tool)
{
    constexpr int code = -32603;
    auto const message = "the script has no rule for this call of '" + tool + "'";
    auto const without_rule = rpc_error(code, message);
    auto run = [message](exchange& on, std::function<void()> const& next) {
        auto const nearest = on.nearest_rule();
        on.refuse(code, nearest.empty() ? message : message + "; " + nearest);
        next();
    };
    return {std::move(run), without_rule.needs(), without_rule.form()};
}

// Returns the action that ends the server for a request that the script does not handle: writes a report to the
// standard error stream, and ends the process with the status of an expectation that is not met.
inline action fail_fast()
{
    constexpr int status = 3;
    auto run = [](exchange& on, std::function<void()> const&) {
        auto const tool = on.tool().empty() ? std::string() : " of '" + std::string(on.tool()) + "'";
        auto const nearest = on.nearest_rule();
        std::cerr << "the script has no rule for this request: " << on.method() << tool
                  << (nearest.empty() ? "" : "; " + nearest) << std::endl;
        on.values().exit ? on.values().exit(status) : on.drop();
    };
    return {std::move(run), action_needs::request, form_of("exit", std::to_string(status))};
}

// Makes rules, triggers and actions from the structs of a script, and collects what is wrong in them.
class script_reader : public script_problems {
public:
    using script_problems::script_problems;

    // Sets the variables at the start, which must outlive this object.
    void set_variables(boost::json::object const& vars) { vars_ = &vars; }

    // Sets the resources that actions may change, at the start and those that actions add.
    void set_resources(std::vector<script_format::resource> resources) { resources_ = std::move(resources); }

    // Sets what the action `default` executes for the tools.
    void set_replies(std::shared_ptr<tool_replies const> replies) { replies_ = std::move(replies); }

    // `name`: of a rule without an id.
    LINKSPAN_DECL rule read(script_format::rule const& from, std::string const& name, std::string const& at);
    // Reads one action, which must be one that responds.
    LINKSPAN_DECL action read_reply(script_format::action const& from, std::string const& at);
    // Reads one action for an event of any kind. Without a function after a problem.
    LINKSPAN_DECL action read_action(script_format::action const& from);
    LINKSPAN_DECL any_expectation read(script_format::expectation const& from, std::string const& at);
    LINKSPAN_DECL chaos_options read(script_format::chaos const& from, std::string const& at);
    LINKSPAN_DECL std::vector<value_change> read_changes(boost::json::object const& from, std::string const& at);

    // Reads the actions for a request, which must have one that responds.
    LINKSPAN_DECL std::vector<action> read_response(std::span<script_format::action const> from, std::string const& at);

private:
    using matchers = std::map<std::string, boost::json::value>;
    using delay_format = std::variant<std::string, script_format::distribution>;

    std::vector<action> read(script_format::action const& from, std::string const& at);
    std::size_t read_results(script_format::action const& from, std::string const& at, std::vector<action>& to);
    std::size_t read_messages(script_format::action const& from, std::string const& at, std::vector<action>& to);
    std::size_t read_controls(script_format::action const& from, std::string const& at, std::vector<action>& to);
    template<class Value>
    std::optional<json_template> optional_part(std::optional<Value> const& value, std::string const& at);
    action error_of(script_format::rpc_error const& from, std::string const& at);
    template<class Request>
    action request_of(std::string method, Request const& from, std::string const& at);
    action change_of(script_format::tool_change const& from);
    action change_of(script_format::resource_list_change const& from, std::string const& at);
    bool is_resource(std::string const& uri) const;
    std::vector<action> changes_of(script_format::resource_change const& from, std::string const& at);
    action http_of(script_format::http_response const& from, std::string const& at);
    json_template part(boost::json::value const& value, std::string const& at);
    bool has_expressions(boost::json::value const& value, std::string const& at);
    void check_response(std::span<script_format::action const> actions, std::size_t problems_before,
                        std::string const& at);
    duration span(std::string const& text, std::string const& at);
    trigger read_trigger(std::optional<std::string> const& tool, std::optional<std::string> const& method,
                         std::string const& at);
    // Reads a trigger, also one that matches other events than requests.
    trigger read_trigger(script_format::trigger const& from, std::string const& at);
    // Reads the actions of a rule, all of which its trigger must permit.
    std::vector<action> read_actions(std::span<script_format::action const> from, trigger const& when,
                                     std::string const& at);
    // The values that conditions may refer to. Default: those of a request.
    struct condition_scope {
        bool has_params = true;
        bool has_headers = true; // header fields of the HTTP request
    };
    std::vector<parameter_condition> read_where(matchers const& from, std::string const& at, condition_scope scope);
    expectation read_pattern(script_format::pattern const& from, std::string const& at);
    rule_conditions conditions(script_format::rule const& from, condition_scope scope, std::string const& at);
    void read_times(script_format::rule const& from, rule& to, std::string const& at);
    void read_phases(script_format::rule const& from, rule& to, std::string const& at);
    action result(boost::json::object const& members, std::string const& at);
    void check_timeouts(script_format::action const& from, std::string const& at);
    action delay_of(delay_format const& from, std::string const& at);
    delay_function read_delay(script_format::distribution const& from, std::string const& at);
    void read_chaos_delay(delay_format const& from, chaos_options& to, std::string const& at);
    fault_setting read_fault(std::variant<fault_kind, script_format::fault> const& from, std::string const& at);
    action progress_of(script_format::progress const& from, std::string const& at);

    action default_of_tool() const;

    boost::json::object const* vars_ = nullptr;      // set by set_variables(); null: none
    std::vector<script_format::resource> resources_; // set by set_resources()
    std::shared_ptr<tool_replies const> replies_;    // set by set_replies(); null: none
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/script_reader.actions.ipp>
#include <linkspan/test/script/impl/script_reader.changes.ipp>
#include <linkspan/test/script/impl/script_reader.delays.ipp>
#include <linkspan/test/script/impl/script_reader.ipp>
#endif

#endif
