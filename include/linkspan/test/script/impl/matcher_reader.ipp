#ifndef LINKSPAN_TEST_SCRIPT_IMPL_MATCHER_READER_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_MATCHER_READER_IPP

#include <linkspan/core/similar_names.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/schema/pattern.hpp>
#include <linkspan/schema/validator.hpp>
#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/matcher_reader.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

inline std::array<matcher_reader::kind, 26> const& matcher_reader::kinds()
{
    using self = matcher_reader;
    static constexpr std::array<kind, 26> all{{
        {"eq", &self::equality},      {"ne", &self::equality},
        {"in", &self::choice},        {"lt", &self::bound},
        {"le", &self::bound},         {"gt", &self::bound},
        {"ge", &self::bound},         {"between", &self::range},
        {"approx", &self::tolerance}, {"re", &self::text},
        {"prefix", &self::text},      {"suffix", &self::text},
        {"contains", &self::text},    {"len", &self::length},
        {"type", &self::type},        {"schema", &self::schema},
        {"like", &self::like},        {"each", &self::elements},
        {"any", &self::elements},     {"unordered", &self::unordered},
        {"all", &self::combination},  {"oneOf", &self::combination},
        {"not", &self::negation},     {"present", &self::presence},
        {"absent", &self::presence},  {"capture", &self::captured},
    }};
    return all;
}

LINKSPAN_DECL std::vector<std::string_view> matcher_reader::names()
{
    std::vector<std::string_view> out;
    for (auto const& one : kinds())
        out.push_back(one.name);
    return out;
}

// Bounds the recursion, and the depth of the schema.
inline constexpr std::size_t max_matcher_depth = 64;

LINKSPAN_DECL matcher_reader::part matcher_reader::read(value const& definition, std::string const& at)
{
    auto const* const members = definition.if_object();
    if (!members)
        return equality("eq", definition, at);
    if (depth_ == max_matcher_depth)
        return reject(at, "at most 64 nested matchers", definition);
    ++depth_;
    auto out = read_members(*members, at);
    --depth_;
    return out;
}

inline matcher_reader::part matcher_reader::read_members(boost::json::object const& members, std::string const& at)
{
    part all{.schema = boost::json::object(), .accepts_absent = true};
    boost::json::array schemas;
    for (auto const& member : members) {
        std::string_view const name = member.key();
        auto const here = at + "/" + linkspan::detail::shortened_key(name);
        auto const found = std::ranges::find(kinds(), name, &kind::name);
        part one;
        if (found != kinds().end()) {
            one = (this->*found->read)(name, member.value(), here);
        } else {
            std::vector<std::string_view> names;
            for (auto const& known : kinds())
                names.push_back(known.name);
            auto const similar = similar_names(name, names, 1);
            one =
                reject(here, "the name of a matcher" + (similar.empty() ? "" : " (similar: '" + similar.front() + "')"),
                       value(member.key()));
        }
        all.accepts_absent = all.accepts_absent && one.accepts_absent;
        schemas.push_back(std::move(one.schema));
    }
    if (schemas.empty())
        return reject(at, "a matcher in the object; {\"eq\":{}} matches an empty object", members);
    all.schema.get_object()["allOf"] = std::move(schemas);
    return all;
}

inline matcher_reader::part matcher_reader::reject(std::string const& at, std::string const& expected,
                                                   value const& found)
{
    problems_.push_back({.pointer = at, .message = expected_but_found(expected, &found)});
    return {};
}

inline matcher_reader::part matcher_reader::equality(std::string_view name, value const& operand, std::string const&)
{
    value same = boost::json::object{{"const", operand}};
    return {.schema = name == "eq" ? std::move(same) : value(boost::json::object{{"not", std::move(same)}})};
}

inline matcher_reader::part matcher_reader::choice(std::string_view, value const& operand, std::string const& at)
{
    if (!operand.is_array())
        return reject(at, "an array of values", operand);
    return {.schema = boost::json::object{{"enum", operand}}};
}

inline matcher_reader::part matcher_reader::bound(std::string_view name, value const& operand, std::string const& at)
{
    if (!operand.is_number())
        return reject(at, "a number", operand);
    char const* const keyword = name == "lt"   ? "exclusiveMaximum"
                                : name == "le" ? "maximum"
                                : name == "gt" ? "exclusiveMinimum"
                                               : "minimum";
    return {.schema = boost::json::object{{"type", "number"}, {keyword, operand}}};
}

