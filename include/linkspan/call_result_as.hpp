#ifndef LINKSPAN_CALL_RESULT_AS_HPP
#define LINKSPAN_CALL_RESULT_AS_HPP

#include <linkspan/call_result.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/detail/config.hpp>
#include <linkspan/error.hpp>

#include <boost/json/value.hpp>
#include <boost/system/result.hpp>

#include <concepts>
#include <string>
#include <string_view>

namespace linkspan {
namespace detail {

// What servers wrap as {"result": ...}, because a structured result was to be an object: all that is none.
template<class T>
inline constexpr bool is_wrapped_by_servers = !kinds_of<T>().has(json_kind::object);

// The value that a result holds: its structured content; else its text, as JSON or, where it is none, as it is.
class result_value {
public:
    LINKSPAN_DECL result_value(call_result const& result, bool unwraps);
    result_value(result_value const&) = delete;
    result_value& operator=(result_value const&) = delete;

    // Of what is JSON, borrowed from the result or this; else empty.
    std::string_view json() const noexcept { return json_; }
    std::string& text() noexcept { return text_; }

private:
    std::string text_;
    std::string_view json_;
};

} // namespace detail

/// Reads the value of a tool's result, by what is there first:
///
/// 1. `structuredContent`; where no `T` is an object, and it is `{"result": ...}`, what that holds;
/// 2. the text content, read as JSON;
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
    detail::result_value value(result, detail::is_wrapped_by_servers<T>);
    bool is_read = false;
    if constexpr (std::same_as<T, std::string>) {
        is_read = result.structured().empty() || !value.json().starts_with('"');
        if (is_read)
            out = result.text();
    }
    if (!is_read && value.json().empty())
        is_read = decode(out, boost::json::value(value.text()), problems);
    else if (!is_read)
        is_read = decode(out, value.json(), problems);
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
#include <linkspan/impl/call_result_as.ipp>
#endif

#endif
