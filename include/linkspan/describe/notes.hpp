#ifndef LINKSPAN_DESCRIBE_NOTES_HPP
#define LINKSPAN_DESCRIBE_NOTES_HPP

#include <linkspan/json/json_writer.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace linkspan {

/// A value of JSON that is known when the program is compiled: a scalar, or JSON text (`raw_json`), which is not
/// checked.
class json_literal {
public:
    enum class kind { none, null, boolean, integer, large, number, text, json };

    constexpr json_literal() = default;
    constexpr json_literal(std::nullptr_t) : kind_(kind::null) {}
    constexpr json_literal(std::integral auto value) : kind_(kind_of(value)), integer_(static_cast<std::int64_t>(value))
    {}
    constexpr json_literal(std::floating_point auto value) : kind_(kind::number), number_(value) {}
    constexpr json_literal(char const* value) : kind_(kind::text), text_(value) {}
    constexpr json_literal(std::string_view value) : kind_(kind::text), text_(value) {}
    constexpr json_literal(raw_json value) : kind_(kind::json), text_(value.text()) {}

    constexpr kind what() const noexcept { return kind_; }
    constexpr explicit operator bool() const noexcept { return kind_ != kind::none; }

    /// Of an integer; of a boolean 0 or 1.
    constexpr std::int64_t integer() const noexcept { return integer_; }

    /// Of an integer that is greater than those of `integer()`.
    constexpr std::uint64_t large() const noexcept { return static_cast<std::uint64_t>(integer_); }

    /// Of a number that is no integer.
    constexpr double number() const noexcept { return number_; }

    constexpr bool is_number() const noexcept
    {
        return kind_ == kind::integer || kind_ == kind::large || kind_ == kind::number;
    }

    /// Of a text or JSON text.
    constexpr std::string_view text() const noexcept { return text_; }

private:
    template<std::integral Integer>
    static constexpr kind kind_of(Integer value)
    {
        if constexpr (std::same_as<Integer, bool>)
            return kind::boolean;
        else
            return value > 0 && static_cast<std::uint64_t>(value) > std::numeric_limits<std::int64_t>::max()
                       ? kind::large
                       : kind::integer;
    }

    kind kind_ = kind::none;
    std::int64_t integer_ = 0;
    double number_ = 0;
    std::string_view text_;
};

/// What notes say about a member of a struct, or, without a member, about the struct itself.
///
/// Specification: JSON Schema 2020-12, "Validation"; the members are named after its keywords.
struct member_notes {
    struct keyword {
        std::string_view name;
        json_literal value;
    };

    std::string_view member; ///< in C++; empty: the struct itself
    std::string_view name;   ///< in JSON; null: as in C++
    std::string_view title, description, pattern, format;
    json_literal minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of;
    std::optional<std::size_t> min_length, max_length; ///< in code points
    std::optional<std::size_t> min_items, max_items, min_properties, max_properties;
    bool unique_items = false;
    json_literal default_value;
    std::array<json_literal, 4> examples{}; ///< those in front
    bool deprecated = false;
    bool required = false; ///< whatever its type
    bool closed = false;   ///< of a struct: no other members than its own
    std::array<keyword, 4> keywords{};

    /// There is something that values can violate.
    constexpr bool constrains() const noexcept
    {
        return !pattern.empty() || minimum || maximum || exclusive_minimum || exclusive_maximum || multiple_of ||
               min_length || max_length || min_items || max_items || min_properties || max_properties || unique_items;
    }
};

namespace detail {

constexpr json_literal number_only(json_literal value)
{
    if (!value.is_number())
        throw "linkspan: a bound is a number";
    return value;
}

} // namespace detail

