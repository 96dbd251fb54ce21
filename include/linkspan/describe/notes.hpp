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

namespace linkspan::inline LINKSPAN_ABI {

/// A JSON value that is known at compile time: a scalar, or JSON text (`raw_json`), which is not checked.
///
/// Converts implicitly from the values that notes accept, as in `min{1}`, `default_value{"a"}`, `example{nullptr}`, and
/// `default_value{linkspan::raw_json("[1,2]")}`.
///
/// \par Lifetime
/// Texts are views, which must outlive the object. Use literals.
class json_literal {
public:
    /// Kind of value: `none` (no value), `null`, `boolean`, `integer` (in the range of `std::int64_t`), `large` (an
    /// integer above that range), `number` (a floating-point number), `text` (a string), `json` (JSON text).
    enum class kind { none, null, boolean, integer, large, number, text, json };

    /// Constructs an object without a value.
    constexpr json_literal() = default;

    /// Constructs the value `null`.
    constexpr json_literal(std::nullptr_t) : kind_(kind::null) {}

    /// Constructs a boolean or an integer.
    constexpr json_literal(std::integral auto value) : kind_(kind_of(value)), integer_(static_cast<std::int64_t>(value))
    {}

    /// Constructs a number, which must be finite.
    constexpr json_literal(std::floating_point auto value) : kind_(kind::number), number_(value) {}

    /// Constructs a string.
    constexpr json_literal(char const* value) : kind_(kind::text), text_(value) {}
    /// Constructs a string.
    constexpr json_literal(std::string_view value) : kind_(kind::text), text_(value) {}

    /// Constructs any JSON value from its text, which is not checked.
    constexpr json_literal(raw_json value) : kind_(kind::json), text_(value.text()) {}

    /// Returns the kind of the value.
    constexpr kind what() const noexcept { return kind_; }

    /// Returns whether there is a value; `null` is a value.
    constexpr explicit operator bool() const noexcept { return kind_ != kind::none; }

    /// Returns the value of an integer, and 0 or 1 for a boolean. Unspecified for other kinds.
    constexpr std::int64_t integer() const noexcept { return integer_; }

    /// Returns the value of an integer of kind `large`. Unspecified for other kinds.
    constexpr std::uint64_t large() const noexcept { return static_cast<std::uint64_t>(integer_); }

    /// Returns the value of kind `number`; 0 for other kinds.
    constexpr double number() const noexcept { return number_; }

    /// Returns whether the value is a number of any kind.
    constexpr bool is_number() const noexcept
    {
        return kind_ == kind::integer || kind_ == kind::large || kind_ == kind::number;
    }

    /// Returns the characters of a string (not quoted) or of JSON text; empty for other kinds.
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
    std::int64_t integer_ = 0; // value of the kinds boolean and integer; bits of the value of kind large
    double number_ = 0;        // value of kind number
    std::string_view text_;    // value of the kinds text and json
};

/// The notes of one member of a struct, or of the struct itself. Produced by `LINKSPAN_STRUCT` and `LINKSPAN_NOTES`.
///
/// \par Specification
/// JSON Schema 2020-12, "Validation"; the members are named after its keywords.
struct member_notes {
    /// An additional keyword of the schema.
    struct keyword {
        std::string_view name; ///< name of the keyword; empty: unused
        json_literal value;    ///< value of the keyword
    };

    std::string_view member; ///< name of the member in C++; empty: the notes of the struct itself
    std::string_view name;   ///< name of the member in JSON; `data()` is null: the name in C++

    std::string_view title;       ///< title of the member or struct; empty: no keyword
    std::string_view description; ///< description of the member or struct; empty: no keyword
    std::string_view pattern;     ///< regular expression that must match a part of a string; empty: no keyword
    std::string_view format;      ///< format of a string; empty: no keyword

    json_literal minimum;           ///< inclusive lower bound of a number; no value: no bound
    json_literal maximum;           ///< inclusive upper bound of a number; no value: no bound
    json_literal exclusive_minimum; ///< exclusive lower bound of a number; no value: no bound
    json_literal exclusive_maximum; ///< exclusive upper bound of a number; no value: no bound
    json_literal multiple_of;       ///< divisor of a number; no value: no condition

    std::optional<std::size_t> min_length;     ///< minimum length of a string in code points; empty: no bound
    std::optional<std::size_t> max_length;     ///< maximum length of a string in code points; empty: no bound
    std::optional<std::size_t> min_items;      ///< minimum number of elements of a list; empty: no bound
    std::optional<std::size_t> max_items;      ///< maximum number of elements of a list; empty: no bound
    std::optional<std::size_t> min_properties; ///< minimum number of members of an object; empty: no bound
    std::optional<std::size_t> max_properties; ///< maximum number of members of an object; empty: no bound

    bool unique_items = false;              ///< elements of a list must differ
    json_literal default_value;             ///< value of a missing member; no value: none
    std::array<json_literal, 4> examples{}; ///< examples, followed by objects without a value
    bool deprecated = false;                ///< member or struct should not be used
    bool required = false;                  ///< member must be present, independent of its type
    bool closed = false;                    ///< struct: members that are not described are reported
    std::array<keyword, 4> keywords{};      ///< additional keywords, followed by unused objects

    /// Returns whether the notes contain a constraint that a value can violate.
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
        throw "linkspan: a bound must be a number";
    return value;
}

} // namespace detail

/// Notes for `LINKSPAN_STRUCT` and `LINKSPAN_NOTES`.
///
/// A note is an object of a literal type with a function `constexpr void apply(member_notes&) const`. Programs can
/// define further notes:
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

/// @name Texts for human readers and models
/// @{

