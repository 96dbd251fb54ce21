#ifndef LINKSPAN_JSON_DETAIL_KEYWORD_VIEW_HPP
#define LINKSPAN_JSON_DETAIL_KEYWORD_VIEW_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/json_number.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// Typed access to the keywords of a JSON Schema, for all readers of schemas: the validator, the mapping to C++ types,
// the comparison of tools, the sampler, the export of tools, and the reader of mirrored arguments. The header is in the
// module `json`, because `protocol` does not use `schema`.

namespace linkspan::inline LINKSPAN_ABI::detail {

// Set of kinds of JSON values, one bit each. A number without a fraction is an integer, independently of its notation.
struct value_kinds {
    static constexpr std::uint8_t null = 1, boolean = 2, integer = 4, fraction = 8, string = 16, array = 32,
                                  object = 64;
    static constexpr std::uint8_t number = integer | fraction, all = 127;
};

// Returns the kind of a value as one bit.
inline std::uint8_t kind_of_value(boost::json::value const& value) noexcept
{
    switch (value.kind()) {
    case boost::json::kind::null: return value_kinds::null;
    case boost::json::kind::bool_: return value_kinds::boolean;
    case boost::json::kind::int64:
    case boost::json::kind::uint64: return value_kinds::integer;
    case boost::json::kind::double_: return is_integer(value) ? value_kinds::integer : value_kinds::fraction;
    case boost::json::kind::string: return value_kinds::string;
    case boost::json::kind::array: return value_kinds::array;
    case boost::json::kind::object: break;
    }
    return value_kinds::object;
}

// Returns the kinds that a name in the keyword `type` permits; 0 for other texts.
constexpr std::uint8_t kinds_of_type(std::string_view name) noexcept
{
    return name == "null"      ? value_kinds::null
           : name == "boolean" ? value_kinds::boolean
           : name == "integer" ? value_kinds::integer
           : name == "number"  ? value_kinds::number
           : name == "string"  ? value_kinds::string
           : name == "array"   ? value_kinds::array
           : name == "object"  ? value_kinds::object
                               : std::uint8_t{0};
}

// Value of one keyword, or no value if the schema does not have the keyword.
//
// Schemas are untrusted: a function for one type returns no value if the keyword has another type. A reader detects a
// wrong type if `operator bool` returns true and the function for the expected type returns no value.
class keyword_value {
public:
    keyword_value() = default;
    explicit keyword_value(boost::json::value const* value) noexcept : value_(value) {}

    // Returns whether the schema has the keyword.
    explicit operator bool() const noexcept { return value_ != nullptr; }

    // Returns the value, of any type; null: none.
    boost::json::value const* get() const noexcept { return value_; }

    boost::json::value const& operator*() const noexcept { return *value_; }
    boost::json::value const* operator->() const noexcept { return value_; }

    std::optional<std::string_view> text() const noexcept
    {
        auto const* const found = value_ ? value_->if_string() : nullptr;
        return found ? std::optional(std::string_view(found->data(), found->size())) : std::nullopt;
    }

    boost::json::array const* array() const noexcept { return value_ ? value_->if_array() : nullptr; }

    boost::json::object const* object() const noexcept { return value_ ? value_->if_object() : nullptr; }

    std::optional<bool> boolean() const noexcept
    {
        auto const* const found = value_ ? value_->if_bool() : nullptr;
        return found ? std::optional(*found) : std::nullopt;
    }

    // Returns whether the value is a boolean and equal to `expected`.
    bool is(bool expected) const noexcept { return boolean() == expected; }

    // Returns the value if it is a number; else null.
    boost::json::value const* number() const noexcept { return value_ && value_->is_number() ? value_ : nullptr; }

    // Returns the value of a keyword such as `minLength`: an integer that is not negative.
    std::optional<std::size_t> count() const noexcept { return value_ ? read_count(*value_) : std::nullopt; }

    // Calls `visit` for the value itself, or for each element if the value is an array: the forms of `type`.
    template<class Visit>
    void for_one_or_each(Visit visit) const
    {
        if (auto const* const several = array())
            for (auto const& one : *several)
                visit(keyword_value(&one));
        else if (value_)
            visit(*this);
    }

    // Calls `visit` for the texts of an array such as `required`, in their order. Other elements are skipped.
    template<class Visit>
    void for_texts(Visit visit) const
    {
        if (auto const* const several = array())
            for (auto const& one : *several)
                if (auto const text = keyword_value(&one).text())
                    visit(*text);
    }

    // Returns the kinds that a value of `type` permits. Unknown names are ignored; 0: the value names no type.
    std::uint8_t kinds() const noexcept
    {
        std::uint8_t out = 0;
        for_one_or_each([&out](keyword_value one) { out |= kinds_of_type(one.text().value_or("")); });
        return out;
    }

private:
    boost::json::value const* value_ = nullptr; // null: the keyword is absent
};

// The keywords of one schema. Each access searches the object; the object has no copy of the schema.
class keyword_view {
public:
    explicit keyword_view(boost::json::object const& schema) noexcept : schema_(&schema) {}

    // Returns the value of a keyword.
    keyword_value operator[](std::string_view keyword) const noexcept
    {
        return keyword_value(schema_->if_contains({keyword.data(), keyword.size()}));
    }

private:
    boost::json::object const* schema_; // never null
};

} // namespace linkspan::detail

#endif