/// The kinds of notes. A kind is any literal type with `constexpr void apply(member_notes&) const`, so programs can have
/// their own, of what is here:
///
///     struct percent {
///         constexpr void apply(linkspan::member_notes& notes) const
///         {
///             linkspan::note::min{0}.apply(notes);
///             linkspan::note::max{100}.apply(notes);
///             linkspan::note::keyword{"x-unit", "%"}.apply(notes);
///         }
///     };
namespace note {

/// @name Texts, for people and models
/// @{

struct title {
    std::string_view text;
    constexpr void apply(member_notes& to) const { to.title = text; }
};

/// A bare string literal is one too.
struct description {
    std::string_view text;
    constexpr void apply(member_notes& to) const { to.description = text; }
};

struct example {
    json_literal value;
    constexpr void apply(member_notes& to) const
    {
        for (auto& slot : to.examples)
            if (!slot) {
                slot = value;
                return;
            }
        throw "linkspan: a member has at most four examples";
    }
};

struct deprecated_t {
    constexpr void apply(member_notes& to) const { to.deprecated = true; }
};
inline constexpr deprecated_t deprecated{};

/// Any other keyword of the schema, such as "x-unit". It constrains nothing.
struct keyword {
    std::string_view name;
    json_literal value;
    constexpr void apply(member_notes& to) const
    {
        for (auto& slot : to.keywords)
            if (slot.name.empty()) {
                slot = {name, value};
                return;
            }
        throw "linkspan: a member has at most four keywords";
    }
};

/// @}
/// @name The member
/// @{

/// What it is called in JSON.
struct named {
    std::string_view name;
    constexpr void apply(member_notes& to) const { to.name = name; }
};

/// What it is where it is missing: so it is not required, and a missing one is set to this. An optional stays empty,
/// because its server knows the default.
struct default_value {
    json_literal value;
    constexpr void apply(member_notes& to) const { to.default_value = value; }
};

/// It must be there, though its type would let it be missing.
struct required_t {
    constexpr void apply(member_notes& to) const { to.required = true; }
};
inline constexpr required_t required{};

/// Of a struct: members that it does not name are refused.
struct closed_t {
    constexpr void apply(member_notes& to) const { to.closed = true; }
};
inline constexpr closed_t closed{};

/// @}
/// @name Constraints: in the schema, and enforced when values are read and before they are sent
///
/// On optionals, lists of one or many, and boxes they constrain the value within; on lists, what is about numbers and
/// texts is about the elements.
/// @{

struct min {
    json_literal value;
    constexpr void apply(member_notes& to) const { to.minimum = detail::number_only(value); }
};

struct max {
    json_literal value;
    constexpr void apply(member_notes& to) const { to.maximum = detail::number_only(value); }
};

/// exclusive
struct above {
    json_literal value;
    constexpr void apply(member_notes& to) const { to.exclusive_minimum = detail::number_only(value); }
};

/// exclusive
struct below {
    json_literal value;
    constexpr void apply(member_notes& to) const { to.exclusive_maximum = detail::number_only(value); }
};

struct multiple_of {
    json_literal value;
    constexpr void apply(member_notes& to) const { to.multiple_of = detail::number_only(value); }
};

/// in code points
struct min_length {
    std::size_t value;
    constexpr void apply(member_notes& to) const { to.min_length = value; }
};

/// in code points
struct max_length {
    std::size_t value;
    constexpr void apply(member_notes& to) const { to.max_length = value; }
};

/// A regular expression that is found somewhere in the text; see `schema_pattern`.
struct pattern {
    std::string_view text;
    constexpr void apply(member_notes& to) const { to.pattern = text; }
};

/// Told, and not enforced.
struct format {
    std::string_view name;
    constexpr void apply(member_notes& to) const { to.format = name; }
};

struct min_items {
    std::size_t value;
    constexpr void apply(member_notes& to) const { to.min_items = value; }
};

struct max_items {
    std::size_t value;
    constexpr void apply(member_notes& to) const { to.max_items = value; }
};

struct unique_items_t {
    constexpr void apply(member_notes& to) const { to.unique_items = true; }
};
inline constexpr unique_items_t unique_items{};

struct min_properties {
    std::size_t value;
    constexpr void apply(member_notes& to) const { to.min_properties = value; }
};

struct max_properties {
    std::size_t value;
    constexpr void apply(member_notes& to) const { to.max_properties = value; }
};

/// @}

} // namespace note

namespace detail {

template<class Note>
constexpr void apply_note(member_notes& to, Note const& note)
{
    if constexpr (std::convertible_to<Note const&, std::string_view>)
        to.description = note;
    else
        note.apply(to);
}

template<class... Notes>
constexpr member_notes make_notes(std::string_view member, Notes const&... notes)
{
    member_notes out;
    out.member = member;
    (apply_note(out, notes), ...);
    return out;
}

} // namespace detail
} // namespace linkspan

#endif
