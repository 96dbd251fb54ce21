#ifndef LINKSPAN_SCHEMA_IMPL_KEYWORD_READER_IPP
#define LINKSPAN_SCHEMA_IMPL_KEYWORD_READER_IPP

#include <linkspan/json/json_number.hpp>
#include <linkspan/schema/detail/keyword_reader.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <initializer_list>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the approximate size of a copy of a value, in bytes.
inline std::size_t size_of_copy(boost::json::value const& of)
{
    auto size = sizeof(of);
    if (auto const* const text = of.if_string())
        size += text->size();
    else if (auto const* const array = of.if_array())
        for (auto const& each : *array)
            size += size_of_copy(each);
    else if (auto const* const object = of.if_object())
        for (auto const& member : *object)
            size += sizeof(member) + member.key().size() + size_of_copy(member.value());
    return size;
}

LINKSPAN_DECL void keyword_reader::read(compilation::unread const& next)
{
    if (next.schema->is_bool()) {
        to_.out().nodes[next.node].rejects_all = !next.schema->get_bool();
        return;
    }
    if (!next.schema->is_object())
        return to_.reject(next.node, {}, "a schema must be an object or a boolean");
    if (next.depth > to_.options().max_depth)
        return to_.reject(next.node, {}, "schemas are nested more deeply than max_depth");
    if (!to_.take(next.schema->get_object().size() * sizeof(value)))
        return;
    resources_.enter(*next.schema, next.node);
    reading from{next.schema, next.node, next.depth, {}};
    find_keywords(from);
    read_definitions(from);
    read_anchors(from);
    read_kinds(from);
    read_values(from);
    read_number(from);
    read_string(from);
    read_array(from);
    read_object(from);
    read_logic(from);
    read_unevaluated(from);
}

LINKSPAN_DECL void keyword_reader::find_keywords(reading& from) const
{
    auto const& object = from.schema->get_object();
    auto const& rules = resources_.around(from.node).rules;
    bool const is_draft_7 = rules.dialect == schema_dialect::draft_7;
    bool const is_reference = is_draft_7 && object.contains("$ref");
    for (auto const& [name, each] : object)
        if (auto const k = find_keyword(name); k && (row_of(*k).vocabulary & rules.in_use) &&
                                               is_defined(*k, rules.dialect) &&
                                               (!is_reference || *k == keyword::ref || *k == keyword::definitions))
            from.at[static_cast<std::size_t>(*k)] = &each;
}

LINKSPAN_DECL void keyword_reader::read_anchors(reading const& from)
{
    for (auto const k : {keyword::anchor, keyword::dynamic_anchor}) {
        if (!from[k])
            continue;
        auto const name = from[k].text();
        if (!name)
            to_.reject(from.node, name_of(k), "must be a string");
        else if (k == keyword::anchor)
            resources_.add_anchor(from.node, *name);
        else
            resources_.add_dynamic_anchor(from.node, *name);
    }
}

LINKSPAN_DECL void keyword_reader::read_kinds(reading const& from)
{
    auto const type = from[keyword::type];
    if (!type)
        return;
    std::uint8_t kinds = 0;
    if (auto const* const list = type.array(); list && !list->empty() && to_.take(list->size()))
        for (auto const& each : *list)
            kinds |= read_kind(from, keyword_value(&each));
    else
        kinds = read_kind(from, type);
    to_.out().nodes[from.node].kinds = kinds;
}

LINKSPAN_DECL std::uint8_t keyword_reader::read_kind(reading const& from, keyword_value name)
{
    auto const kinds = kinds_of_type(name.text().value_or(""));
    if (kinds == 0)
        to_.reject(from.node, name_of(keyword::type), "must be the name of a type or a non-empty array of such names");
    return kinds;
}

template<class Values>
schema_index keyword_reader::add_values(keyword k, Values const& values)
{
    value_rules rules{name_of(k), {}, {}};
    for (value const& each : values) {
        if (!to_.take(size_of_copy(each)))
            return no_schema;
        if (auto const* const string = each.if_string())
            rules.strings.emplace_back(*string);
        else
            rules.others.push_back(each);
    }
    std::ranges::sort(rules.strings);
    to_.out().values.push_back(std::move(rules));
    return static_cast<schema_index>(to_.out().values.size() - 1);
}

