#ifndef LINKSPAN_TEST_SAMPLE_IMPL_SAMPLE_SOURCE_IPP
#define LINKSPAN_TEST_SAMPLE_IMPL_SAMPLE_SOURCE_IPP

#include <linkspan/test/sample/sample_number.hpp>
#include <linkspan/test/sample/sample_source.hpp>
#include <linkspan/test/sample/sample_text.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <array>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

inline std::string escape_token(std::string_view token)
{
    std::string out;
    for (char const c : token)
        if (c == '~' || c == '/')
            out += c == '~' ? "~0" : "~1";
        else
            out += c;
    return out;
}

} // namespace detail

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
        auto const first = chosen; // random start: equally used indexes have equal probability
        for (std::size_t i = 0; i != count; ++i)
            if (auto const other = (first + i) % count; used(other) < used(chosen))
                chosen = other;
    }
    ++turns[chosen];
    return chosen;
}

// Returns false if the schemas permit no value.
LINKSPAN_DECL bool sample_source::gather(places queue, demand& out)
{
    std::vector<void const*> decided;
    std::size_t at = 0;
    do {
        for (; at != queue.size(); ++at) {
            if (!spend(1))
                return false;
            if (auto const* const always = queue[at]->if_bool(); always && !*always)
                return fail("the schema 'false' permits no value"), false;
            auto const* const schema = queue[at]->if_object();
            if (!schema || std::ranges::find(out.parts, schema) != out.parts.end())
                continue;
            if (gather_one(*schema, out.depth, queue))
                add_part(*schema, out);
        }
    } while (gather_dependencies(out, queue, decided));
    return true;
}

LINKSPAN_DECL void sample_source::add_part(object const& schema, demand& out)
{
    out.parts.push_back(&schema);
    detail::keyword_view const keywords(schema);
    if (auto const type = keywords["type"])
        out.kinds &= type.kinds();
    keywords["required"].for_texts([&](std::string_view name) { out.required.emplace_back(name); });
}

// Returns false for a reference of draft 7, whose sibling keywords are ignored.
LINKSPAN_DECL bool sample_source::gather_one(object const& schema, std::size_t depth, places& queue)
{
    bool is_whole = true;
    for (auto const* const keyword : {"$ref", "$dynamicRef"})
        if (auto const reference = schema_->keyword(schema, keyword).text()) {
            if (auto const* const target = schema_->target(schema, *reference))
                queue.push_back(target);
            is_whole = !schema_->is_draft_7();
        }
    if (is_whole)
        gather_branches(schema, depth, queue);
    return is_whole;
}

LINKSPAN_DECL void sample_source::gather_branches(object const& schema, std::size_t depth, places& queue)
{
    if (auto const* const all = detail::keyword_view(schema)["allOf"].array())
        for (auto const& one : *all)
            queue.push_back(&one);
    for (auto const* const keyword : {"anyOf", "oneOf"}) {
        auto const* const branches = detail::keyword_view(schema)[keyword].array();
        if (!branches || branches->empty())
            continue;
        auto const cost = [this](value const& branch) { return schema_->cost(branch); };
        auto const* chosen = &*std::ranges::min_element(*branches, {}, cost);
        if (!is_small(depth))
            for (std::size_t i = 0; i != branches->size(); ++i)
                if (auto const* const other = &(*branches)[choose(branches, branches->size())];
                    cost(*other) != detail::infinite_cost) {
                    chosen = other;
                    break;
                }
        queue.push_back(chosen);
    }
    auto const* const condition = schema.if_contains("if");
    if (!condition)
        return;
    bool const is_met = choose(condition, 2) == 0;
    if (is_met)
        queue.push_back(condition);
    if (auto const* const rest = schema.if_contains(is_met ? "then" : "else"))
        queue.push_back(rest);
}

