#ifndef LINKSPAN_TEST_SCRIPT_RULE_CONDITIONS_HPP
#define LINKSPAN_TEST_SCRIPT_RULE_CONDITIONS_HPP

#include <linkspan/core/time.hpp>
#include <linkspan/test/script/gates.hpp>
#include <linkspan/test/script/matcher.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

/// A part of a message, or a header field of the HTTP request, and the condition on it.
struct parameter_condition {
    /// Location in `params`, as a JSON Pointer; '#' and a JSON Pointer into the whole message, such as "#/id"; or
    /// "#/http/headers/" and the name of a header field, in any case. The value of a header field is a string; it is
    /// absent for other transports and other events.
    std::string pointer;

    matcher expected; ///< condition on the value at this location
};

namespace detail {

// Returns a condition with a pointer as in `parameter_condition`, and a definition of a matcher. Throws
// std::invalid_argument, whose message begins with `subject`, unless both are valid.
LINKSPAN_DECL parameter_condition condition_on(std::string pointer, boost::json::value const& definition,
                                               std::string const& subject);

} // namespace detail

/// Conditions of a rule in addition to its trigger. All of them must hold. Default: they hold for every request.
struct rule_conditions {
    /// Conditions on the parameters of the request.
    std::vector<parameter_condition> where{};

    /// Required state of each named scenario. A scenario without a state has the state "".
    std::map<std::string, std::string> states{};

    /// Number of the first request that the rule applies to, from 1. Earlier requests are only counted.
    std::size_t first = 1;
    std::size_t last = std::numeric_limits<std::size_t>::max(); ///< number of the last request
    std::size_t every = 1; ///< the rule applies to each `every`th request, from `first` on; 0 counts as 1

    /// Returns whether the rule applies to the request with this number, according to `first`, `last` and `every`.
    bool has_number(std::size_t number) const
    {
        return number >= first && number <= last && (number - first) % std::max<std::size_t>(every, 1) == 0;
    }

    duration begin{};               ///< time since the first connection of the server at which the rule begins to apply
    duration end = duration::max(); ///< time at which it ends to apply

    /// Probability of each request, from 0 to 1. The draw depends on the seed, the name of the rule and the number of
    /// the request, so that rules without a name share their draws.
    double chance = 1;

    int priority = 0; ///< rules with a higher priority come first; rules of equal priority in the order of addition
};

/// A change that a rule makes when it is selected for a request, before its first action.
struct value_change {
    /// Kinds of changes.
    enum class kind {
        state, ///< the scenario `name` gets the state `value`, a string
        set,   ///< the variable `name` gets `value`
        add    ///< `value`, a number, is added to the variable `name`, which counts as 0 unless it is a number
    };

    kind what = kind::state;  ///< kind of the change
    std::string name;         ///< name of the scenario or variable
    boost::json::value value; ///< state, value or number

    /// Whether texts in `value` contain the expressions of scripts, which are evaluated when the change is made. A
    /// number that is added contains none.
    bool has_expressions = false;
};

/// States of the scenarios, variables and gates of a scripted server. All connections of the server share them.
struct script_values {
    std::map<std::string, std::string> states; ///< by the name of the scenario; a missing scenario has the state ""
    boost::json::object vars;                  ///< variables
    std::uint64_t seed = 0;                    ///< determines all draws of the rules
    std::uint64_t drawn = 0;                   ///< number of draws of actions; the next depends on `seed` and `drawn`
    test::gates gates{};                       ///< gates at which actions wait

    /// Ends the process with a status, for the action `exit`. Empty: the action ends the connection. Set by
    /// `serve_stdio` and `serve_http` while they run.
    std::function<void(int status)> exit{};

    /// Whether the server itself ends; a pending request then does not count as cancelled. Cleared when `serve_stdio`
    /// and `serve_http` start.
    bool ending = false;

    /// Factor of the times of the rules: of delays and other waits, of faults, and of times since the first connection.
    /// 0.1: a rule for the time 10 s applies after 1 s. From 0.001 to 1000. Set before the first connection.
    double time_scale = 1;

    /// Returns the duration of a time of a rule: `of_rule` times `time_scale`.
    duration scaled(duration of_rule) const { return multiplied(of_rule, time_scale); }

    /// Returns the time of a rule that has the duration `passed`: `passed` divided by `time_scale`.
    duration unscaled(duration passed) const { return multiplied(passed, 1 / time_scale); }

    /// Stores the states and the variables, unless they were stored before. A scripted server calls the function before
    /// its first event.
    void store_initial()
    {
        if (std::exchange(is_initial_stored_, true) || (states.empty() && vars.empty()))
            return;
        initial_ = std::make_unique<initial_values const>(states, vars);
    }

    /// Gives all scenarios and variables the values that `store_initial` has stored.
    void reset()
    {
        store_initial();
        std::tie(states, vars) = initial_ ? *initial_ : initial_values();
    }

    /// Sets a variable to a response of the client.
    ///
    /// \param variable Name of the variable.
    /// \param response JSON text of the response, of which the members `jsonrpc` and `id` are not stored.
    LINKSPAN_DECL void store_response(std::string const& variable, std::string_view response);

    /// Returns the state of a scenario.
    std::string_view state(std::string const& scenario) const
    {
        auto const found = states.find(scenario);
        return found == states.end() ? std::string_view() : std::string_view(found->second);
    }

private:
    using initial_values = std::pair<std::map<std::string, std::string>, boost::json::object>;

    // A product of more than a century is a century: a time that is never reached.
    static duration multiplied(duration span, double factor)
    {
        if (factor == 1)
            return span;
        using seconds = std::chrono::duration<double>;
        constexpr seconds limit = std::chrono::hours(24 * 36'525);
        return std::chrono::round<duration>(std::min(seconds(span) * factor, limit));
    }

    bool is_initial_stored_ = false;                // set by store_initial()
    std::unique_ptr<initial_values const> initial_; // set by store_initial(); null: no states and no variables
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/rule_conditions.ipp>
#endif

#endif
