#ifndef LINKSPAN_MODEL_TYPED_RESULT_HPP
#define LINKSPAN_MODEL_TYPED_RESULT_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/model/call_error.hpp>
#include <linkspan/model/call_result.hpp>

#include <concepts>
#include <exception>
#include <optional>
#include <utility>

namespace linkspan {

/// What a typed call brought: a value, with the result that it was read from.
///
///     auto reply = co_await hub.async_call(ask);
///     std::cout << reply->high << " from " << reply.result().server();
///     forecast f = std::move(reply);
///
/// After an error it has no value; `result()` then says why: `attempts()`, `detail()`, and, of a result that is not of
/// the type, `raw()`.
///
/// Thread safety: distinct objects, safe.
template<class T>
class typed_result {
public:
    using value_type = T;

    typed_result() = default;
    explicit typed_result(call_result result) : result_(std::move(result)) {}
    typed_result(T value, call_result result) : value_(std::move(value)), result_(std::move(result)) {}

    bool has_value() const noexcept { return value_.has_value(); }
    explicit operator bool() const noexcept { return has_value(); }

    /// Precondition: `has_value()`.
    T& operator*() & noexcept { return *value_; }
    T const& operator*() const& noexcept { return *value_; }
    T&& operator*() && noexcept { return *std::move(value_); }
    T* operator->() noexcept { return &*value_; }
    T const* operator->() const noexcept { return &*value_; }

    /// Throws `std::bad_optional_access` when there is none. Not to `bool`, which says whether there is one: take `*`.
    operator T() const&
        requires(!std::same_as<T, bool>)
    {
        return value_.value();
    }
    operator T() && requires(!std::same_as<T, bool>) { return std::move(value_).value(); }

        call_result const& result() const& noexcept
    {
        return result_;
    }
    call_result result() && noexcept { return std::move(result_); }

private:
    std::optional<T> value_;
    call_result result_;
};

/// The failure of a typed call as the exception of its kind, with the trail and, where there is one, the result that
/// did not fit.
template<class T>
std::exception_ptr make_exception(error_code ec, typed_result<T> result)
{
    return make_exception(ec, std::move(result).result());
}

/// As of a call by name.
template<class T>
bool timed_out(error_code ec, typed_result<T> const& result) noexcept
{
    return timed_out(ec, result.result());
}

} // namespace linkspan

#endif
