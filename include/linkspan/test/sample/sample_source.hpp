#ifndef LINKSPAN_TEST_SAMPLE_SAMPLE_SOURCE_HPP
#define LINKSPAN_TEST_SAMPLE_SAMPLE_SOURCE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/schema/pattern.hpp>
#include <linkspan/schema/pattern_budget.hpp>
#include <linkspan/schema/schema_options.hpp>
#include <linkspan/schema/validator.hpp>
#include <linkspan/test/draws.hpp>
#include <linkspan/test/sample/detail/sample_kinds.hpp>
#include <linkspan/test/sample/sample_limits.hpp>
#include <linkspan/test/sample/sample_schema.hpp>

#include <boost/json/value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

/// Range of a size: of a string, an array or an object.
struct sample_range {
    std::size_t min = 0, max = static_cast<std::size_t>(-1);

    /// Intersects the range with the bounds that the keywords `min_keyword` and `max_keyword` of `schema` specify.
    void narrow(boost::json::object const& schema, std::string_view min_keyword, std::string_view max_keyword)
    {
        min = std::max(min, keyword_view(schema)[min_keyword].count().value_or(0));
        max = std::min(max, keyword_view(schema)[max_keyword].count().value_or(max));
    }
};

} // namespace detail

/// The implementation of `sampler`.
///
/// A value is generated in trials. A trial visits the schema recursively: at each place, all schemas that apply are
/// gathered into a `demand`, one branch of each union and a kind of value are chosen, and a value of this kind is made.
/// The complete value is then validated; an invalid value is discarded and the next trial begins.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class sample_source {
public:
    /// Compiles and indexes `schema`. If the schema is invalid, `reason()` returns the first problem.
    LINKSPAN_DECL sample_source(boost::json::value const& schema, std::uint64_t seed, schema_options options,
                                sample_limits const& limits);

    /// Returns the next value; empty if the schema is invalid or no trial within the limits succeeded.
    std::optional<boost::json::value> next();

    /// Returns the reason why the last call of `next()` returned no value; empty if it returned a value.
    std::string const& reason() const noexcept { return reason_; }