// Decides whether members on which others depend are present. Returns false if there was nothing to decide.
LINKSPAN_DECL bool sample_source::gather_dependencies(demand& out, places& queue, std::vector<void const*>& decided)
{
    auto const before = decided.size();
    for (auto const* const part : out.parts)
        for (auto const* const keyword : {"dependentRequired", "dependentSchemas", "dependencies"})
            if (auto const* const rules = schema_->keyword(*part, keyword).object())
                for (auto rule = rules->begin(); rule != rules->end(); ++rule)
                    if (std::ranges::find(decided, static_cast<void const*>(&rule->value())) == decided.end()) {
                        decided.push_back(&rule->value());
                        decide_dependency(rule, out, queue);
                    }
    return decided.size() != before;
}

LINKSPAN_DECL void sample_source::decide_dependency(object::const_iterator which, demand& out, places& queue)
{
    std::string_view const name = which->key();
    bool const must = std::ranges::find(out.required, name) != out.required.end();
    bool const must_not = std::ranges::find(out.forbidden, name) != out.forbidden.end();
    if (!must && (must_not || is_small(out.depth) || choose(&which->value(), 2) == 0)) {
        out.forbidden.push_back(name);
        return;
    }
    out.required.push_back(name);
    detail::keyword_value const rule(&which->value());
    rule.for_texts([&](std::string_view other) { out.required.emplace_back(other); });
    if (!rule.array())
        queue.push_back(rule.get());
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

// An empty vector means that the restrictions contradict each other.
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
        if (auto const* const constant = part->if_contains("const"))
            restrict_to({constant});
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

LINKSPAN_DECL bool sample_source::finds(schema_pattern const& what, std::string_view in)
{
    schema_pattern::memory memory;
    auto steps = limits_.max_checking;
    bool const is_found = what.search(in, memory, steps) == schema_pattern::outcome::found;
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
LINKSPAN_DECL std::size_t sample_source::choose_size(detail::sample_range size, std::size_t more, std::size_t most,
                                                     bool is_short)
{
    if (is_short)
        return size.min;
    auto const last = std::min(size.max, std::max(size.min, most));
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
            if (auto const& compiled = pattern(*text); compiled.error() == schema_pattern::fault::none)
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
    constexpr std::size_t most = 300;
    std::optional<std::string> text;
    if (with_format && !format.empty())
        text = sample_format(format, draw_);
    auto const* const chosen = patterns.empty() ? nullptr : draw_.pick(patterns);
    if (!text && chosen && spend(chosen->size() / 4))
        text = sample_pattern(*chosen, size.min, std::min(size.max, size.min + most), is_short, draw_);
    else if (!text && !chosen)
        text = sample_text(choose_size(size, 12, most, is_short), draw_);
    if (!text)
        return std::nullopt;
    auto const characters = count_characters(*text);
    if (characters < size.min || characters > size.max)
        return std::nullopt;
    bool const is_found =
        std::ranges::all_of(patterns, [&](schema_pattern const* each) { return finds(*each, *text); });
    return is_found ? std::move(text) : std::nullopt;
}

LINKSPAN_DECL sample_source::places sample_source::at_position(demand const& wanted, std::size_t at) const
{
    places out;
    bool is_known = false;
    for (auto const* const part : wanted.parts) {
        auto const items = detail::keyword_view(*part)["items"];
        auto const* first = schema_->keyword(*part, "prefixItems").array();
        auto const* rest = items.get();
        if (items.array()) { // draft 7
            first = items.array();
            rest = part->if_contains("additionalItems");
        }
        if (first && at < first->size())
            rest = &(*first)[at];
        if (rest) {
            out.push_back(rest);
            is_known = true;
        }
    }
    for (auto const* const part : wanted.parts)
        if (auto const rest = schema_->keyword(*part, "unevaluatedItems"); rest && !is_known)
            out.push_back(rest.get());
    return out;
}

LINKSPAN_DECL std::optional<boost::json::value> sample_source::make_array(demand const& wanted)
{
    constexpr std::size_t most = 32;
    detail::sample_range size;
    bool is_unique = false;
    places contained;
    for (auto const* const part : wanted.parts) {
        size.narrow(*part, "minItems", "maxItems");
        is_unique |= detail::keyword_view(*part)["uniqueItems"].is(true);
        auto const* const some = part->if_contains("contains");
        if (!some)
            continue;
        auto const count = schema_->keyword(*part, "minContains").count().value_or(1);
        if (count > limits_.max_values - contained.size())
            return fail("more than " + std::to_string(limits_.max_values) + " items are required");
        contained.insert(contained.end(), count, some);
    }
    size.min = std::max(size.min, contained.size());
    if (size.min > limits_.max_values)
        return fail("more than " + std::to_string(limits_.max_values) + " items are required");
    if (size.min > size.max)
        return fail("more items are required than 'maxItems' permits");
    auto const count = choose_size(size, wanted.depth < 3 ? 4 : 2, most, is_small(wanted.depth));
    array out;
    while (out.size() < count) {
        auto where = at_position(wanted, out.size());
        if (count - out.size() <= contained.size()) // contained items are the last ones
            where.push_back(contained[count - out.size() - 1]);
        if (std::ranges::any_of(where, [](value const* one) { return *one == false; }) && out.size() >= size.min)
            break;
        if (!add_item(out, where, is_unique, wanted.depth)) {
            if (out.size() < size.min)
                return std::nullopt;
            break;
        }
    }
    return value(std::move(out));
}

LINKSPAN_DECL bool sample_source::add_item(array& to, places const& where, bool is_unique, std::size_t depth)
{
    constexpr unsigned trials = 12;
    auto const before = varies_;
    bool is_added = false;
    for (unsigned trial = 0; trial != trials && !is_added; ++trial) {
        auto item = make_member(where, std::to_string(to.size()), depth);
        if (!item)
            break;
        is_added = !is_unique || !spend(to.size() / 16) || std::ranges::find(to, *item) == to.end();
        if (is_added)
            to.push_back(std::move(*item));
        varies_ = before + 1;
    }
    varies_ = before;
    if (!is_added)
        fail("found no further item that differs from the others");
    return is_added;
}

LINKSPAN_DECL std::optional<boost::json::value> sample_source::make_member(places const& where, std::string_view token,
                                                                           std::size_t depth)
{
    static value const anything = true;
    auto const size = path_.size();
    path_ += '/' + detail::escape_token(token);
    auto out = make(where.empty() ? places{&anything} : where, depth + 1);
    path_.resize(size);
    return out;
}

LINKSPAN_DECL sample_source::places sample_source::at_name(demand const& wanted, std::string_view name)
{
    places out;
    for (auto const* const part : wanted.parts) {
        auto const before = out.size();
        if (auto const* const properties = detail::keyword_view(*part)["properties"].object())
            if (auto const* const property = properties->if_contains(name))
                out.push_back(property);
        if (auto const* const rules = detail::keyword_view(*part)["patternProperties"].object())
            for (auto const& rule : *rules) {
                auto const& compiled = pattern(rule.key());
                if (compiled.error() == schema_pattern::fault::none && finds(compiled, name))
                    out.push_back(&rule.value());
            }
        if (auto const* const others = part->if_contains("additionalProperties"); others && out.size() == before)
            out.push_back(others);
    }
    if (out.empty())
        for (auto const* const part : wanted.parts)
            if (auto const others = schema_->keyword(*part, "unevaluatedProperties"))
                out.push_back(others.get());
    return out;
}

// Returns a name for an additional member; empty if none was found.
LINKSPAN_DECL std::string sample_source::make_name(demand const& wanted)
{
    constexpr std::array<std::string_view, 8> some{"extra",    "x-extra",    "a/b~c", "two words",
                                                   "\xd1\x8f", "\"quoted\"", "class", "0"};
    places rules;
    std::vector<std::string_view> patterns;
    for (auto const* const part : wanted.parts) {
        if (auto const* const rule = part->if_contains("propertyNames"))
            rules.push_back(rule);
        if (auto const* const named = detail::keyword_view(*part)["patternProperties"].object())
            for (auto const& rule : *named)
                patterns.emplace_back(rule.key());
    }
    if (!rules.empty()) {
        auto name = make(rules, wanted.depth + 1, detail::is_string);
        return name && name->is_string() ? std::string(name->get_string()) : std::string();
    }
    if (!patterns.empty() && !draw_.one_in(4))
        if (auto const& compiled = pattern(draw_.pick(patterns)); compiled.error() == schema_pattern::fault::none)
            return sample_pattern(compiled, 0, 100, is_small(wanted.depth), draw_).value_or(std::string());
    return draw_.one_in(4) ? sample_text(1 + draw_.below(8), draw_) : std::string(draw_.pick(some));
}

LINKSPAN_DECL void sample_source::add_extra_names(demand const& wanted, detail::sample_range size,
                                                  std::set<std::string, std::less<>>& known,
                                                  std::vector<std::string>& names)
{
    constexpr std::size_t trials = 16;
    bool is_map = true; // the object is a map: no names are specified
    for (auto const* const part : wanted.parts)
        is_map = is_map && !detail::keyword_view(*part)["properties"].object();
    for (auto const* const part : wanted.parts)
        is_map |= detail::keyword_view(*part)["additionalProperties"].object() || part->contains("patternProperties");
    std::size_t more = is_small(wanted.depth) || (!is_map && !draw_.one_in(8)) ? 0 : is_map ? draw_.below(4) : 1;
    if (wanted.depth >= 3)
        more = std::min<std::size_t>(more, 1);
    auto const count = std::min(size.max, std::max(size.min, names.size() + more));
    for (std::size_t failed = 0; names.size() < count && failed != trials && spend(1); ++failed) {
        auto name = make_name(wanted);
        auto const rejects_all = [](value const* one) { return *one == false; };
        if (known.contains(name) || std::ranges::any_of(at_name(wanted, name), rejects_all))
            continue;
        known.insert(name);
        names.push_back(std::move(name));
        failed = 0;
    }
}

// Returns the required names, some of the optional ones, and additional ones where the schemas permit them.
LINKSPAN_DECL std::vector<std::string> sample_source::choose_names(demand const& wanted, detail::sample_range size)
{
    std::set<std::string_view> const required(wanted.required.begin(), wanted.required.end());
    std::set<std::string, std::less<>> known(wanted.forbidden.begin(), wanted.forbidden.end());
    std::vector<std::string> names, others;
    for (auto const* const part : wanted.parts)
        if (auto const* const properties = detail::keyword_view(*part)["properties"].object())
            for (auto const& property : *properties) {
                std::string_view const name = property.key();
                if (!spend(1) || !known.emplace(name).second)
                    continue;
                bool const can_be = schema_->cost(property.value()) != detail::infinite_cost;
                bool const is_wanted = !is_small(wanted.depth) && can_be && draw_.below(4) < optional_share_;
                (is_wanted || required.contains(name) ? names : others).emplace_back(name);
            }
    for (auto const& name : wanted.required)
        if (known.emplace(name).second)
            names.emplace_back(name);
    for (auto at = names.end(); at != names.begin() && names.size() > size.max;)
        if (--at; !required.contains(*at))
            at = names.erase(at);
    while (names.size() < size.min && !others.empty()) {
        std::swap(others[is_small(wanted.depth) ? 0 : draw_.below(others.size())], others.back());
        names.push_back(std::move(others.back()));
        others.pop_back();
    }
    add_extra_names(wanted, size, known, names);
    return names;
}

LINKSPAN_DECL std::optional<boost::json::value> sample_source::make_object(demand const& wanted)
{
    detail::sample_range size;
    for (auto const* const part : wanted.parts)
        size.narrow(*part, "minProperties", "maxProperties");
    if (size.min > limits_.max_values)
        return fail("more than " + std::to_string(limits_.max_values) + " members are required");
    auto names = choose_names(wanted, size);
    if (names.size() < size.min)
        return fail("fewer members than 'minProperties' requires");
    if (!is_small(wanted.depth) && draw_.one_in(4)) // the order of members has no meaning
        for (auto last = names.size(); last > 1; --last)
            std::swap(names[last - 1], names[draw_.below(last)]);
    object out;
    for (auto const& name : names) {
        auto member = make_member(at_name(wanted, name), name, wanted.depth);
        if (member)
            out.emplace(name, std::move(*member));
        else if (std::ranges::find(wanted.required, name) != wanted.required.end() || values_ > limits_.max_values)
            return std::nullopt;
    }
    return value(std::move(out));
}

} // namespace linkspan::test

#endif
