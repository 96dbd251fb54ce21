#ifndef LINKSPAN_JSON_DETAIL_JSON_FAULT_HPP
#define LINKSPAN_JSON_DETAIL_JSON_FAULT_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace linkspan::detail {

// Why a text of foreign origin is not one whole JSON value, or is one that two readers may read differently.
struct json_fault {
    enum class kind : unsigned char {
        none,
        empty,
        truncated, // more text could make it a value
        malformed,
        bad_string, // control characters, invalid escapes, or bytes that are not UTF-8 (RFC 8259, 7 and 8.1)
        trailing,   // text follows the value
        too_deep,   // json_scan::max_depth
        repeated_key,
    };

    kind what = kind::none;
    std::size_t at = 0;    // bytes before the fault; of a string, before its opening quote
    std::string pointer{}; // JSON Pointer to the value that has the fault, or to the repeated key

    explicit operator bool() const noexcept { return what != kind::none; }
};

// Reads all of the text once, whatever its depth, and allocates nothing for a sound text with up to 64 keys in the
// objects that are open at one time. Keys are compared as characters: "a" and "\u0061" are the same key.
LINKSPAN_DECL json_fault find_fault(std::string_view text);

// "arguments are truncated: ...", of the subject "arguments are". `text` is the one that was read.
LINKSPAN_DECL std::string describe(json_fault const& fault, std::string_view subject, std::string_view text);

// What kind of value a well-formed text is: "an object", "a string", "null".
LINKSPAN_DECL std::string_view name_of_kind(std::string_view text) noexcept;

// Arguments of a call: a whole JSON object. Returns why the text is none, or an empty text.
LINKSPAN_DECL std::string problem_of_arguments(std::string_view text);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/json/impl/json_fault.ipp>
#endif

#endif