private:
    using value = boost::json::value;
    using object = boost::json::object;
    using array = boost::json::array;
    using made = std::optional<value>;
    using places = std::vector<value const*>; // schemas that apply to one value

    // The constraints of all schemas that apply to one value, after a branch of each union is chosen.
    struct demand {
        std::vector<object const*> parts;                  // all applicable object schemas
        std::vector<std::string_view> required, forbidden; // names of members
        unsigned kinds = detail::is_anything;              // permitted kinds, bits of detail::sample_kind
        std::size_t depth = 0;                             // number of enclosing values
    };

    // Values, in sample_source.ipp

    // Makes a value that the schemas in `where` permit. Like all make_ functions, this function returns an empty
    // optional and records the problem with fail() if no value can be made.
    made make(places const& where, std::size_t depth, unsigned kinds = detail::is_anything);
    // Makes a value of one kind; `kind` has one bit, or both bits of numbers.
    made make_of_kind(demand const& wanted, unsigned kind);
    // Make a value of the kind in their name.
    made make_number(demand const& wanted);
    made make_string(demand const& wanted);
    made make_array(demand const& wanted);
    made make_object(demand const& wanted);

    // Returns the values that `enum` and `const` permit; nothing if there is no such restriction.
    std::optional<std::vector<value const*>> enumerated(demand const& wanted);
    // Chooses a permitted kind, preferring the kinds to which the keywords of the schemas apply.
    unsigned choose_kind(demand const& wanted);

    // Makes one string and checks it against the length and all patterns.
    std::optional<std::string> try_string(detail::sample_range size, std::string_view format,
                                          std::vector<schema_pattern const*> const& patterns, bool with_format,
                                          bool is_short);
    // Chooses a size up to `max`, usually at most `more` above the minimum.
    std::size_t choose_size(detail::sample_range size, std::size_t more, std::size_t max, bool is_short);

    // Returns the compiled pattern from the cache.
    schema_pattern const& pattern(std::string_view text);
    // Returns whether the pattern matches the text. The search is deducted from the limit of steps.
    bool finds(schema_pattern const& expression, std::string_view in);

    // Returns an index below `count`, preferring the indexes that were chosen least often at this place.
    std::size_t choose(void const* place, std::size_t count);
    // Returns whether values at this depth are to have only what is required.
    bool is_small(std::size_t depth) const noexcept;

    // Constraints, in sample_source.gathering.ipp

    // Collects the constraints of all schemas in `where` and of the schemas that they refer to. Returns false if they
    // permit no value.
    bool gather(places where, demand& out);
    // Adds the constraints of one schema, without its references and branches.
    static void add_part(object const& schema, demand& out);
    // Appends the targets of references to `queue`, and the chosen branches. Returns false if the schema is a mere
    // reference.
    bool gather_one(object const& schema, std::size_t depth, places& queue);
    // Appends all parts of `allOf`, one branch of each union, and `if` with `then`, or `else`.
    void gather_branches(object const& schema, std::size_t depth, places& queue);
    // Decides for the members of `dependentRequired`, `dependentSchemas` and `dependencies` whether they are present.
    // Returns false if there was nothing to decide.
    bool gather_dependencies(demand& out, places& queue, std::vector<void const*>& decided);
    // Makes the member that a dependency names required or forbidden, and appends the schema that its presence adds.
    void decide_dependency(object::const_iterator dependency, demand& out, places& queue);

    // Arrays and objects, in sample_source.containers.ipp

    // Makes a member or item; `token` is its name or index in path_. Without schemas any value is made.
    made make_member(places const& where, std::string_view token, std::size_t depth);

    // Returns the schemas that apply to the item with index `at`.
    places at_position(demand const& wanted, std::size_t at) const;
    // Appends an item. Returns false if none could be made, or none that differs from the others if they must differ.
    bool add_item(array& to, places const& where, bool is_unique, std::size_t depth);

    // Returns the schemas that apply to the member with the given name.
    places at_name(demand const& wanted, std::string_view name);
    // Returns a name for an additional member; empty if none was found.
    std::string make_name(demand const& wanted);
    // Returns the names of all members of an object.
    std::vector<std::string> choose_names(demand const& wanted, detail::sample_range size);
    // Appends names of additional members to `names`.
    void add_extra_names(demand const& wanted, detail::sample_range size, std::set<std::string, std::less<>>& known,
                         std::vector<std::string>& names);

    // Problems and steps

    // Records the first problem of a trial, with the path of the value.
    std::nullopt_t fail(std::string why)
    {
        if (problem_.empty())
            problem_ = path_ + (path_.empty() ? "" : ": ") + std::move(why);
        return std::nullopt;
    }

    // Deducts steps from the limit. Returns false if the limit is exceeded.
    bool spend(std::size_t steps)
    {
        bool const is_enough = steps <= steps_;
        steps_ -= std::min(steps, steps_);
        if (!is_enough)
            fail("the limit of steps is exceeded");
        return is_enough;
    }

    static constexpr std::size_t small_depth = 6;    // from this depth on values have only required parts
    static constexpr std::size_t many_values = 200;  // from this number of values on, too, only required parts
    static constexpr std::size_t first_trials = 8;   // trials of the first value that have only required members
    static constexpr std::size_t string_trials = 16; // attempts for one string

    sample_limits limits_;                  // set by the constructor
    draws draw_;                            // advanced by each random choice
    std::optional<schema_validator> check_; // set by the constructor
    std::optional<sample_schema> schema_;   // set by the constructor; empty: the schema is invalid
    std::unordered_map<void const*, std::vector<std::uint32_t>> turns_; // per place: how often each index was chosen
    std::map<std::string, schema_pattern, std::less<>> patterns_;       // compiled patterns by their text
    pattern_budget pattern_budget_;                                     // equal to that of the validator
    std::string reason_;   // set when next() fails, cleared when next() starts with a valid schema
    bool is_first_ = true; // until the first value was returned

    // State of a trial: set at its start.
    bool is_smallest_ = false;       // the first trial of the first value
    unsigned varies_ = 0;            // above 0 while an item is made again because it equals an earlier item
    std::size_t optional_share_ = 0; // 0 to 4: an optional member is present with a probability of this / 4
    std::size_t values_ = 0;         // made in this trial
    std::size_t steps_ = 0;          // left for all trials; set when next() starts
    std::string path_, problem_;     // JSON Pointer of the value that is being made; first problem of this trial
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/sample/impl/sample_source.containers.ipp>
#include <linkspan/test/sample/impl/sample_source.gathering.ipp>
#include <linkspan/test/sample/impl/sample_source.ipp>
#endif

#endif
