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

namespace linkspan::test {
namespace detail {

struct sample_range {
    std::size_t min = 0, max = static_cast<std::size_t>(-1);

    void narrow(boost::json::object const& schema, std::string_view least, std::string_view most)
    {
        min = std::max(min, find_count(schema, least, 0));
        max = std::min(max, find_count(schema, most, max));
    }
};

} // namespace detail

/// What makes the values of a `sampler`.
class sample_source {
public:
    LINKSPAN_DECL sample_source(boost::json::value const& schema, std::uint64_t seed, schema_options options,
                                sample_limits const& limits);

    std::optional<boost::json::value> next();

    std::string const& reason() const noexcept { return reason_; }

private:
    using value = boost::json::value;
    using object = boost::json::object;
    using array = boost::json::array;
    using made = std::optional<value>;
    using places = std::vector<value const*>; // schemas that a value has to obey

    // What the schemas of one value say together, once of each union a branch is chosen.
    struct demand {
        std::vector<object const*> parts;
        std::vector<std::string_view> required, forbidden;
        unsigned kinds = detail::is_anything;
        std::size_t depth = 0; // values around it
    };

    made make(places const& where, std::size_t depth, unsigned kinds = detail::is_anything);
    made make_of_kind(demand const& wanted, unsigned kind);
    made make_number(demand const& wanted);
    made make_string(demand const& wanted);
    made make_array(demand const& wanted);
    made make_object(demand const& wanted);
    made make_member(places const& where, std::string_view token, std::size_t depth);

    bool gather(places where, demand& out);
    static void add_part(object const& schema, demand& out);
    bool gather_one(object const& schema, std::size_t depth, places& queue);
    void gather_branches(object const& schema, std::size_t depth, places& queue);
    bool gather_dependencies(demand& out, places& queue, std::vector<void const*>& decided);
    void decide_dependency(object::const_iterator which, demand& out, places& queue);

    std::optional<std::vector<value const*>> enumerated(demand const& wanted);
    unsigned choose_kind(demand const& wanted);

    std::optional<std::string> try_string(detail::sample_range size, std::string_view format,
                                          std::vector<schema_pattern const*> const& patterns, bool with_format,
                                          bool is_short);
    std::size_t choose_size(detail::sample_range size, std::size_t more, std::size_t most, bool is_short);

    places at_position(demand const& wanted, std::size_t at) const;
    bool add_item(array& to, places const& where, bool is_unique, std::size_t depth);

    places at_name(demand const& wanted, std::string_view name);
    std::string make_name(demand const& wanted);
    std::vector<std::string> choose_names(demand const& wanted, detail::sample_range size);
    void add_extra_names(demand const& wanted, detail::sample_range size, std::set<std::string, std::less<>>& known,
                         std::vector<std::string>& names);

    schema_pattern const& pattern(std::string_view text);
    bool finds(schema_pattern const& what, std::string_view in);

    // One of `count`, of which each has its turn.
    std::size_t choose(void const* place, std::size_t count);
    bool is_small(std::size_t depth) const noexcept;

    std::nullopt_t fail(std::string why)
    {
        if (trouble_.empty())
            trouble_ = path_ + (path_.empty() ? "" : ": ") + std::move(why);
        return std::nullopt;
    }

    bool spend(std::size_t steps)
    {
        bool const is_enough = steps <= steps_;
        steps_ -= std::min(steps, steps_);
        if (!is_enough)
            fail("takes too many steps");
        return is_enough;
    }

    static constexpr std::size_t small_depth = 6;    // from here on only what must be there
    static constexpr std::size_t many_values = 200;  // from here on too
    static constexpr std::size_t first_trials = 8;   // of the first value
    static constexpr std::size_t string_trials = 16; // for one string

    sample_limits limits_;
    draws draw_;
    std::optional<schema_validator> check_;
    std::optional<sample_schema> schema_;
    std::unordered_map<void const*, std::vector<std::uint32_t>> turns_;
    std::map<std::string, schema_pattern, std::less<>> patterns_;
    linkspan::detail::pattern_budget pattern_budget_; // as much as the validator has
    std::string reason_;
    bool is_first_ = true;

    // of a trial
    bool is_smallest_ = false;
    unsigned varies_ = 0;      // what was made last is not good enough
    std::size_t appetite_ = 0; // of 4: how many of the optional members are there
    std::size_t values_ = 0;
    std::size_t steps_ = 0; // that are left for all trials
    std::string path_, trouble_;
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/sample/impl/sample_source.ipp>
#endif

#endif
