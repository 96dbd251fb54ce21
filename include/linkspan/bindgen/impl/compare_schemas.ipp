#ifndef LINKSPAN_BINDGEN_IMPL_COMPARE_SCHEMAS_IPP
#define LINKSPAN_BINDGEN_IMPL_COMPARE_SCHEMAS_IPP

#include <linkspan/bindgen/compare_schemas.hpp>
#include <linkspan/bindgen/schema_parts.hpp>
#include <linkspan/json_writer.hpp>
#include <linkspan/schema/json_number.hpp>
#include <linkspan/schema/uri_reference.hpp>

#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <unordered_set>
#include <utility>

namespace linkspan::bindgen::detail {

inline constexpr unsigned max_compared_depth = 64;
inline constexpr std::size_t max_steps = 300'000;
inline constexpr std::size_t max_compared_alternatives = 60;

inline std::string shown(json::value const& value)
{
    std::string out;
    append_json(out, value);
    if (out.size() > 80)
        out = out.substr(0, 77) + "...";
    return out;
}

inline std::string said(std::string_view keyword) { return "'" + std::string(keyword) + "'"; }

inline unsigned kinds_of_type(std::string_view type)
{
    return type == "null"      ? kinds::null
           : type == "boolean" ? kinds::boolean
           : type == "integer" ? kinds::integer
           : type == "number"  ? kinds::number
           : type == "string"  ? kinds::string
           : type == "array"   ? kinds::array
                               : kinds::object;
}

inline std::string names_of_kinds(unsigned set)
{
    if (set == kinds::all)
        return "anything";
    std::string out;
    auto const add = [&](unsigned kind, std::string_view name) {
        if ((set & kind) == kind)
            (out += out.empty() ? "" : " or ") += name;
    };
    add(kinds::null, "null");
    add(kinds::boolean, "boolean");
    if ((set & kinds::fraction) != 0)
        out += out.empty() ? "number" : " or number";
    else
        add(kinds::integer, "integer");
    add(kinds::string, "string");
    add(kinds::array, "array");
    add(kinds::object, "object");
    return out.empty() ? "nothing" : out;
}

inline std::optional<std::vector<json::value>> values_of(json::object const& schema)
{
    if (auto const* const value = find(schema, "const"))
        return std::vector<json::value>{*value};
    auto const* const values = find_array(schema, "enum");
    return values ? std::optional(std::vector<json::value>(values->begin(), values->end())) : std::nullopt;
}

inline json::array const* union_of(json::object const& schema)
{
    for (auto const* const key : {"anyOf", "oneOf"})
        if (auto const* const parts = find_array(schema, key); parts && !parts->empty())
            return parts;
    return nullptr;
}

inline bool is_only_union(json::object const& schema)
{
    auto const* const properties = find_object(schema, "properties");
    return union_of(schema) && (!properties || properties->empty());
}

LINKSPAN_DECL void schema_comparison::tell(drift how, std::string const& pointer, std::string what)
{
    out_.push_back({how, {}, pointer, std::move(what)});
}

LINKSPAN_DECL void schema_comparison::tell_wider(std::string const& pointer, std::string what, drift for_result)
{
    tell(side_ == schema_side::arguments ? drift::additive : for_result, pointer, std::move(what));
}

LINKSPAN_DECL void schema_comparison::tell_narrower(std::string const& pointer, std::string what, drift for_arguments)
{
    tell(side_ == schema_side::result ? drift::additive : for_arguments, pointer, std::move(what));
}

LINKSPAN_DECL std::vector<difference> schema_comparison::compare(std::string const& pointer)
{
    compare(then_root_, now_root_, pointer, 0);
    if (gave_up_)
        tell(drift::risky, pointer, "it is too large to be compared as a whole");
    return std::exchange(out_, {});
}

// {"anyOf":[{"type":"string"},{"type":"null"}]} is {"type":["string","null"]}.
LINKSPAN_DECL json::value const& schema_comparison::simplified(json::value const& schema)
{
    auto const* const object = schema.if_object();
    auto const* const parts = object && is_only_union(*object) && !find(*object, "type") ? union_of(*object) : nullptr;
    if (!parts || parts->size() != 2)
        return schema;
    if (auto const known = simple_.find(&schema); known != simple_.end())
        return *known->second;
    json::value const null_schema{{"type", "null"}};
    for (auto const& [one, other] : {std::pair(0U, 1U), std::pair(1U, 0U)}) {
        auto const* const plain = (*parts)[one].if_object();
        if (!plain || (*parts)[other] != null_schema || union_of(*plain) || find(*plain, "$ref") ||
            find(*plain, "enum") || find(*plain, "const") || !find(*plain, "type"))
            continue;
        json::object simple = *plain;
        json::array types;
        for (auto const& type : types_of(*plain))
            types.emplace_back(json::string_view(type.data(), type.size()));
        types.emplace_back("null");
        simple["type"] = std::move(types);
        for (auto const& [key, value] : *object)
            if (is_annotation(view(key)))
                simple[key] = value;
        made_.emplace_back(std::move(simple));
        simple_.emplace(&schema, &made_.back());
        return made_.back();
    }
    return schema;
}

LINKSPAN_DECL auto schema_comparison::read(json::value const& schema, json::value const& root) -> node
{
    node out;
    auto const* at = &schema;
    for (unsigned count = 0; count != max_compared_depth; ++count) {
        auto const* const object = at->if_object();
        if (object && out.description.empty())
            out.description = find_text(*object, "description");
        if (object && out.title.empty())
            out.title = find_text(*object, "title");
        auto const* const ref = object ? find(*object, "$ref") : nullptr;
        if (!ref) {
            out.schema = &simplified(*at);
            out.members = out.schema->if_object();
            out.takes_nothing = at->is_bool() && !at->get_bool();
            return out;
        }
        for (auto const& [key, value] : *object)
            if (key != "$ref" && !is_annotation(view(key)))
                out.beside[key] = value;
        auto const text = ref->is_string() ? decode_percent(view(ref->get_string())) : std::string();
        boost::system::error_code ec;
        if (text.empty() || text.front() != '#')
            return out;
        at = root.find_pointer(json::string_view(text.data() + 1, text.size() - 1), ec);
        if (!at)
            return out;
    }
    return out;
}

LINKSPAN_DECL void schema_comparison::compare(json::value const& then, json::value const& now,
                                              std::string const& pointer, unsigned depth)
{
    if (is_trial_ && !out_.empty())
        return;
    if (gave_up_ || ++steps_ > max_steps || depth > max_compared_depth) {
        gave_up_ = true;
        return;
    }
    auto const a = read(then, then_root_);
    auto const b = read(now, now_root_);
    if (!a.schema || !b.schema) {
        if (then != now)
            tell(drift::risky, pointer, "it refers to what is not there, and cannot be compared");
        return;
    }
    if (!pairs_.emplace(a.schema, b.schema).second)
        return;
    entered_.emplace_back(a.schema, b.schema);
    if (a.beside != b.beside)
        tell(drift::risky, pointer, "what stands beside its reference changed, and cannot be compared");
    compare_texts(a, b, pointer);
    if (a.takes_nothing || b.takes_nothing) {
        if (!a.takes_nothing)
            tell_narrower(pointer, "nothing is allowed here now");
        else if (!b.takes_nothing)
            tell_wider(pointer, "something is allowed here now", drift::additive);
        return;
    }
    json::object const none;
    auto const& old = a.members ? *a.members : none;
    auto const& fresh = b.members ? *b.members : none;
    if (!compare_types(*a.schema, *b.schema, pointer))
        return;
    compare_default(old, fresh, pointer);
    if (is_only_union(old) || is_only_union(fresh)) {
        auto const alternatives = [](node const& of, json::object const& schema) {
            std::vector<json::value const*> out;
            if (!is_only_union(schema))
                return std::vector{of.schema};
            for (auto const& part : *union_of(schema))
                out.push_back(&part);
            return out;
        };
        compare_alternatives(alternatives(a, old), alternatives(b, fresh), pointer, depth);
        return;
    }
    compare_values(old, fresh, pointer);
    compare_limits(old, fresh, pointer);
    compare_rules(old, fresh, pointer);
    compare_properties(old, fresh, pointer, depth);
    compare_others(old, fresh, pointer, depth);
    compare_items(old, fresh, pointer, depth);
    compare_all_of(old, fresh, pointer, depth);
    compare_rest(old, fresh, pointer);
}

LINKSPAN_DECL void schema_comparison::compare_texts(node const& then, node const& now, std::string const& pointer)
{
    if (then.description != now.description)
        tell(drift::risky, pointer, "its description changed, which a model reads");
    if (then.title != now.title)
        tell(drift::additive, pointer, "its title changed");
}

LINKSPAN_DECL unsigned schema_comparison::kinds_of(json::value const& schema, json::value const& root, unsigned depth)
{
    if (depth > 8 || ++steps_ > max_steps)
        return kinds::all;
    auto const at = read(schema, root);
    if (!at.members)
        return at.takes_nothing ? 0 : kinds::all;
    unsigned out = 0;
    if (auto const values = values_of(*at.members)) {
        for (auto const& value : *values)
            out |= kind_of(value);
        return out;
    }
    for (auto const& type : types_of(*at.members))
        out |= kinds_of_type(type);
    if (out != 0 || !union_of(*at.members))
        return out == 0 ? kinds::all : out;
    for (auto const& part : *union_of(*at.members))
        out |= kinds_of(part, root, depth + 1);
    return out;
}

// False when they have nothing in common, so that there is no more to compare.
LINKSPAN_DECL bool schema_comparison::compare_types(json::value const& then, json::value const& now,
                                                    std::string const& pointer)
{
    auto const old = kinds_of(then, then_root_, 0);
    auto const fresh = kinds_of(now, now_root_, 0);
    auto const what = "it is " + names_of_kinds(fresh) + " and was " + names_of_kinds(old);
    bool const loses = (old & ~fresh) != 0;
    bool const gains = (fresh & ~old) != 0;
    if (loses && gains)
        tell(drift::breaking, pointer, what);
    else if (loses)
        tell_narrower(pointer, what);
    else if (gains)
        tell_wider(pointer, what);
    return (old & fresh) != 0;
}

LINKSPAN_DECL void schema_comparison::compare_values(members const& then, members const& now,
                                                     std::string const& pointer)
{
    auto const old = values_of(then);
    auto const fresh = values_of(now);
    if (old && fresh) {
        std::unordered_set<json::value> const old_values(old->begin(), old->end());
        std::unordered_set<json::value> const new_values(fresh->begin(), fresh->end());
        for (auto const& value : *old)
            if (!new_values.contains(value))
                tell_narrower(pointer, "its value " + shown(value) + " is gone");
        for (auto const& value : *fresh)
            if (!old_values.contains(value))
                tell_wider(pointer, "its value " + shown(value) + " is new", drift::risky);
    } else if (old) {
        tell_wider(pointer, "it is no longer one of some values");
    } else if (fresh) {
        tell_narrower(pointer, "it is one of some values now");
    }
}

struct limit_row {
    std::string_view keyword;
    bool is_upper, is_count;
};

inline constexpr limit_row limit_rows[] = {
    {"minimum", false, false},         {"maximum", true, false},   {"exclusiveMinimum", false, false},
    {"exclusiveMaximum", true, false}, {"minLength", false, true}, {"maxLength", true, true},
    {"minItems", false, true},         {"maxItems", true, true},   {"minProperties", false, true},
    {"maxProperties", true, true},
};

LINKSPAN_DECL void schema_comparison::compare_limits(members const& then, members const& now,
                                                     std::string const& pointer)
{
    json::value const zero = 0;
    for (auto const& row : limit_rows) {
        auto const* old = find(then, row.keyword);
        auto const* fresh = find(now, row.keyword);
        if (row.is_count && !row.is_upper) { // none is 0
            old = old ? old : &zero;
            fresh = fresh ? fresh : &zero;
        }
        if ((old && !old->is_number()) || (fresh && !fresh->is_number())) {
            if (!old || !fresh || *old != *fresh)
                tell(drift::risky, pointer, said(row.keyword) + " changed, and cannot be compared");
            continue;
        }
        if (!old && !fresh)
            continue;
        auto const name = std::string(row.keyword);
        if (!old) {
            tell_narrower(pointer, "it has a " + name + " now, " + shown(*fresh));
        } else if (!fresh) {
            tell_wider(pointer, "its " + name + " " + shown(*old) + " is gone", drift::risky);
        } else if (auto const order = compare_numbers(*old, *fresh); order != std::partial_ordering::equivalent) {
            auto const what = "its " + name + " is " + shown(*fresh) + " and was " + shown(*old);
            bool const is_tighter = (order == std::partial_ordering::less) != row.is_upper;
            is_tighter ? tell_narrower(pointer, what) : tell_wider(pointer, what, drift::risky);
        }
    }
}

LINKSPAN_DECL void schema_comparison::compare_rules(members const& then, members const& now, std::string const& pointer)
{
    json::value const no = false;
    for (std::string_view const key : {"pattern", "format", "multipleOf", "uniqueItems"}) {
        auto const* const old = find(then, key);
        auto const* const fresh = find(now, key);
        auto const is_there = [&](json::value const* rule) { return rule && *rule != no; };
        if (!is_there(old) && !is_there(fresh))
            continue;
        auto const name = std::string(key);
        if (!is_there(old)) {
            tell_narrower(pointer, "it has a rule now, " + said(name),
                          name == "format" ? drift::risky : drift::breaking);
        } else if (!is_there(fresh)) {
            tell_wider(pointer, "its rule " + said(name) + " is gone", drift::risky);
        } else if (*old != *fresh) {
            bool const are_numbers = key == "multipleOf" && old->is_number() && fresh->is_number() &&
                                     as_double(*old) > 0 && as_double(*fresh) > 0;
            if (are_numbers && is_multiple(*old, *fresh))
                tell_wider(pointer, "it is a multiple of " + shown(*fresh) + " and was one of " + shown(*old),
                           drift::risky);
            else if (are_numbers && is_multiple(*fresh, *old))
                tell_narrower(pointer, "it is a multiple of " + shown(*fresh) + " and was one of " + shown(*old));
            else
                tell(drift::risky, pointer, said(name) + " changed, and cannot be compared");
        }
    }
}

LINKSPAN_DECL void schema_comparison::compare_requirement(bool was_required, bool is_required,
                                                          std::string const& pointer)
{
    if (is_required && !was_required)
        tell_narrower(pointer, "it is required now");
    else if (was_required && !is_required)
        tell_wider(pointer, "it is no longer required");
}

// Members that are required without being described are there, and may be anything.
inline std::map<std::string, json::value const*> all_properties(json::object const& schema)
{
    static json::value const anything = true;
    std::map<std::string, json::value const*> out;
    if (auto const* const properties = find_object(schema, "properties"))
        for (auto const& [key, value] : *properties)
            if (!value.is_bool() || value.get_bool())
                out.emplace(view(key), &value);
    for (auto const& name : required_of(schema))
        out.emplace(name, &anything);
    return out;
}

inline bool is_closed(json::object const& schema)
{
    auto const* const others = find(schema, "additionalProperties");
    return others && others->is_bool() && !others->get_bool();
}

LINKSPAN_DECL void schema_comparison::compare_properties(members const& then, members const& now,
                                                         std::string const& pointer, unsigned depth)
{
    auto const old = all_properties(then);
    auto const fresh = all_properties(now);
    auto const old_required = required_of(then);
    auto const new_required = required_of(now);
    auto const is_in = [](std::string const& name, std::vector<std::string> const& names) {
        return std::ranges::find(names, name) != names.end();
    };
    bool const takes = side_ == schema_side::arguments;
    for (auto const& [name, schema] : old) {
        auto const at = pointer_to(pointer + "/properties", name);
        if (auto const found = fresh.find(name); found != fresh.end()) {
            compare_requirement(is_in(name, old_required), is_in(name, new_required), at);
            compare(*schema, *found->second, at, depth + 1);
        } else if (takes && !is_closed(now)) {
            tell(drift::risky, at, "it is gone, and may be ignored");
        } else {
            tell(drift::breaking, at, takes ? "it is gone, and refused" : "it is gone");
        }
    }
    for (auto const& [name, schema] : fresh)
        if (!old.contains(name)) {
            bool const is_needed = takes && is_in(name, new_required);
            tell(is_needed ? drift::breaking : drift::additive, pointer_to(pointer + "/properties", name),
                 is_needed ? "it is new, and required" : "it is new");
        }
    if (!takes)
        return;
    auto kept = [&](std::vector<std::string> names, std::vector<std::string> const& others) {
        std::erase_if(names, [&](auto const& name) { return !is_in(name, others); });
        return names;
    };
    if (kept(old_required, new_required) != kept(new_required, old_required))
        tell(drift::risky, pointer, "what it requires is in another order, which is that of the constructor");
}

LINKSPAN_DECL void schema_comparison::compare_others(members const& then, members const& now,
                                                     std::string const& pointer, unsigned depth)
{
    static json::value const anything = true;
    auto const at = pointer + "/additionalProperties";
    auto const* const old = find(then, "additionalProperties");
    auto const* const fresh = find(now, "additionalProperties");
    if (is_closed(then) != is_closed(now)) {
        if (is_closed(now))
            tell_narrower(at, "other members are refused now", drift::risky);
        else
            tell_wider(at, "other members are taken now", drift::additive);
        return;
    }
    compare(old ? *old : anything, fresh ? *fresh : anything, at, depth + 1);
}

LINKSPAN_DECL void schema_comparison::compare_items(members const& then, members const& now, std::string const& pointer,
                                                    unsigned depth)
{
    static json::value const anything = true;
    struct list {
        std::vector<json::value const*> first;
        json::value const* rest = &anything;
    };
    auto const read_list = [](members const& schema) {
        list out;
        auto const* const items = find(schema, "items");
        auto const* const old_form = items ? items->if_array() : nullptr; // of draft 7
        if (auto const* const first = old_form ? old_form : find_array(schema, "prefixItems"))
            for (auto const& item : *first)
                out.first.push_back(&item);
        if (auto const* const rest = old_form ? find(schema, "additionalItems") : items)
            out.rest = rest;
        return out;
    };
    auto const old = read_list(then);
    auto const fresh = read_list(now);
    for (std::size_t i = 0; i < std::max(old.first.size(), fresh.first.size()); ++i)
        compare(i < old.first.size() ? *old.first[i] : *old.rest,
                i < fresh.first.size() ? *fresh.first[i] : *fresh.rest, pointer + "/prefixItems/" + std::to_string(i),
                depth + 1);
    compare(*old.rest, *fresh.rest, pointer + "/items", depth + 1);
}

LINKSPAN_DECL bool schema_comparison::is_same(json::value const& then, json::value const& now, unsigned depth)
{
    auto told = std::exchange(out_, {});
    auto const was_trial = std::exchange(is_trial_, true);
    auto const known = entered_.size();
    compare(then, now, {}, depth);
    bool const same = out_.empty() && !gave_up_;
    out_ = std::move(told);
    is_trial_ = was_trial;
    for (; !same && entered_.size() != known; entered_.pop_back())
        pairs_.erase(entered_.back());
    return same;
}

// Those that are the same are paired first, then those of one kind and tag; the others are gone, or new.
LINKSPAN_DECL void schema_comparison::compare_alternatives(std::vector<json::value const*> then,
                                                           std::vector<json::value const*> now,
                                                           std::string const& pointer, unsigned depth)
{
    if (std::max(then.size(), now.size()) > max_compared_alternatives)
        return tell(drift::risky, pointer, "it has too many alternatives to be compared");
    auto const pair_up = [&](auto const& fits, auto const& use) {
        for (auto old = then.begin(); old != then.end();) {
            auto const fresh = std::ranges::find_if(now, [&](auto const* other) { return fits(**old, *other); });
            if (fresh == now.end()) {
                ++old;
                continue;
            }
            use(**old, **fresh);
            now.erase(fresh);
            old = then.erase(old);
        }
    };
    auto const compare_both = [&](json::value const& old, json::value const& fresh) {
        compare(old, fresh, pointer, depth + 1);
    };
    auto const tag_of = [&](json::value const& schema, json::value const& root) {
        auto const at = read(schema, root);
        std::map<std::string, std::string> tags;
        if (auto const* const properties = at.members ? find_object(*at.members, "properties") : nullptr)
            for (auto const& [key, value] : *properties)
                if (auto tag = literal_of(value))
                    tags.emplace(view(key), *std::move(tag));
        return tags;
    };
    pair_up([&](auto const& old, auto const& fresh) { return is_same(old, fresh, depth + 1); },
            [](auto const&, auto const&) {});
    pair_up(
        [&](auto const& old, auto const& fresh) {
            return kinds_of(old, then_root_, 0) == kinds_of(fresh, now_root_, 0) &&
                   tag_of(old, then_root_) == tag_of(fresh, now_root_);
        },
        compare_both);
    if (then.size() == 1 && now.size() == 1)
        return compare_both(*then.front(), *now.front());
    for (std::size_t i = 0; i != then.size(); ++i)
        tell_narrower(pointer, "one of its alternatives is gone");
    for (std::size_t i = 0; i != now.size(); ++i)
        tell_wider(pointer, "it has a new alternative");
}

LINKSPAN_DECL void schema_comparison::compare_all_of(members const& then, members const& now,
                                                     std::string const& pointer, unsigned depth)
{
    json::array const none;
    auto const* const old_parts = find_array(then, "allOf");
    auto const* const new_parts = find_array(now, "allOf");
    auto const& old = old_parts ? *old_parts : none;
    auto const& fresh = new_parts ? *new_parts : none;
    if (old.size() != fresh.size())
        return tell(drift::risky, pointer, "'allOf' changed, and cannot be compared");
    for (std::size_t i = 0; i != old.size(); ++i)
        compare(old[i], fresh[i], pointer + "/allOf/" + std::to_string(i), depth + 1);
}

LINKSPAN_DECL void schema_comparison::compare_default(members const& then, members const& now,
                                                      std::string const& pointer)
{
    auto const* const old = find(then, "default");
    auto const* const fresh = find(now, "default");
    if (old && fresh && *old != *fresh)
        tell(drift::risky, pointer, "its default is " + shown(*fresh) + " and was " + shown(*old));
    else if (old && !fresh)
        tell(drift::risky, pointer, "its default " + shown(*old) + " is gone");
    else if (fresh && !old)
        tell(drift::additive, pointer, "it has a default now, " + shown(*fresh));
}

// All other keywords.
LINKSPAN_DECL void schema_comparison::compare_rest(members const& then, members const& now, std::string const& pointer)
{
    constexpr std::array<std::string_view, 12> compared{"type",     "enum",        "const",  "properties",
                                                        "required", "items",       "allOf",  "additionalProperties",
                                                        "pattern",  "prefixItems", "format", "additionalItems"};
    auto const is_compared = [&](std::string_view key) {
        return std::ranges::find(compared, key) != compared.end() || key == "multipleOf" || key == "uniqueItems" ||
               std::ranges::find(limit_rows, key, &limit_row::keyword) != std::end(limit_rows) ||
               (is_annotation(key) && !key.starts_with("x-"));
    };
    std::set<std::string_view> keys;
    for (auto const* const schema : {&then, &now})
        for (auto const& member : *schema)
            keys.insert(view(member.key()));
    for (auto const key : keys) {
        auto const* const old = find(then, key);
        auto const* const fresh = find(now, key);
        if (!is_compared(key) && (!old || !fresh || *old != *fresh))
            tell(drift::risky, pointer, said(key) + " changed, and cannot be compared");
    }
    auto const is_old = [](members const& schema) {
        auto const* const flag = find(schema, "deprecated");
        return flag && flag->is_bool() && flag->get_bool();
    };
    if (is_old(now) && !is_old(then))
        tell(drift::additive, pointer, "it is deprecated now");
}

} // namespace linkspan::bindgen::detail

#endif