inline matcher_reader::part matcher_reader::range(std::string_view, value const& operand, std::string const& at)
{
    auto const* const ends = operand.if_array();
    if (!ends || ends->size() != 2 || !ends->at(0).is_number() || !ends->at(1).is_number())
        return reject(at, "[lowest, highest], two numbers", operand);
    if (as_double(ends->at(0)) > as_double(ends->at(1)))
        return reject(at, "[lowest, highest], the lower number first", operand);
    return {.schema = boost::json::object{{"type", "number"}, {"minimum", ends->at(0)}, {"maximum", ends->at(1)}}};
}

inline matcher_reader::part matcher_reader::tolerance(std::string_view, value const& operand, std::string const& at)
{
    auto const number = [&](char const* name) -> std::optional<double> {
        auto const* const members = operand.if_object();
        auto const* const member = members ? members->if_contains(name) : nullptr;
        return member && member->is_number() ? std::optional(as_double(*member)) : std::nullopt;
    };
    auto const center = number("value"), absolute = number("abs"), relative = number("rel");
    if (!center || absolute.has_value() == relative.has_value() || operand.get_object().size() != 2)
        return reject(at, "{\"value\": number, \"abs\": number} or {\"value\": number, \"rel\": number}", operand);
    if (absolute.value_or(0) < 0 || relative.value_or(0) < 0)
        return reject(at, "a tolerance that is not negative", operand);
    auto const distance = absolute ? *absolute : *relative * std::abs(*center);
    return {.schema = boost::json::object{
                {"type", "number"}, {"minimum", *center - distance}, {"maximum", *center + distance}}};
}

