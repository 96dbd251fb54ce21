#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_RULE_ENGINE_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_RULE_ENGINE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/test/script.hpp>
#include <linkspan/test/script/journal.hpp>
#include <linkspan/test/script/rule_conditions.hpp>

#include <boost/json/value.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns a number from 0 to 1, without 1, that depends on its arguments only, so that the draw of one request does not
// change those of others.
LINKSPAN_DECL double draw_of(std::uint64_t seed, std::string_view name, std::uint64_t number);

// Makes a change of a rule.
LINKSPAN_DECL void make(value_change const& change, script_values& in);

// The rules of a scripted server: selects the rule for each request, and makes the changes of that rule at once, so
// that the next request finds them, whatever the actions of the rule wait for.
class rule_engine {
public:
    // Adds a rule. The reference is valid as long as this object.
    LINKSPAN_DECL rule& add(rule added);

    // Returns the rule for a request that is received at `now`; null: none. Records the request, and counts it for all
    // rules that it matches until one is selected. `raw_id`: id as JSON text.
    LINKSPAN_DECL rule* select(exchange const& request, std::string_view raw_id, time_point now);

    journal const& requests() const noexcept { return journal_; }
    // Event: the client has cancelled the request with this number in the journal, or its connection has ended.
    void on_cancelled(std::size_t number) { journal_[number].cancelled = true; }

    // The first connection was opened at `now`: the conditions on the time refer to it.
    void start(time_point now) { start_ = start_.value_or(now); }

    script_values& values() noexcept { return values_; }

private:
    bool applies(rule& candidate, exchange const& request, std::optional<boost::json::value>& params, time_point now);

    std::deque<rule> rules_;          // added by add(), never removed; a deque, because callers hold references
    std::vector<rule*> order_;        // the same rules by descending priority, sorted by select()
    std::optional<time_point> start_; // set by the first start()
    script_values values_;            // changed by select() and by actions
    journal journal_;                 // extended by select()
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/rule_engine.ipp>
#endif

#endif
