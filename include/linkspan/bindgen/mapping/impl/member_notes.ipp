#ifndef LINKSPAN_BINDGEN_MAPPING_IMPL_MEMBER_NOTES_IPP
#define LINKSPAN_BINDGEN_MAPPING_IMPL_MEMBER_NOTES_IPP

#include <linkspan/bindgen/emit/cpp_text.hpp>
#include <linkspan/bindgen/mapping/detail/member_notes.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>
#include <linkspan/json/detail/canonical_json.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/schema/pattern.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

inline constexpr std::size_t max_note = 4'000; // bytes of a default, an example or a pattern; larger ones are omitted

struct constraint_row {
    std::string_view keyword, note;
    unsigned kinds;
};

inline constexpr constraint_row constraint_rows[] = {
    {"minimum", "min", kinds::number},
    {"maximum", "max", kinds::number},
    {"exclusiveMinimum", "above", kinds::number},
    {"exclusiveMaximum", "below", kinds::number},
    {"multipleOf", "multiple_of", kinds::number},
    {"minLength", "min_length", kinds::string},
    {"maxLength", "max_length", kinds::string},
    {"pattern", "pattern", kinds::string},
    {"format", "format", kinds::string},
    {"minItems", "min_items", kinds::array},
    {"maxItems", "max_items", kinds::array},
    {"uniqueItems", "unique_items", kinds::array},
    {"minProperties", "min_properties", kinds::object},
    {"maxProperties", "max_properties", kinds::object},
};

inline std::string braced(std::string_view note, std::string_view inner)
{
    std::string out = "linkspan::note::";
    ((out += note) += '{') += inner;
    return out += '}';
}

// A limit of an integer member is written as an integer: a fraction would be compared as a double.
inline std::string number_note(std::string_view note, json::value const& value, mapped_type const& type)
{
    if (!value.is_number())
        return {};
    bool const is_integer_type = (type.kinds & kinds::fraction) == 0;
    if (is_integer_type && value.is_double() && is_integer(value)) {
        auto const real = value.get_double();
        if (real >= -9.2e18 && real <= 9.2e18)
            return braced(note, *number_literal(static_cast<std::int64_t>(real)));
    }
    auto const literal = number_literal(value);
    return literal ? braced(note, *literal) : std::string();
}

inline std::string count_note(std::string_view note, json::value const& value)
{
    auto const count = read_count(value);
    if (!count || *count > static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max()))
        return {};
    return braced(note, std::to_string(*count));
}

// Returns an empty text if no note can express the constraint.
inline std::string constraint_note(constraint_row const& row, json::value const& value, mapped_type const& type)
{
    if (row.kinds == kinds::number)
        return number_note(row.note, value, type);
    if (row.keyword == "uniqueItems")
        return "linkspan::note::unique_items";
    if (row.keyword != "pattern" && row.keyword != "format")
        return count_note(row.note, value);
    if (!value.is_string() || value.get_string().size() > max_note)
        return {};
    auto const text = view(value.get_string());
    if (row.keyword == "pattern" && schema_pattern(text).fault_kind() != schema_pattern::fault::none)
        return {};
    return braced(row.note, view_literal(text));
}

// Returns whether the type is of the kind that the constraint applies to, and does not imply the constraint.
inline bool accepts_note(constraint_row const& row, mapped_type const& type)
{
    bool const is_of_kind = (type.kinds & ~row.kinds) == 0 && type.parts.empty() && !type.is_fixed;
    return is_of_kind && type.values.empty() && !(type.kinds == kinds::object && type.is_named);
}

inline bool constrains(constraint_row const& row, json::value const& value)
{
    bool const is_flag = value.is_bool() && (row.keyword == "uniqueItems" || row.keyword.starts_with("exclusive"));
    return is_flag ? value.get_bool() : !value.is_null();
}

LINKSPAN_DECL std::vector<std::string> constraint_notes(json::object const& schema, mapped_type const& type,
                                                        std::vector<std::string>& unchecked)
{
    std::vector<std::string> out;
    for (auto const& row : constraint_rows) {
        auto const* const value = find(schema, row.keyword);
        if (!value || (type.kinds & row.kinds) == 0 || type.is_fixed || !type.values.empty() ||
            !constrains(row, *value))
            continue; // constraints do not apply to other kinds
        auto note = accepts_note(row, type) ? constraint_note(row, *value, type) : std::string();
        if (note.empty())
            unchecked.emplace_back(row.keyword);
        else
            out.push_back(std::move(note));
    }
    return out;
}

LINKSPAN_DECL std::vector<std::string> constraint_keywords(json::object const& schema)
{
    std::vector<std::string> out;
    for (auto const& row : constraint_rows)
        if (auto const* const value = find(schema, row.keyword); value && constrains(row, *value))
            out.emplace_back(row.keyword);
    return out;
}

LINKSPAN_DECL std::string value_note(std::string_view note, json::value const& value, mapped_type const& type)
{
    auto const kind = kind_of_value(value);
    bool const is_null = kind == kinds::null && type.is_nullable;
    if ((type.kinds & kind) == 0 && !is_null)
        return {};
    if (value.is_string()) {
        auto const text = view(value.get_string());
        bool const is_other =
            !type.values.empty() && std::ranges::find(type.values, std::string(text)) == type.values.end();
        return is_other || text.size() > max_note ? std::string() : braced(note, view_literal(text));
    }
    if (value.is_bool())
        return braced(note, value.get_bool() ? "true" : "false");
    if (auto const number = number_literal(value))
        return braced(note, *number);
    std::string text;
    append_json(text, value);
    std::string visible;
    if (text.size() > max_note || !linkspan::detail::append_canonical_text(visible, text, {.escapes_invisible = true}))
        return {};
    return braced(note, "linkspan::raw_json(" + string_literal(visible) + ")");
}

} // namespace linkspan::bindgen::detail

#endif