// Returns a regular expression of ECMA-262 that matches `literal`.
inline std::string escaped_pattern(std::string_view literal)
{
    std::string out;
    for (char const c : literal) {
        if (std::string_view("^$\\.*+?()[]{}|/").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

inline matcher_reader::part matcher_reader::text(std::string_view name, value const& operand, std::string const& at)
{
    if (!operand.is_string())
        return reject(at, "a string", operand);
    std::string_view const words = operand.get_string();
    auto const pattern = name == "re"       ? std::string(words)
                         : name == "prefix" ? "^" + escaped_pattern(words)
                         : name == "suffix" ? escaped_pattern(words) + "$"
                                            : escaped_pattern(words);
    schema_pattern const compiled(pattern);
    if (compiled.fault_kind() == schema_pattern::fault::too_large)
        return reject(at, "a shorter text", operand);
    if (compiled.fault_kind() != schema_pattern::fault::none)
        return reject(at, "a regular expression of ECMA-262 without look-around and back-references", operand);
    return {.schema = boost::json::object{{"type", "string"}, {"pattern", pattern}}};
}

inline matcher_reader::part matcher_reader::length(std::string_view, value const& operand, std::string const& at)
{
    auto const* const ends = operand.if_array();
    auto const least = read_count(ends && ends->size() == 2 ? ends->at(0) : operand);
    auto const most = read_count(ends && ends->size() == 2 ? ends->at(1) : operand);
    if (!least || !most)
        return reject(at, "a number that is not negative, or [least, most]", operand);
    if (*least > *most)
        return reject(at, "[least, most], the lower number first", operand);
    boost::json::array forms;
    for (auto const& [type, min, max] :
         {std::array{"string", "minLength", "maxLength"}, std::array{"array", "minItems", "maxItems"},
          std::array{"object", "minProperties", "maxProperties"}})
        forms.push_back(boost::json::object{{"type", type}, {min, *least}, {max, *most}});
    return {.schema = boost::json::object{{"anyOf", std::move(forms)}}};
}

inline matcher_reader::part matcher_reader::type(std::string_view, value const& operand, std::string const& at)
{
    part out{.schema = boost::json::object{{"type", operand}}};
    if (!schema_validator(out.schema).ok())
        return reject(at,
                      "a type of JSON Schema (null, boolean, integer, number, string, array, object), or an array "
                      "of them",
                      operand);
    return out;
}

// Moves `$ref` of a schema of draft 7 into `allOf`. The dialect ignores all members beside `$ref`, also the `$id` that
// makes the schema a resource of its own; without it, references would start at the root of the matcher. Members that
// would have an effect beside `allOf` are removed.
inline void move_reference(boost::json::object& schema)
{
    auto const* const dialect = schema.if_contains("$schema");
    auto const* const reference = schema.if_contains("$ref");
    if (!dialect || !reference || !dialect->is_string() ||
        std::string_view(dialect->get_string()).find("draft-07") == std::string_view::npos)
        return;
    boost::json::object out;
    for (std::string_view const kept : {"$schema", "$id", "definitions", "$defs"})
        if (auto const* const member = schema.if_contains(kept))
            out[kept] = *member;
    out["allOf"] = boost::json::array{boost::json::object{{"$ref", *reference}}};
    schema = std::move(out);
}

// The schema is a resource of its own, so that references in it start at its root.
inline matcher_reader::part matcher_reader::schema(std::string_view, value const& operand, std::string const& at)
{
    schema_validator const check(operand);
    for (auto const& problem : check.problems())
        if (problem.level == diagnostic::severity::error) {
            auto const* const found = value_at(operand, problem.pointer);
            reject(at + problem.pointer, "a valid JSON Schema (" + problem.message + ")", found ? *found : operand);
        }
    auto out = operand;
    if (auto* const members = out.if_object()) {
        move_reference(*members);
        members->emplace("$id", "linkspan:matcher/" + std::to_string(++schemas_)); // no effect if present
    }
    return {.schema = std::move(out)};
}

inline matcher_reader::part matcher_reader::like(std::string_view name, value const& operand, std::string const& at)
{
    auto const* const members = operand.if_object();
    if (!members)
        return equality("eq", operand, at);
    if (depth_ == max_matcher_depth)
        return reject(at, "at most 64 nested matchers", operand);
    ++depth_;
    boost::json::object properties;
    boost::json::array required;
    for (auto const& member : *members) {
        properties[member.key()] = like(name, member.value(), at).schema;
        required.push_back(boost::json::string(member.key()));
    }
    --depth_;
    return {.schema = boost::json::object{
                {"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}}};
}

inline matcher_reader::part matcher_reader::elements(std::string_view name, value const& operand, std::string const& at)
{
    char const* const keyword = name == "each" ? "items" : "contains";
    return {.schema = boost::json::object{{"type", "array"}, {keyword, read(operand, at).schema}}};
}

// Each value occurs as often as in the operand, and the array has no further elements.
inline matcher_reader::part matcher_reader::unordered(std::string_view, value const& operand, std::string const& at)
{
    auto const* const values = operand.if_array();
    if (!values)
        return reject(at, "an array of values", operand);
    constexpr std::size_t max_values = 256; // each of which is compared with all
    if (values->size() > max_values)
        return reject(at, "at most 256 values", values->size());
    boost::json::array each;
    for (std::size_t i = 0; i != values->size(); ++i) {
        boost::json::object const same{{"const", values->at(i)}};
        schema_validator const equal_to(same);
        auto const is_equal = [&](value const& other) { return equal_to.accepts(other); };
        if (std::any_of(values->begin(), values->begin() + i, is_equal))
            continue; // the condition on this value exists already
        auto const times = std::ranges::count_if(*values, is_equal);
        each.push_back(boost::json::object{{"contains", same}, {"minContains", times}, {"maxContains", times}});
    }
    boost::json::object out{{"type", "array"}, {"minItems", values->size()}, {"maxItems", values->size()}};
    if (!each.empty())
        out["allOf"] = std::move(each);
    return {.schema = std::move(out)};
}

inline matcher_reader::part matcher_reader::combination(std::string_view name, value const& operand,
                                                        std::string const& at)
{
    auto const* const parts = operand.if_array();
    if (!parts || parts->empty())
        return reject(at, "an array of matchers that is not empty", operand);
    bool const needs_all = name == "all";
    part out{.accepts_absent = needs_all};
    boost::json::array schemas;
    for (std::size_t i = 0; i != parts->size(); ++i) {
        auto one = read(parts->at(i), at + "/" + std::to_string(i));
        out.accepts_absent =
            needs_all ? out.accepts_absent && one.accepts_absent : out.accepts_absent || one.accepts_absent;
        schemas.push_back(std::move(one.schema));
    }
    out.schema = boost::json::object{{needs_all ? "allOf" : "anyOf", std::move(schemas)}};
    return out;
}

inline matcher_reader::part matcher_reader::negation(std::string_view, value const& operand, std::string const& at)
{
    auto inner = read(operand, at);
    return {.schema = boost::json::object{{"not", std::move(inner.schema)}}, .accepts_absent = !inner.accepts_absent};
}

inline matcher_reader::part matcher_reader::presence(std::string_view name, value const& operand, std::string const& at)
{
    if (!operand.is_bool())
        return reject(at, "true or false", operand);
    bool const present = operand.get_bool() == (name == "present");
    return {.schema = present, .accepts_absent = !present};
}

// The value is stored by the rule engine, which knows the names by the outermost matcher only.
inline matcher_reader::part matcher_reader::captured(std::string_view, value const& operand, std::string const& at)
{
    if (!operand.is_string() || operand.get_string().empty())
        return reject(at, "the name of a variable, not empty", operand);
    if (depth_ != 1)
        return reject(at, "no 'capture' within another matcher", operand);
    capture_ = operand.get_string();
    return {.schema = true};
}

} // namespace linkspan::test::detail

#endif
