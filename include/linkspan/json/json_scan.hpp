#ifndef LINKSPAN_JSON_JSON_SCAN_HPP
#define LINKSPAN_JSON_JSON_SCAN_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/json_depth.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Functions that read JSON text in place, without a `boost::json::value`.
///
/// The library reads only a few members of each message, so that building a complete value would be wasteful.
///
/// The functions check the grammar of JSON, except the characters between the quotes of strings: escapes are checked by
/// the functions that decode a string, and bytes outside of ASCII are not checked. Keys are compared as they are
/// written in the text, so that a key with escapes is not found.
///
/// \par Thread safety
/// Functions: safe. `reader`: distinct objects are safe, shared objects are unsafe.
/// \par Specification
/// RFC 8259.
namespace json_scan {

/// Returns the part of `text` after its first value. Whitespace before the value is skipped.
/// \returns The rest, or `std::nullopt` if the text does not begin with a well-formed value.
LINKSPAN_DECL std::optional<std::string_view> skip_value(std::string_view text) noexcept;

/// Returns true if `text` is exactly one well-formed value, apart from whitespace around the value.
LINKSPAN_DECL bool is_value(std::string_view text) noexcept;

/// Member of an object, or element of an array.
struct item {
    /// Text between the quotes of the key, with escapes as written. Empty for an element of an array.
    std::string_view key;

    /// Text of the value, without whitespace around the value.
    std::string_view value;
};

/// String as it is written in the text, not decoded.
struct string_token {
    /// Text between the quotes, with escapes as written.
    std::string_view inner;

    /// True if the text contains escapes and has to be decoded with `append_unescaped`.
    bool has_escapes;
};

/// Iterates over the members of an object or the elements of an array:
///
///     for (json_scan::reader in(text); auto const it = in.next();) ...
///
/// The iteration ends at the end of the object or array, and also where the text is malformed; `ok()` and `failed()`
/// distinguish these cases. A nested object or array can be read during the iteration, so that its text is read only
/// once:
///
///     while (auto const key = in.next_key())
///         if (*key == "content") {
///             auto inner = in.enter();
///             ...                       // read `inner` to its end
///             in.leave(inner);
///         } else {
///             in.skip();
///         }
///
/// \par Lifetime
/// The reader and all texts that it returns refer to the text that was given to the constructor.
class reader {
public:
    /// Positions the reader before the first item of an object or array. `failed()` is true if `text` is neither.
    LINKSPAN_DECL explicit reader(std::string_view text) noexcept;

    /// Returns a reader that is positioned at `text` as its only item, which may be a value of any kind.
    LINKSPAN_DECL static reader at_value(std::string_view text) noexcept;

    /// Returns a reader of the members of an object whose braces are not in `members`. The iteration ends after the
    /// last member, or where the text is malformed; `ok()` and `failed()` do not distinguish these cases.
    LINKSPAN_DECL static reader of_members(std::string_view members) noexcept;

    /// Reads the next item.
    /// \returns The item, or `std::nullopt` at the end or if the text is malformed.
    LINKSPAN_DECL std::optional<item> next() noexcept;

    /// Reads the key of the next item. The value must then be skipped, or entered and left.
    /// \returns The key as it is written in the text; an empty text in an array. `std::nullopt` at the end or if the
    /// text is malformed.
    LINKSPAN_DECL std::optional<std::string_view> next_key() noexcept;

    /// Moves to the value of the next item if the text contains exactly `key` there, otherwise does nothing.
    /// \param key Key with its quotes and the colon, and without whitespace, such as `"id":`.
    /// \returns True if the reader was moved.
    LINKSPAN_DECL bool next_key_is(std::string_view key) noexcept;

    /// Returns the first character of the value of the current item, or 0 if there is no current item.
    char peek() const noexcept { return state_ == state::in_item && at_ != end_ ? *at_ : '\0'; }

    /// Returns true if the reader has encountered malformed text.
    bool failed() const noexcept { return state_ == state::failed; }

    /// Returns true if the value of the current item has been neither skipped nor left.
    bool in_item() const noexcept { return state_ == state::in_item; }

    /// Skips the value of the current item.
    /// \returns The text of the value; empty if it is malformed or there is no current item.
    LINKSPAN_DECL std::string_view skip() noexcept;

