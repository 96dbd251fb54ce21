#ifndef LINKSPAN_BINDGEN_MAPPING_DETAIL_MAPPED_TYPE_HPP
#define LINKSPAN_BINDGEN_MAPPING_DETAIL_MAPPED_TYPE_HPP

#include <linkspan/bindgen/emit/cpp_text.hpp>
#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

// Maximum size in bytes of a string constant that is mapped to `literal`. A longer one is a `std::string` that schema
// validation checks.
inline constexpr std::size_t max_literal = 200;

// C++ type to which a schema was mapped.
struct mapped_type {
    std::string text;                   // the type as C++ text
    unsigned kinds = kinds::all;        // bit set of the kinds of JSON values that convert to the type
    bool is_nullable = false;           // null is valid too, which `text` does not express
    bool is_incomplete = false;         // a struct that contains itself
    bool is_fixed = false;              // the type has only one value
    bool is_any = false;                // the type is boost::json::value
    bool is_named = false;              // a struct or enum of this tool, with its own description
    std::string element;                // type of the elements of a list; else empty
    std::vector<std::string> values;    // valid values of an enum or of a literal; else empty
    std::vector<mapped_type> parts;     // alternatives of a variant; else empty
    std::vector<std::string> unchecked; // keywords that are checked by schema validation only
    // comments in the generated header
    std::vector<std::string> remarks;
};

inline mapped_type simple_type(std::string text, unsigned of_kinds)
{
    mapped_type out;
    out.text = std::move(text);
    out.kinds = of_kinds;
    return out;
}

inline mapped_type fixed_type(std::string text, unsigned of_kinds)
{
    auto out = simple_type(std::move(text), of_kinds);
    out.is_fixed = true;
    return out;
}

inline mapped_type string_literal_type(std::string_view value)
{
    auto out = fixed_type("linkspan::literal<" + string_literal(value) + ">", kinds::string);
    out.values.emplace_back(value);
    return out;
}

inline mapped_type any_type()
{
    auto out = simple_type("boost::json::value", kinds::all);
    out.is_any = true;
    return out;
}

// Returns the type for a place that requires a complete type.
inline std::string complete_text(mapped_type const& type)
{
    return type.is_incomplete ? "linkspan::box<" + type.text + ">" : type.text;
}

// Returns the text of a type as the element of a `std::vector`, which may be incomplete: `nullable` if null is valid,
// because an element cannot be absent.
inline std::string element_text(mapped_type const& type)
{
    if (type.is_nullable)
        return "linkspan::nullable<" + complete_text(type) + ">";
    return type.text;
}

inline void append(std::vector<std::string>& out, std::vector<std::string> const& more, std::string const& prefix = {})
{
    for (auto const& text : more)
        if (std::ranges::find(out, prefix + text) == out.end())
            out.push_back(prefix + text);
}

constexpr bool is_word_character(char c) noexcept
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Returns the words in the text of a type that no `::` precedes or follows: names of generated types, and words such as
// `bool`.
inline std::vector<std::string> own_types(std::string_view type)
{
    std::vector<std::string> out;
    std::string word;
    bool is_qualified = false;
    bool is_literal = false;
    for (std::size_t i = 0; i <= type.size(); ++i) {
        char const c = i == type.size() ? ' ' : type[i];
        if (is_literal && c == '\\') {
            ++i;
        } else if (c == '"') {
            is_literal = !is_literal;
        } else if (!is_literal && is_word_character(c)) {
            word += c;
        } else if (!is_literal) {
            if (!word.empty() && !is_qualified && c != ':')
                out.push_back(word);
            word.clear();
            is_qualified = c == ':';
        }
    }
    return out;
}

} // namespace linkspan::bindgen::detail

#endif
