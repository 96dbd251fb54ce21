#ifndef LINKSPAN_TEST_SCRIPT_RULE_HPP
#define LINKSPAN_TEST_SCRIPT_RULE_HPP

#include <linkspan/core/time.hpp>
#include <linkspan/test/script/actions.hpp>
#include <linkspan/test/script/exchange.hpp>
#include <linkspan/test/script/rule_conditions.hpp>
#include <linkspan/test/script/trigger.hpp>

#include <boost/json/value.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

class script_writer;

} // namespace detail

/// Handling of further requests when all phases of a rule are used up.
enum class used_up {
    default_response, ///< the server sends its default response; later rules for the same requests have no effect
    next_rule,        ///< the rule matches no further request, so that later rules apply
    repeat_last,      ///< the last phase applies to all further requests
    cycle,            ///< the first phase follows the last one
    refuse            ///< the server sends the error -32603 with the name of the rule
};

/// The behaviour of a scripted server for the requests that one `trigger` matches.
///
/// All statements on requests also apply to other events, such as notifications, except that these have no default
/// response.
///
/// A rule is a sequence of phases. Each phase has a list of actions and a number of requests that it applies to; the
/// phases are used in the order in which they were added. After the last request of the last phase, the rule is used
/// up: the server sends its default response, unless `after_last` specifies another behaviour.
///
///     server.on(call("pay")).once(drop_connection()).then(text("paid"));
///
/// Conditions restrict the requests that the rule applies to. When the rule is selected for a request, its changes are
/// made before the first action:
///
///     server.on(call("login")).set_state("auth", "fresh").then(text("welcome"));
///     server.on(call("pay")).in_state("auth", "").then(tool_error("log in first"));
///
/// \par Thread safety
/// None: use the object on the thread that runs the test.
class rule {
public:
    /// Makes a rule without phases.
    explicit rule(trigger when) : when_(std::move(when)) { conditions_.where = std::exchange(when_.parameters, {}); }

    /// Adds a phase for all further requests. The actions run one after another for each request.
    ///
    /// \returns This object.
    /// \throws std::invalid_argument See `add_phase`.
    template<class... Actions>
    rule& then(Actions... actions)
    {
        return times(std::numeric_limits<std::size_t>::max(), std::move(actions)...);
    }

    /// Adds a phase for one request. The actions run one after another.
    ///
    /// \returns This object.
    /// \throws std::invalid_argument See `add_phase`.
    template<class... Actions>
    rule& once(Actions... actions)
    {
        return times(1, std::move(actions)...);
    }

    /// Adds a phase for `count` requests. The actions run one after another for each request. 0: adds no phase.
    ///
    /// \returns This object.
    /// \throws std::invalid_argument See `add_phase`.
    template<class... Actions>
    rule& times(std::size_t count, Actions... actions)
    {
        std::vector<action> steps;
        (steps.emplace_back(std::move(actions)), ...);
        return add_phase(count, std::move(steps));
    }

    /// Adds a phase for `count` requests. The actions run one after another for each request. 0: adds no phase.
    ///
    /// \returns This object.
    /// \throws std::invalid_argument An action needs a part, such as a request or a connection, that the event of the
    /// trigger does not have (`action_needs`, `trigger::permits`); or the rule has a phase for all further requests
    /// already.
    rule& add_phase(std::size_t count, std::vector<action> actions)
    {
        check_further_phase();
        if (!std::ranges::all_of(actions, [&](action const& one) { return when_.permits(one.needs()); }))
            throw std::invalid_argument(!when_.permits(action_needs::connection)
                                            ? "linkspan: rule: expected actions that need no connection"
                                            : "linkspan: rule: expected actions that need no request");
        if (count == 0)
            return *this;
        phases_.push_back({count, count, std::make_shared<std::vector<action> const>(std::move(actions))});
        return *this;
    }

    /// Adds a phase of `count` requests that receive the default response of the server. 0: adds no phase.
    ///
    /// \returns This object.
    /// \throws std::invalid_argument The rule has a phase for all further requests already.
    rule& pass(std::size_t count)
    {
        check_further_phase();
        if (count != 0)
            phases_.push_back({count, count, nullptr});
        return *this;
    }

    /// Sets the handling of requests after the last phase. Default: `used_up::default_response`.
    ///
    /// \returns This object.
    rule& after_last(used_up handling)
    {
        after_last_ = handling;
        return *this;
    }

    /// Sets the name of the rule in reports. Default: empty.
    ///
    /// \returns This object.
    rule& named(std::string name)
    {
        name_ = std::move(name);
        return *this;
    }

