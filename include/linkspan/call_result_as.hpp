#ifndef LINKSPAN_CALL_RESULT_AS_HPP
#define LINKSPAN_CALL_RESULT_AS_HPP

#include <linkspan/call_result.hpp>
#include <linkspan/detail/config.hpp>
#include <linkspan/error.hpp>

#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>
#include <boost/system/result.hpp>

#include <concepts>
#include <string>
#include <type_traits>

namespace linkspan {
namespace detail {

// A number, a truth, a text or a list: what servers wrap as {"result": ...}, because a structured result was to be an
// object.
template<class T>
concept wrapped_by_servers = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, std::string> ||
                             std::same_as<T, boost::json::string> || std::same_as<T, boost::json::array> ||
                             (
                                 requires { typename T::value_type; } && !requires { typename T::mapped_type; } &&
                                 !std::same_as<T, boost::json::object> && !std::same_as<T, boost::json::value>);

// The value that a result holds: its structured content; else its text, read as JSON; else its text.
LINKSPAN_DECL boost::json::value value_of(call_result const& result, bool unwraps);

} // namespace detail

/// The value of a tool's result, as a `T`, by what is there first:
///
/// 1. `structuredContent`; where `T` is a scalar or a list, and it is `{"result": ...}`, what that holds;
/// 2. the text content, read as JSON;
/// 3. the text content itself.
///
/// A `std::string` is the text as it is, unless the structured content is a string. `T` is whatever
/// `boost::json::value_to` makes.
///
/// Errors: `tool_failed` when the tool says that it failed; `unexpected_result` when the value is no `T`.
template<class T>
boost::system::result<T> call_result::as() const
{
    using read_type = boost::system::result<T>;
    using boost::system::in_place_error;
    if (is_error())
        return read_type(in_place_error, make_error_code(error::tool_failed));
    auto value = detail::value_of(*this, detail::wrapped_by_servers<T>);
    if constexpr (std::same_as<T, boost::json::value>) {
        return value;
    } else if constexpr (std::same_as<T, std::string>) {
        return value.is_string() && !structured().empty() ? std::string(value.get_string()) : text();
    } else {
        auto read = boost::json::try_value_to<T>(value);
        return read ? read_type(*std::move(read))
                    : read_type(in_place_error, make_error_code(error::unexpected_result));
    }
}

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/impl/call_result_as.ipp>
#endif

#endif
