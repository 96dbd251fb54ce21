#ifndef LINKSPAN_TEST_SAMPLE_IMPL_SAMPLE_SOURCE_IPP
#define LINKSPAN_TEST_SAMPLE_IMPL_SAMPLE_SOURCE_IPP

#include <linkspan/test/sample/sample_number.hpp>
#include <linkspan/test/sample/sample_source.hpp>
#include <linkspan/test/sample/sample_text.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cstdint>

namespace linkspan::inline LINKSPAN_ABI::test {

LINKSPAN_DECL sample_source::sample_source(boost::json::value const& schema, std::uint64_t seed, schema_options options,
                                           sample_limits const& limits)
    : limits_(limits), draw_(seed)
{
    options.max_steps = std::min(options.max_steps, limits.max_checking);
    check_.emplace(schema, options);
    if (check_->ok())
        schema_.emplace(schema, options);
    else
        reason_ = "the schema is invalid: " + to_string(check_->problems().front());
}

LINKSPAN_DECL std::optional<boost::json::value> sample_source::next()
{
    if (!schema_)
        return std::nullopt;
    reason_.clear();
    steps_ = limits_.max_steps;
    made last;
    std::size_t trial = 0;
    for (; trial != limits_.max_trials && steps_ != 0; ++trial) {
        is_smallest_ = is_first_ && trial == 0;
        optional_share_ = is_first_ && trial < first_trials ? 0 : draw_.below(5);
        varies_ = 0;
        values_ = 0;
        path_.clear();
        problem_.clear();
        auto found = make({&schema_->root()}, 0);
        if (found && check_->accepts(*found)) {
            is_first_ = false;
            return found;
        }
        if (found)
            last = std::move(found);
    }
    reason_ = "no valid value found in " + std::to_string(trial) + " trials";
    if (last)
        reason_ += "; the last one: " + to_string(check_->validate(*last).errors.front());
    else if (!problem_.empty())
        reason_ += "; the last one: " + problem_;
    return std::nullopt;
}

LINKSPAN_DECL bool sample_source::is_small(std::size_t depth) const noexcept
{
    return (is_smallest_ || depth >= small_depth || values_ >= many_values) && varies_ == 0;
}

LINKSPAN_DECL std::size_t sample_source::choose(void const* place, std::size_t count)
{
    auto& turns = turns_[place];
    turns.resize(std::max(turns.size(), count));
    auto const used = [&](std::size_t i) { return turns[i]; };
    auto chosen = draw_.below(count);
    if (!draw_.one_in(4)) {
        auto const first = chosen; // random start, so that each of the least used indexes can be chosen
        for (std::size_t i = 0; i != count; ++i)
            if (auto const other = (first + i) % count; used(other) < used(chosen))
                chosen = other;
    }
    ++turns[chosen];
    return chosen;
}

LINKSPAN_DECL std::optional<boost::json::value> sample_source::make(places const& where, std::size_t depth,
                                                                    unsigned kinds)
{
    if (depth > limits_.max_depth)
        return fail("nesting is deeper than " + std::to_string(limits_.max_depth) + " values");
    if (++values_ > limits_.max_values)
        return fail("more than " + std::to_string(limits_.max_values) + " values are required");
    demand wanted;
    wanted.kinds = kinds;
    wanted.depth = depth;
    if (!gather(where, wanted))
        return std::nullopt;
    if (auto const some = enumerated(wanted)) {
        if (some->empty())
            return fail("no value satisfies all of 'enum', 'const' and 'type'");
        auto const size = [](value const* one) { return serialize(*one).size(); };
        return *(is_small(depth) ? *std::ranges::min_element(*some, {}, size)
                                 : (*some)[choose(where.front(), some->size())]);
    }
    if (wanted.kinds == 0)
        return fail("no type satisfies all schemas");
    return make_of_kind(wanted, choose_kind(wanted));
}

// Empty vector: the restrictions contradict each other, or the limit of steps is exceeded.
LINKSPAN_DECL std::optional<std::vector<boost::json::value const*>> sample_source::enumerated(demand const& wanted)
{
    std::optional<std::vector<value const*>> out;
    auto const restrict_to = [&](std::vector<value const*> some) {
        if (!spend(some.size() / 16 * (out ? 1 + out->size() : 1)))
            some.clear();
        if (out)
            std::erase_if(some, [&](value const* one) {
                return std::ranges::none_of(*out, [&](value const* other) { return *one == *other; });
            });
        out = std::move(some);
    };
    for (auto const* const part : wanted.parts) {
        if (auto const constant = detail::keyword_view(*part)["const"])
            restrict_to({constant.get()});
        if (auto const* const several = detail::keyword_view(*part)["enum"].array()) {
            std::vector<value const*> some;
            for (auto const& one : *several)
                some.push_back(&one);
            restrict_to(std::move(some));
        }
    }
    if (out)
        std::erase_if(*out,
                      [&](value const* one) { return (linkspan::detail::kind_of_value(*one) & wanted.kinds) == 0; });
    return out;
}

// Returns one kind as a single bit; for numbers one or both bits.
LINKSPAN_DECL unsigned sample_source::choose_kind(demand const& wanted)
{
    unsigned keyword_kinds = 0;
    for (auto const* const part : wanted.parts)
        keyword_kinds |= detail::kinds_of_keywords(*part);
    auto kinds = wanted.kinds;
    bool const is_deep = wanted.depth >= small_depth;
    if ((kinds & keyword_kinds) != 0 && !is_deep && (is_small(wanted.depth) || !draw_.one_in(4)))
        kinds &= keyword_kinds;
    std::vector<unsigned> some;
    for (unsigned const kind :
         {unsigned{detail::is_null}, unsigned{detail::is_boolean}, detail::is_whole | detail::is_fraction,
          unsigned{detail::is_string}, unsigned{detail::is_array}, unsigned{detail::is_object}})
        if (kinds & kind)
            some.push_back(kinds & kind);
    if (is_small(wanted.depth))
        return some.front();
    void const* const place = wanted.parts.empty() ? nullptr : wanted.parts.front();
    return some[choose(place, some.size())];
}

LINKSPAN_DECL std::optional<boost::json::value> sample_source::make_of_kind(demand const& wanted, unsigned kind)
{
    switch (kind) {
    case detail::is_null: return value(nullptr);
    case detail::is_boolean: return value(!is_small(wanted.depth) && draw_.one_in(2));
    case detail::is_string: return make_string(wanted);
    case detail::is_array: return make_array(wanted);
    case detail::is_object: return make_object(wanted);
    default: return make_number(wanted);
    }
}

LINKSPAN_DECL std::optional<boost::json::value> sample_source::make_number(demand const& wanted)
{
    number_demand number;
    number.is_integer = (wanted.kinds & detail::is_fraction) == 0;
    auto const add = [](object const& from, std::string_view keyword, std::vector<value>& to) {
        if (auto const* const bound = detail::keyword_view(from)[keyword].number())
            to.push_back(*bound);
    };
    for (auto const* const part : wanted.parts) {
        add(*part, "minimum", number.minimum);
        add(*part, "exclusiveMinimum", number.above);
        add(*part, "maximum", number.maximum);
        add(*part, "exclusiveMaximum", number.below);
        // A divisor of 0 or less is ignored: the validator has rejected the schema, or ignores the keyword.
        if (auto const* const of = detail::keyword_view(*part)["multipleOf"].number(); of && as_double(*of) > 0)
            number.multiple_of.push_back(*of);
        if (auto const format = detail::keyword_view(*part)["format"].text(); format && *format == "int32") {
            number.minimum.emplace_back(std::int64_t{-2147483648});
            number.maximum.emplace_back(std::int64_t{2147483647});
        }
    }
    if (auto found = sample_number(number, is_small(wanted.depth), draw_))
        return found;
    return fail("found no number that satisfies the bounds and 'multipleOf'");
}

LINKSPAN_DECL bool sample_source::finds(schema_pattern const& expression, std::string_view in)
{
    schema_pattern::memory memory;
    auto steps = limits_.max_checking;
    bool const is_found = expression.search(in, memory, steps) == schema_pattern::outcome::found;
    constexpr std::size_t quicker = 24; // steps of a pattern search that cost as much time as one step of spend()
    return spend((limits_.max_checking - steps) / quicker) && is_found;
}

LINKSPAN_DECL schema_pattern const& sample_source::pattern(std::string_view text)
{
    auto found = patterns_.find(text);
    if (found == patterns_.end())
        found = patterns_.emplace(text, pattern_budget_.make(text)).first;
    return found->second;
}

// Returns a size at a bound, next to it, or slightly above the minimum.
LINKSPAN_DECL std::size_t sample_source::choose_size(detail::sample_range size, std::size_t more, std::size_t max,
                                                     bool is_short)
{
    if (is_short)
        return size.min;
    auto const last = std::min(size.max, std::max(size.min, max));
    auto const near = std::min(last, size.min + more);
    switch (draw_.below(8)) {
    case 0: return size.min;
    case 1: return std::min(size.min + 1, last);
    case 2: return size.max == last ? last : near;
    case 3: return size.max == last && last > size.min ? last - 1 : near;
    default: return size.min + draw_.below(near - size.min + 1);
    }
}

LINKSPAN_DECL std::optional<boost::json::value> sample_source::make_string(demand const& wanted)
{
    detail::sample_range size;
    std::string_view format;
    std::vector<schema_pattern const*> patterns;
    for (auto const* const part : wanted.parts) {
        size.narrow(*part, "minLength", "maxLength");
        if (auto const named = detail::keyword_view(*part)["format"].text())
            format = *named;
        // the validator does not check patterns that it cannot compile
        if (auto const text = detail::keyword_view(*part)["pattern"].text())
            if (auto const& compiled = pattern(*text); compiled.fault_kind() == schema_pattern::fault::none)
                patterns.push_back(&compiled);
    }
    if (size.min > limits_.max_text)
        return fail("more than " + std::to_string(limits_.max_text) + " characters are required");
    if (size.min > size.max)
        return fail("'minLength' is greater than 'maxLength'");
    for (std::size_t trial = 0; trial != string_trials; ++trial)
        if (auto found = try_string(size, format, patterns, trial < string_trials / 2, is_small(wanted.depth)))
            return value(std::move(*found));
    return fail("found no text that satisfies the patterns and lengths");
}

LINKSPAN_DECL std::optional<std::string> sample_source::try_string(detail::sample_range size, std::string_view format,
                                                                   std::vector<schema_pattern const*> const& patterns,
                                                                   bool with_format, bool is_short)
{
    constexpr std::size_t max_length = 300;
    std::optional<std::string> text;
    if (with_format && !format.empty())
        text = sample_format(format, draw_);
    auto const* const chosen = patterns.empty() ? nullptr : draw_.pick(patterns);
    if (!text && chosen && spend(chosen->size() / 4))
        text = sample_pattern(*chosen, size.min, std::min(size.max, size.min + max_length), is_short, draw_);
    else if (!text && !chosen)
        text = sample_text(choose_size(size, 12, max_length, is_short), draw_);
    if (!text)
        return std::nullopt;
    auto const characters = count_characters(*text);
    if (characters < size.min || characters > size.max)
        return std::nullopt;
    bool const is_found =
        std::ranges::all_of(patterns, [&](schema_pattern const* each) { return finds(*each, *text); });
    return is_found ? std::move(text) : std::nullopt;
}

} // namespace linkspan::test

#endif