    /// Restricts the rule to requests with a value in their parameters or message, or with a header field of HTTP.
    ///
    ///     server.on(call("pay")).where("/_meta/tenant", {{"prefix", "acme-"}}).then(hang());
    ///
    /// \param pointer Location, as in `parameter_condition`.
    /// \param definition Definition of a `matcher`.
    /// \returns This object.
    /// \throws std::invalid_argument The pointer or the definition is invalid.
    rule& where(std::string pointer, boost::json::value const& definition)
    {
        conditions_.where.push_back(detail::condition_on(std::move(pointer), definition, "rule"));
        return *this;
    }

    /// Restricts the rule to requests that are received while the scenario has this state. A scenario without a state
    /// has the state "".
    ///
    /// \returns This object.
    rule& in_state(std::string scenario, std::string state)
    {
        conditions_.states[std::move(scenario)] = std::move(state);
        return *this;
    }

    /// Restricts the rule to a part of the time since the first connection of the server: from `begin`, before `end`.
    ///
    /// \returns This object.
    rule& during(duration begin, duration end)
    {
        conditions_.begin = begin;
        conditions_.end = end;
        return *this;
    }

    /// Sets the state of a scenario when the rule is selected for a request.
    ///
    /// \returns This object.
    rule& set_state(std::string scenario, std::string_view state)
    {
        changes_.push_back({value_change::kind::state, std::move(scenario), boost::json::value(state)});
        return *this;
    }

    /// Adds a change that is made when the rule is selected for a request.
    ///
    /// \returns This object.
    /// \throws std::invalid_argument The change adds a value that is not a number.
    rule& change(value_change made)
    {
        if (made.what == value_change::kind::add && !made.value.is_number())
            throw std::invalid_argument("linkspan: rule: expected a number that is added to the variable '" +
                                        made.name + "'");
        changes_.push_back(std::move(made));
        return *this;
    }

    /// Returns the conditions in addition to the trigger, which may be changed.
    rule_conditions& conditions() noexcept { return conditions_; }
    /// Returns the conditions in addition to the trigger.
    rule_conditions const& conditions() const noexcept { return conditions_; }
    /// Returns the changes that are made when the rule is selected.
    std::vector<value_change> const& changes() const noexcept { return changes_; }
    /// Returns the name of the rule; empty if it has none.
    std::string const& name() const noexcept { return name_; }

    /// Returns whether the trigger of this rule matches `request`, also if all phases are used up.
    bool matches(exchange const& request) const { return when_.matches(request); }
    /// Returns the trigger of this rule.
    trigger const& when() const noexcept { return when_; }

    /// Counts a request for which the trigger and the conditions on time, states and parameters hold; `first`, `last`,
    /// `every` and `chance` use the number. Returns the number, from 1.
    std::size_t count() noexcept { return ++counted_; }

    /// Returns the number of requests that `count` has counted.
    std::size_t counted() const noexcept { return counted_; }

    /// Returns whether the phases are used up and later rules apply.
    bool is_passed_over() const noexcept
    {
        return after_last_ == used_up::next_rule && !phases_.empty() && phases_.back().left == 0;
    }

    /// Returns the actions for the next request and counts that request. Null: the server sends its default response.
    std::shared_ptr<std::vector<action> const> next()
    {
        if (!phases_.empty() && phases_.back().left == 0) {
            if (after_last_ == used_up::repeat_last)
                return phases_.back().actions;
            if (after_last_ == used_up::refuse)
                return std::make_shared<std::vector<action> const>(
                    1, rpc_error(-32603, "rule '" + name_ + "' has no further phase"));
            if (after_last_ == used_up::cycle)
                for (auto& one : phases_)
                    one.left = one.count;
        }
        for (auto& one : phases_)
            if (one.left != 0) {
                --one.left;
                return one.actions;
            }
        return nullptr;
    }

private:
    friend class detail::script_writer;

    void check_further_phase() const
    {
        if (!phases_.empty() && phases_.back().count == std::numeric_limits<std::size_t>::max())
            throw std::invalid_argument("linkspan: rule: expected no phase after the one for all further requests");
    }

    struct phase {
        std::size_t count;                                  // requests of the phase
        std::size_t left;                                   // requests that remain; changed by rule::next()
        std::shared_ptr<std::vector<action> const> actions; // null: default response
    };

    trigger when_;                                   // set by the constructor
    std::string name_;                               // set by named()
    rule_conditions conditions_;                     // changed by in_state(), during() and conditions()
    std::vector<value_change> changes_;              // extended by set_state() and change()
    std::vector<phase> phases_;                      // extended by add_phase() and pass(); no `count` is 0
    used_up after_last_ = used_up::default_response; // set by after_last()
    std::size_t counted_ = 0;                        // incremented by count()
};

} // namespace linkspan::test

#endif
