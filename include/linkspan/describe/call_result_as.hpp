#ifndef LINKSPAN_DESCRIBE_CALL_RESULT_AS_HPP
#define LINKSPAN_DESCRIBE_CALL_RESULT_AS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/union_choice.hpp>
#include <linkspan/model/call_result.hpp>

#include <boost/json/value.hpp>
#include <boost/system/result.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan {
namespace detail {

// The value that a result holds, for who wants one of some kinds: its structured content; else its text, as JSON or as
// it is.
class result_value {
public:
    LINKSPAN_DECL result_value(call_result const& result, json_kinds wanted, bool prefers_text);
    result_value(result_value const&) = delete;
    result_value& operator=(result_value const&) = delete;

    // False when it is a text, and that is none of JSON.
    bool is_sound() const noexcept { return is_sound_; }

    // Borrowed from the result or this; empty where it is a text as it is.
    std::string_view json() const noexcept { return json_; }
    std::string& text() noexcept { return text_; }

private:
    std::string text_;
    std::string_view json_;
    bool is_sound_ = true;
};

} // namespace detail

/// Reads the value of a tool's result, by what is there first:
///
/// 1. `structuredContent`, unless it is `null` and no `T` is; where no `T` is an object, and it is `{"result": ...}`,
///    what that holds;
/// 2. the text content, read as JSON, unless that is a value of a kind that no `T` is, and one may be a text: 404;
/// 3. the text content itself.
///
/// A `std::string` is the text as it is, unless the structured content is a string. `T` is whatever `decode` reads.
///
/// Errors: `tool_failed` when the tool says that it failed; `unexpected_result` when the value is no `T`: `problems`
/// says where.
template<class T>
error_code read_result(T& out, call_result const& result, mismatches& problems)
{
    if (result.is_error())
        return error::tool_failed;
    detail::result_value value(result, detail::kinds_of<T>(), std::same_as<T, std::string>);
    bool is_read = false;
    if (!value.is_sound()) {
        problems.push_back({"", "a string", detail::broken_text});
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

/// The same, as a value; see `read_result`.
template<class T>
boost::system::result<T> call_result::as() const
{
    using read_type = boost::system::result<T>;
    T out{};
    mismatches problems;
    auto const ec = read_result(out, *this, problems);
    return ec ? read_type(boost::system::in_place_error, ec) : read_type(std::move(out));
}

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/describe/impl/call_result_as.ipp>
#endif

#endif