LINKSPAN_DECL void keyword_reader::read_values(reading const& from)
{
    if (auto const* const list = from[keyword::enum_].array())
        to_.out().nodes[from.node].enumerated = add_values(keyword::enum_, *list);
    else if (from[keyword::enum_])
        to_.reject(from.node, name_of(keyword::enum_), "must be an array");
    if (auto const constant = from[keyword::const_])
        to_.out().nodes[from.node].constant = add_values(keyword::const_, std::initializer_list<value>{*constant});
}

LINKSPAN_DECL bool keyword_reader::read_bound(reading const& from, keyword k, std::optional<value>& out)
{
    if (!from[k])
        return false;
    if (auto const* const number = from[k].number())
        out = *number;
    else
        to_.reject(from.node, name_of(k), "must be a number");
    return true;
}

LINKSPAN_DECL void keyword_reader::read_number(reading const& from)
{
    add_part(from.node, to_.out().numbers, &schema_node::number, [&](number_rules& rules) {
        bool some = read_bound(from, keyword::minimum, rules.minimum);
        some |= read_bound(from, keyword::maximum, rules.maximum);
        some |= read_bound(from, keyword::exclusive_minimum, rules.above);
        some |= read_bound(from, keyword::exclusive_maximum, rules.below);
        some |= read_bound(from, keyword::multiple_of, rules.multiple_of);
        if (rules.multiple_of && compare_numbers(*rules.multiple_of, value(0)) <= 0) {
            to_.reject(from.node, name_of(keyword::multiple_of), "must be greater than 0");
            rules.multiple_of.reset();
        }
        return some;
    });
}

LINKSPAN_DECL bool keyword_reader::read_size(reading const& from, keyword k, std::size_t& out)
{
    if (!from[k])
        return false;
    if (auto const count = from[k].count())
        out = *count;
    else
        to_.reject(from.node, name_of(k), "must be a non-negative integer");
    return true;
}

LINKSPAN_DECL void keyword_reader::read_string(reading const& from)
{
    add_part(from.node, to_.out().strings, &schema_node::string, [&](string_rules& rules) {
        bool some = read_size(from, keyword::min_length, rules.length.min);
        some |= read_size(from, keyword::max_length, rules.length.max);
        if (auto const pattern = from[keyword::pattern].text())
            rules.pattern = add_pattern(from, keyword::pattern, *pattern);
        else if (from[keyword::pattern])
            to_.reject(from.node, name_of(keyword::pattern), "must be a string");
        return some || rules.pattern != no_schema;
    });
}

// Returns `no_schema` for a malformed or unsupported pattern.
LINKSPAN_DECL schema_index keyword_reader::add_pattern(reading const& from, keyword k, std::string_view text)
{
    if (!to_.take(text.size()))
        return no_schema;
    auto known = by_pattern_.find(text);
    if (known == by_pattern_.end())
        known = by_pattern_.emplace(text, make_pattern(text)).first;
    auto const& [index, why, reason] = known->second;
    if (index == no_schema) {
        bool const is_wrong = why == schema_pattern::fault::malformed;
        to_.report(is_wrong || to_.options().rejects_unsupported_patterns ? diagnostic::severity::error
                                                                          : diagnostic::severity::warning,
                   from.node, name_of(k),
                   (is_wrong ? "malformed pattern: " : "pattern cannot be checked: ") + std::string(reason));
    }
    return index;
}

LINKSPAN_DECL keyword_reader::known_pattern keyword_reader::make_pattern(std::string_view text)
{
    bool const is_short = budget_.is_short();
    auto pattern = budget_.make(text);
    auto const why = pattern.fault_kind();
    if (why == schema_pattern::fault::too_large && is_short)
        return {no_schema, why, "the patterns of the schema are too large in total"};
    if (why != schema_pattern::fault::none)
        return {no_schema, why, pattern.fault_text()};
    to_.out().patterns.push_back(std::move(pattern));
    return {static_cast<schema_index>(to_.out().patterns.size() - 1), why, {}};
}

} // namespace linkspan::detail

#endif
