#ifndef LINKSPAN_JSON_JSON_SCAN_HPP
#define LINKSPAN_JSON_JSON_SCAN_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan {

/// Reads JSON text in place, without building a value: what the call path needs of an answer is one member of it.
///
/// It checks the grammar of JSON (RFC 8259), but not what stands between the quotes of a string: escapes are checked
/// where a string is read, and bytes that are not ASCII are taken for UTF-8 and kept. A key is compared as it is
/// written, so an escaped key is never found.
///
/// Thread safety: none needed; it has no state.
namespace json_scan {

/// Nested objects and arrays that a value may have before it counts as malformed.
inline constexpr unsigned max_depth = 512;

/// The rest of `text` after its first value and the blanks before it; nothing when there is no well-formed value.
LINKSPAN_DECL std::optional<std::string_view> skip_value(std::string_view text) noexcept;

/// True when `text` is one value, with blanks around it at most.
LINKSPAN_DECL bool is_value(std::string_view text) noexcept;

/// One member of an object, or one element of an array (with an empty key).
struct item {
    std::string_view key;   ///< between its quotes, escapes as written
    std::string_view value; ///< its text, without blanks around it
};

/// A string as it is written.
struct string_token {
    std::string_view inner; ///< between its quotes
    bool has_escapes;
};

/// Walks through the members of an object or the elements of an array:
///
///     for (json_scan::reader in(text); auto const it = in.next();) ...
///
/// The walk ends early where the text is malformed; `ok()` tells the two ends apart. A nested object or array is walked
/// through in passing, without reading it twice:
///
///     while (auto const key = in.next_key())
///         if (*key == "content") {
///             auto inner = in.enter();
///             ...                       to its end
///             in.leave(inner);
///         } else {
///             in.skip();
///         }
class reader {
public:
    LINKSPAN_DECL explicit reader(std::string_view text) noexcept;

    /// Stands at one value of any kind, as if it were the only item of something.
    LINKSPAN_DECL static reader at_value(std::string_view text) noexcept;

    /// The next item; nothing at the end.
    LINKSPAN_DECL std::optional<item> next() noexcept;

    /// The key of the next item (empty in an array), whose value must then be skipped or entered; nothing at the end.
    LINKSPAN_DECL std::optional<std::string_view> next_key() noexcept;

    /// Comes to the value of the next item, if its key is written like this: with its quotes, and a colon behind. Else
    /// nothing happens.
    LINKSPAN_DECL bool next_key_is(std::string_view key) noexcept;

    /// The first character of the value of the item; 0 when there is none.
    char peek() const noexcept { return state_ == state::in_item && at_ != end_ ? *at_ : '\0'; }

    /// It came to what is malformed.
    bool failed() const noexcept { return state_ == state::failed; }

    /// An item stands here whose value was neither skipped nor entered and left.
    bool in_item() const noexcept { return state_ == state::in_item; }

    /// Steps over the value of the item, and gives it; empty when it is malformed.
    LINKSPAN_DECL std::string_view skip() noexcept;

    /// Steps over the value of the item, which is `value`, as `skip` or `leave` gave it in an earlier walk: it is not
    /// read again.
    void skip_known(std::string_view value) noexcept
    {
        at_ = value.data() + value.size();
        state_ = state::more;
    }

    /// The same as `skip`, of a string: what stands between its quotes, and whether there are escapes in it. Nothing when
    /// it is no string, or malformed.
    LINKSPAN_DECL std::optional<string_token> skip_string() noexcept;

    /// A reader of the value of the item.
    reader enter() const noexcept { return reader(at_, end_); }

    /// Steps behind the value that `inner`, made by `enter`, has walked through to its end; gives the value, or nothing
    /// when it is malformed.
    LINKSPAN_DECL std::string_view leave(reader const& inner) noexcept;

    /// After the end: the text was one well-formed object or array, and nothing but blanks followed it. Of `at_value`:
    /// the value was read, and the same.
    bool ok() const noexcept;

    /// What was not read.
    std::string_view rest() const noexcept { return {at_, static_cast<std::size_t>(end_ - at_)}; }

    bool is_object() const noexcept { return close_ == '}'; }
    bool is_array() const noexcept { return close_ == ']'; }

private:
    enum class state { first, more, in_item, done, failed };

    reader(char const* at, char const* end) noexcept;

    char const* at_;
    char const* end_;
    char close_ = 0;
    state state_ = state::first;
};

/// The value of `key` in an object, as text; empty when it is missing, or the text no object.
LINKSPAN_DECL std::string_view member(std::string_view object, std::string_view key) noexcept;

/// An integer of 64 bits; nothing for anything else.
LINKSPAN_DECL std::optional<std::int64_t> integer(std::string_view value) noexcept;

/// A number of any form; nothing for anything else.
LINKSPAN_DECL std::optional<double> number(std::string_view value) noexcept;

/// What stands between the quotes of a string, escapes as written; nothing for anything else.
inline std::optional<std::string_view> quoted(std::string_view value) noexcept
{
    if (value.size() < 2 || value.front() != '"' || value.back() != '"')
        return std::nullopt;
    return value.substr(1, value.size() - 2);
}

/// Appends the characters of what stands between the quotes of a string. False when an escape is invalid.
LINKSPAN_DECL bool append_unescaped(std::string& out, std::string_view inner);

/// Appends a string's characters to `out`, escapes decoded. False when `value` is no string, or an escape is invalid.
LINKSPAN_DECL bool append_string(std::string& out, std::string_view value);

/// The characters of a string; nothing for anything else.
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
