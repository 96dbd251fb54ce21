#ifndef LINKSPAN_MODEL_TYPED_RESULT_HPP
#define LINKSPAN_MODEL_TYPED_RESULT_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/model/call_error.hpp>
#include <linkspan/model/call_result.hpp>

#include <concepts>
#include <exception>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Result of a typed call: a value, and the `call_result` from which it was read.
///
///     auto reply = co_await hub.async_call(request);
///     std::cout << reply->high << " from " << reply.result().server();
///     forecast f = std::move(reply);
///
/// After an error, there is no value. `result()` then contains the attempts and the detail and, if the tool reported
/// its own failure or the result does not match `T`, the text of the result.
///
/// \tparam T The type of the value.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe while they are not modified.
template<class T>
class typed_result {
public:
    using value_type = T; ///< type of the value

    /// Constructs a result without a value.
    typed_result() = default;

    /// Constructs the result of a failed call: without a value.
    explicit typed_result(call_result result) : result_(std::move(result)) {}

    /// Constructs the result of a successful call.
    typed_result(T value, call_result result) : value_(std::move(value)), result_(std::move(result)) {}

    /// Returns whether there is a value: true exactly if the call succeeded.
    bool has_value() const noexcept { return value_.has_value(); }

    /// Returns `has_value()`, also if `T` is `bool`: use `*` for the value.
    explicit operator bool() const noexcept { return has_value(); }

    /// Returns the value.
    ///
    /// \par Preconditions
    /// `has_value()`.
    T& operator*() & noexcept { return *value_; }
    /// Returns the value.
    ///
    /// \par Preconditions
    /// `has_value()`.
    T const& operator*() const& noexcept { return *value_; }
    /// Returns the value, for moving from it.
    ///
    /// \par Preconditions
    /// `has_value()`.
    T&& operator*() && noexcept { return *std::move(value_); }
    /// Returns a pointer to the value.
    ///
    /// \par Preconditions
    /// `has_value()`.
    T* operator->() noexcept { return &*value_; }
    /// Returns a pointer to the value.
    ///
    /// \par Preconditions
    /// `has_value()`.
    T const* operator->() const noexcept { return &*value_; }

    /// Converts to the value. The conversion does not exist if `T` is `bool`, for which it would be ambiguous with
    /// `has_value()`.
    ///
    /// \throws std::bad_optional_access if there is no value.
    operator T() const&
        requires(!std::same_as<T, bool>)
    {
        return value_.value();
    }
    /// Converts to the value, which is moved. The conversion does not exist if `T` is `bool`.
    ///
    /// \throws std::bad_optional_access if there is no value.
    operator T() && requires(!std::same_as<T, bool>) { return std::move(value_).value(); }

    /// Returns the result from which the value was read, or the result of the failed call.
    call_result const& result() const& noexcept { return result_; }
    /// Moves out the result from which the value was read, or the result of the failed call.
    call_result result() && noexcept { return std::move(result_); }

private:
    std::optional<T> value_; // empty after an error
    call_result result_;
};

/// Returns the exception that represents the failure of a typed call: `make_exception(ec, result.result())`.
///
/// \param ec The error with which the call completed.
/// \param result The result with which the call completed.
template<class T>
std::exception_ptr make_exception(error_code ec, typed_result<T> result)
{
    return make_exception(ec, std::move(result).result());
}

/// Returns whether a typed call failed because a timeout elapsed, in any layer: `timed_out(ec, result.result())`.
template<class T>
bool timed_out(error_code ec, typed_result<T> const& result) noexcept
{
    return timed_out(ec, result.result());
}

} // namespace linkspan

#endif
