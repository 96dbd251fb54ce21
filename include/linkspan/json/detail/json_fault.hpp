#ifndef LINKSPAN_JSON_DETAIL_JSON_FAULT_HPP
#define LINKSPAN_JSON_DETAIL_JSON_FAULT_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Reason why a text of a peer is not exactly one JSON value, or why different parsers may read the text differently.
struct json_fault {
    enum class kind : unsigned char {
        none,         // the text is one JSON value
        empty,        // the text is empty or contains only white space
        truncated,    // the text ends inside a value
        malformed,    // unexpected character
        bad_string,   // control characters, invalid escapes, or invalid UTF-8 (RFC 8259, sections 7 and 8.1)
        trailing,     // text other than white space follows the value
        too_deep,     // the depth exceeds json_scan::max_depth
        repeated_key, // an object has the same key twice
    };

    kind what = kind::none;
    std::size_t at = 0;    // number of bytes before the fault, or before the opening quote of a bad string
    std::string pointer{}; // JSON Pointer to the value that contains the fault, or to the repeated key

    explicit operator bool() const noexcept { return what != kind::none; }
};

// Checks a whole text for faults.
//
// The function reads the text in one pass, without recursion. It does not allocate memory for a valid text without
// escapes in keys if each object and its enclosing objects together have at most 64 keys. Keys are compared after
// decoding: "a" and "\u0061" are the same key.
LINKSPAN_DECL json_fault find_fault(std::string_view text);

// Returns whether a value that a scan has found has no fault. Empty, for an absent value: true.
inline bool is_without_fault(std::string_view value)
{
    bool const is_checked = value.empty() || (value[0] >= '-' && value[0] <= '9'); // the scan checks numbers
    return is_checked || !find_fault(value);
}

// Returns a message that begins with `subject`, such as "arguments are". `text` is the text that was checked.
LINKSPAN_DECL std::string describe(json_fault const& fault, std::string_view subject, std::string_view text);

// Returns the kind of a well-formed value for a message: "an object", "a string", "null".
LINKSPAN_DECL std::string_view name_of_kind(std::string_view text) noexcept;

// Checks the arguments of a call, which must be one JSON object. Returns a description of the problem. Empty: the
// arguments are valid.
LINKSPAN_DECL std::string problem_of_arguments(std::string_view text);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/json/impl/json_fault.ipp>
#endif

#endif