    /// Skips the value of the current item without reading the value again.
    /// \param value Text of the value, as `skip` or `leave` of another reader of the same text returned it.
    void skip_known(std::string_view value) noexcept
    {
        at_ = value.data() + value.size();
        state_ = state::more;
    }

    /// Skips the value of the current item if the value is a string.
    /// \returns The string, or `std::nullopt` if the value is not a string or is malformed. A value that is not a
    /// string remains the current item.
    LINKSPAN_DECL std::optional<string_token> skip_string() noexcept;

    /// Returns a reader of the value of the current item, which must be an object or array. See `leave`.
    reader enter() const noexcept { return reader(at_, end_); }

    /// Moves past the value of the current item, which another reader has read to its end.
    /// \param inner Reader that `enter` has returned.
    /// \returns The text of the value; empty if `inner` failed or is not at its end.
    LINKSPAN_DECL std::string_view leave(reader const& inner) noexcept;

    /// Returns true if the iteration has reached the end of a well-formed object or array, and only whitespace follows.
    ///
    /// For a reader that `at_value` returned, the result is true if the value was read and only whitespace follows.
    bool ok() const noexcept;

    /// Returns the part of the text that has not been read.
    std::string_view rest() const noexcept { return {at_, static_cast<std::size_t>(end_ - at_)}; }

    /// Returns true if the reader iterates over the members of an object.
    bool is_object() const noexcept { return close_ == '}'; }

    /// Returns true if the reader iterates over the elements of an array.
    bool is_array() const noexcept { return close_ == ']'; }

private:
    // `first`: before the first item. `more`: after an item. `in_item`: before the value of an item. `done`: after the
    // closing bracket. `failed`: the text is malformed.
    enum class state { first, more, in_item, done, failed };

    reader(char const* at, char const* end) noexcept;

    char const* at_;             // first character that has not been read
    char const* end_;            // end of the text
    char close_ = 0;             // closing bracket of the object or array; 0 for at_value()
    state state_ = state::first; // changed by each function that reads
};

/// Returns the value of a member of an object.
/// \param object Text of the object. The text after the member is not checked.
/// \param key Key as it is written in the text, without quotes.
/// \returns The text of the value; empty if the member is missing, or if `object` is not an object that is well-formed
/// up to the end of the member.
LINKSPAN_DECL std::string_view member(std::string_view object, std::string_view key) noexcept;

/// Converts the text of an integer without a fraction and an exponent.
/// \returns The integer, or `std::nullopt` for other text and for integers outside of the range of `std::int64_t`.
LINKSPAN_DECL std::optional<std::int64_t> integer(std::string_view value) noexcept;

/// Converts the text of a number.
///
/// The syntax is that of `std::from_chars`, which accepts more than JSON, for example `.5`, `inf` and `nan`.
/// \returns The number, or `std::nullopt` for other text and for numbers outside of the range of `double`.
LINKSPAN_DECL std::optional<double> number(std::string_view value) noexcept;

/// Returns the text between the quotes of a string, with escapes as written, or `std::nullopt` for other text.
///
/// The function checks only the first and the last character of `value`.
inline std::optional<std::string_view> quoted(std::string_view value) noexcept
{
    if (value.size() < 2 || value.front() != '"' || value.back() != '"')
        return std::nullopt;
    return value.substr(1, value.size() - 2);
}

/// Appends a string to `out`, with its escapes decoded.
///
/// A lone surrogate becomes U+FFFD.
/// \param inner Text between the quotes of the string.
/// \returns False if an escape is invalid; `out` may then contain a part of the string.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`.
LINKSPAN_DECL bool append_unescaped(std::string& out, std::string_view inner);

/// Appends a string to `out`, with its escapes decoded.
///
/// A lone surrogate becomes U+FFFD.
/// \param value Text of the string with its quotes.
/// \returns False if `value` is not a string or an escape is invalid; `out` may then contain a part of the string.
/// \par Exception safety
/// Basic. Throws `std::bad_alloc`.
LINKSPAN_DECL bool append_string(std::string& out, std::string_view value);

/// Returns a string with its escapes decoded, or `std::nullopt` if `value` is not a string or an escape is invalid.
/// \param value Text of the string with its quotes.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
inline std::optional<std::string> string(std::string_view value)
{
    std::string out;
    return append_string(out, value) ? std::optional(std::move(out)) : std::nullopt;
}

} // namespace json_scan
} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/json/impl/json_scan.ipp>
#endif

#endif