/// Title of the member or struct: `title`.
struct title {
    std::string_view text; ///< text of the keyword
    constexpr void apply(member_notes& to) const { to.title = text; }
};

/// Description of the member or struct: `description`. A string literal among the notes has the same effect.
struct description {
    std::string_view text; ///< text of the keyword
    constexpr void apply(member_notes& to) const { to.description = text; }
};

/// Example of a value: `examples`. At most four per member; a fifth example does not compile.
struct example {
    json_literal value; ///< value of the example
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

/// Type of `deprecated`.
struct deprecated_t {
    constexpr void apply(member_notes& to) const { to.deprecated = true; }
};

/// Marks the member or struct as deprecated: `deprecated`. Values are not affected.
inline constexpr deprecated_t deprecated{};

/// Adds any keyword to the schema, such as "x-unit". Values are not checked against the keyword. At most four per
/// member; a fifth keyword does not compile.
struct keyword {
    std::string_view name; ///< name of the keyword
    json_literal value;    ///< value of the keyword
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
/// @name Presence and name of a member
/// @{

/// Name of the member in JSON, if it differs from the name in C++. A struct in which two members have the same name in
/// JSON does not compile.
struct named {
    std::string_view name; ///< name of the member in JSON
    constexpr void apply(member_notes& to) const { to.name = name; }
};

/// Default of the member: `default`. The member is not required, and `decode` sets a missing member to the default.
///
/// Missing optionals and nullables are not modified: the code that receives the struct applies the default. For other
/// members, `decode` does not compile if the kind of the default does not match the type of the member; JSON text is
/// not checked.
struct default_value {
    json_literal value; ///< default of the member
    constexpr void apply(member_notes& to) const { to.default_value = value; }
};

/// Type of `required`.
struct required_t {
    constexpr void apply(member_notes& to) const { to.required = true; }
};

/// Makes an optional or nullable member, or a member with a default, required: `required`.
inline constexpr required_t required{};

/// Type of `closed`.
struct closed_t {
    constexpr void apply(member_notes& to) const { to.closed = true; }
};

/// Note of a struct: `decode` reports members that are not described (`additionalProperties` is `false`).
inline constexpr closed_t closed{};

/// @}
/// @name Constraints
///
/// Constraints are part of the schema. `decode` and `check` enforce them, and a typed call checks its arguments before
/// they are sent. On optionals, nullables, boxes and `one_or_many`, a constraint applies to the contained value. On
/// lists and maps, constraints of numbers and strings apply to each element. `decode` and `check` do not compile with a
/// constraint that cannot apply to values of the member, such as `min` of a string.
/// @{

/// Inclusive lower bound of a number: `minimum`.
struct min {
    json_literal value; ///< the bound, a number
    constexpr void apply(member_notes& to) const { to.minimum = detail::number_only(value); }
};

/// Inclusive upper bound of a number: `maximum`.
struct max {
    json_literal value; ///< the bound, a number
    constexpr void apply(member_notes& to) const { to.maximum = detail::number_only(value); }
};

/// Exclusive lower bound of a number: `exclusiveMinimum`.
struct above {
    json_literal value; ///< the bound, a number
    constexpr void apply(member_notes& to) const { to.exclusive_minimum = detail::number_only(value); }
};

/// Exclusive upper bound of a number: `exclusiveMaximum`.
struct below {
    json_literal value; ///< the bound, a number
    constexpr void apply(member_notes& to) const { to.exclusive_maximum = detail::number_only(value); }
};

/// Divisor of a number: `multipleOf`. Decimal fractions are exact: 0.0075 is a multiple of 0.0001.
struct multiple_of {
    json_literal value; ///< the divisor, a number
    constexpr void apply(member_notes& to) const { to.multiple_of = detail::number_only(value); }
};

/// Minimum length of a string in code points: `minLength`.
struct min_length {
    std::size_t value; ///< the bound
    constexpr void apply(member_notes& to) const { to.min_length = value; }
};

/// Maximum length of a string in code points: `maxLength`.
struct max_length {
    std::size_t value; ///< the bound
    constexpr void apply(member_notes& to) const { to.max_length = value; }
};

/// Regular expression that must match a part of the string: `pattern`. Use `^` and `$` to match the whole string.
///
/// The supported syntax is that of `schema_pattern`. If the pattern is not supported, each value is reported as a
/// mismatch.
struct pattern {
    std::string_view text; ///< the regular expression
    constexpr void apply(member_notes& to) const { to.pattern = text; }
};

/// Format of a string, such as "uri": `format`. The format is only added to the schema; values are not checked.
struct format {
    std::string_view name; ///< name of the format
    constexpr void apply(member_notes& to) const { to.format = name; }
};

/// Minimum number of elements of a list: `minItems`.
struct min_items {
    std::size_t value; ///< the bound
    constexpr void apply(member_notes& to) const { to.min_items = value; }
};

/// Maximum number of elements of a list: `maxItems`.
struct max_items {
    std::size_t value; ///< the bound
    constexpr void apply(member_notes& to) const { to.max_items = value; }
};

/// Type of `unique_items`.
struct unique_items_t {
    constexpr void apply(member_notes& to) const { to.unique_items = true; }
};

/// Requires that the elements of a list differ as JSON values: `uniqueItems`.
inline constexpr unique_items_t unique_items{};

/// Minimum number of members of an object, such as a map: `minProperties`.
struct min_properties {
    std::size_t value; ///< the bound
    constexpr void apply(member_notes& to) const { to.min_properties = value; }
};

/// Maximum number of members of an object, such as a map: `maxProperties`.
struct max_properties {
    std::size_t value; ///< the bound
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
