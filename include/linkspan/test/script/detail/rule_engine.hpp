#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_RULE_ENGINE_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_RULE_ENGINE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/test/script.hpp>
#include <linkspan/test/script/detail/condition_values.hpp>
#include <linkspan/test/script/detail/near_miss.hpp>
#include <linkspan/test/script/journal.hpp>
#include <linkspan/test/script/rule_conditions.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns a number from 0 to 1, without 1, that depends on its arguments only, so that the draw of one request does not
// change those of others.
LINKSPAN_DECL double draw_of(std::uint64_t seed, std::string_view name, std::uint64_t number);

// Makes a change of a rule, for an event.
LINKSPAN_DECL void make(value_change const& change, exchange& on);

inline void make_all(std::vector<value_change> const& changes, exchange& on)
{
    for (auto const& one : changes)
        make(one, on);
}

// The rules of a scripted server: selects the rule for each request, and makes the changes of that rule at once, so
// that the next request finds them, whatever the actions of the rule wait for.
//
// Invariants: `order_` has each rule of `rules_` once. Each record has the states before the changes of its rule.
class rule_engine {
public:
    rule_engine() = default;
    rule_engine(rule_engine const&) = delete; // `order_` and the records refer to `rules_`
    rule_engine& operator=(rule_engine const&) = delete;

    // Adds a rule. The reference is valid as long as this object.
    LINKSPAN_DECL rule& add(rule added);

    // Returns the rules in the order of addition.
    std::deque<rule> const& rules() const noexcept { return rules_; }

    // Returns the rule for a request that is received at `now`; null: none. Records the request, and counts it for all
    // rules that it matches until one is selected. `message`: index of the message in the received ones.
    LINKSPAN_DECL rule* select(exchange& request, std::size_t message, time_point now);

    // Returns the rule for an event without a request, which is not recorded.
    LINKSPAN_DECL rule* select_event(exchange& event, time_point now);

    // Returns whether a rule applies to events without a request.
    bool has_rules_of_events() const noexcept { return has_rules_of_events_; }

    // Returns the earliest time above `after` at which rules have an event; empty: none.
    LINKSPAN_DECL std::optional<duration> next_time(duration after) const;

    // Returns the recorded requests. `received`: all messages that were received.
    LINKSPAN_DECL journal requests(std::vector<std::string> const& received) const;

    // Returns which rule came nearest to a request that was received at `received`; empty: there are no rules for
    // requests. Rules of the lowest possible priority are responses of the server without a rule.
    LINKSPAN_DECL std::string nearest_rule(exchange const& request, time_point received) const;

    // As above, for the recorded request with this index, from the recorded states; empty also if a rule was selected.
    // Its number in the count of each rule is not recorded. `received`: all messages that were received.
    LINKSPAN_DECL std::string nearest_rule(std::size_t index, std::vector<std::string> const& received) const;

    // Returns the number of recorded requests, which is the index of the next one.
    std::size_t size() const noexcept { return recorded_.size(); }

    // Event: the client has cancelled the request with this index, or has ended its connection. Has no effect if the
    // server itself ends.
    void on_cancelled(std::size_t index)
    {
        if (index < recorded_.size())
            recorded_[index].cancelled = !values_.ending;
    }

    // Sets whether requests are recorded from now on.
    void set_recording(bool is_recording) noexcept { is_recording_ = is_recording; }
    bool is_recording() const noexcept { return is_recording_; }

    // The first connection was opened at `now`: the conditions on the time refer to it.
    void start(time_point now) { start_ = start_.value_or(now); }

    // Returns the time of rules since the first connection; 0 before it.
    duration since_start(time_point now) const { return values_.unscaled(now - start_.value_or(now)); }

    script_values& values() noexcept { return values_; }
    script_values const& values() const noexcept { return values_; }

private:
    using states_type = std::map<std::string, std::string>;
    struct record {
        duration time;
        rule const* selected;                      // null: none
        std::shared_ptr<states_type const> states; // before the changes of the rule; shared by successive records
        std::uint32_t message;                     // index in the received messages
        bool cancelled = false;                    // set by on_cancelled()
    };

    // A request with which the rules are compared.
    struct compared_request {
        std::string_view method, tool, arguments, params; // the last two as JSON text
        std::string message;                              // the whole message
        duration time;                                    // since the first connection
        states_type const& states;
        header_fields headers;   // of the HTTP request
        exchange const* counted; // null: the request is a recorded one, whose numbers are not known
    };

    std::string nearest_rule(compared_request const& request) const;
    // Adds the differences between a request and the conditions of a rule that has the same trigger. `values`: those of
    // the request.
    void compare_conditions(near_miss& to, rule const& candidate, compared_request const& request,
                            condition_values& values) const;
    void compare_count(near_miss& to, rule const& candidate, bool is_counted) const;
    header_fields headers_of(std::size_t index) const;
    void add_record(exchange const& request, rule const* selected, std::size_t message, time_point now);
    // Returns the first rule that applies; null: none.
    rule* find(exchange const& event, time_point now);
    // Stores the captured values, and makes the changes of the rule.
    void make_changes(rule const& selected, exchange& event);
    bool applies(rule& candidate, exchange const& request, condition_values& values, time_point now);

    std::deque<rule> rules_;           // added by add(), never removed; a deque, because callers hold references
    bool has_rules_of_events_ = false; // set by add()
    bool is_recording_ = true;         // set by set_recording()
    std::vector<rule*> order_;         // the same rules by descending priority, sorted by select()
    std::optional<time_point> start_;  // set by the first start()
    script_values values_;             // changed by select() and by actions
    std::vector<record> recorded_;     // extended by select()
    // Header fields of HTTP requests, by the indexes of their records, in ascending order; not members of these, which
    // other transports would pay for. Extended by select().
    std::vector<std::pair<std::size_t, header_fields>> headers_;
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/rule_engine.ipp>
#include <linkspan/test/script/impl/rule_engine.nearest.ipp>
#endif

#endif
