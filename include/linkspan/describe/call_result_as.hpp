#ifndef LINKSPAN_DESCRIBE_CALL_RESULT_AS_HPP
#define LINKSPAN_DESCRIBE_CALL_RESULT_AS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/detail/union_choice.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/result_error.hpp>

#include <boost/json/value.hpp>
#include <boost/system/result.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Selects the part of a result from which a value is read: structured content, text content as JSON, or text content.
class result_value {
public:
    // `structured`: the structured content of `result`. `wanted`: the kinds of JSON values that the type accepts.
    // `prefers_text`: the type is std::string.
    LINKSPAN_DECL result_value(std::string_view result, std::string_view structured, json_kinds wanted,
                               bool prefers_text);
    result_value(result_value const&) = delete;
    result_value& operator=(result_value const&) = delete;

    // Returns false if the text content was selected and contains an invalid escape, a control character or bytes that
    // are not UTF-8.
    bool is_valid_text() const noexcept { return is_valid_text_; }

    // Returns the selected JSON text, a view into the result or into this object; empty if `text()` is the value.
    std::string_view json() const noexcept { return json_; }
    std::string& text() noexcept { return text_; }

private:
    std::string text_;      // the text content; empty if structured content is selected
    std::string_view json_; // the selected JSON text; empty if the text content is the value
    // false: the text content has an invalid escape, a control character or bytes that are not UTF-8
    bool is_valid_text_ = true;
};

} // namespace detail

/// Reads the value of a tool result as a `T`.
///
/// The value is read from the first of these sources that is present and not skipped:
///
/// 1. `structuredContent`. If `T` does not accept objects, and the structured content is an object whose only member is
///    `result`, that member is the value: servers wrap values that are not objects in this form. The source is skipped
///    if the value is `null` and `T` does not accept `null`.
/// 2. The text content as JSON. The text content consists of the text blocks of `content`, separated by line breaks, as
///    in `call_result::text()`. The source is skipped if the text is not valid JSON. It is also skipped if `T` accepts
///    strings but not the kind of JSON value that the text contains: for such a `T`, the text `404` is a string.
/// 3. The text content as a string.
///
/// If `T` is `std::string`, the value is the text content unchanged, except if the structured content, or the wrapped
/// value in it, is a string.
///
///     forecast out;
///     linkspan::mismatches problems;
///     if (auto ec = linkspan::read_result(out, result, problems))
///         std::cerr << ec.message() << ": " << to_string(problems);
///
/// \tparam T A type that `decode` reads.
/// \param out Receives the value. The caller should pass a default-constructed object. On error, `out` may be partially
/// assigned.
/// \param result The result of the call.
/// \param problems Receives the mismatches, of which a location may have several, until the list has `max_mismatches`
/// entries; existing entries are kept.
/// \par Errors
/// `tool_failed`: the tool reported its own failure (`is_error()`). `unexpected_result`: the value is not a `T`;
/// `problems` has an entry.
/// \par Exception safety
/// Basic: `out` and `problems` may be partially assigned. Throws `std::bad_alloc`, and exceptions of
/// `json_as<T>::from`.
/// \par Thread safety
/// Distinct objects: safe. `result` may be read concurrently.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, "Structured Content".
template<class T>
error_code read_result(T& out, call_result const& result, mismatches& problems)
{
    auto const parts = detail::parts_of(result.raw());
    if (parts.is_error)
        return error::tool_failed;
    detail::result_value value(result.raw(), parts.structured, detail::kinds_of<T>(), std::same_as<T, std::string>);
    bool is_read = false;
    if (!value.is_valid_text()) {
        if (problems.size() < max_mismatches)
            problems.push_back({"", "text content in valid UTF-8", detail::invalid_string});
    } else if (!value.json().empty()) {
        is_read = decode(out, value.json(), problems);
    } else if constexpr (std::same_as<T, std::string>) {
        out = std::move(value.text());
        is_read = true;
    } else {
        is_read = decode(out, boost::json::value(value.text()), problems);
    }
    return is_read ? error_code() : error_code(error::unexpected_result);
}

// Declared and documented in <linkspan/model/call_result.hpp>.
template<class T>
boost::system::result<T, result_error> call_result::as() const
{
    using read_type = boost::system::result<T, result_error>;
    T out{};
    mismatches problems;
    auto const ec = read_result(out, *this, problems);
    if (ec)
        return read_type(boost::system::in_place_error, ec, to_string(problems));
    return read_type(boost::system::in_place_value, std::move(out));
}

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/describe/impl/call_result_as.ipp>
#endif

#endif
