#ifndef LINKSPAN_SESSION_THROWING_HPP
#define LINKSPAN_SESSION_THROWING_HPP

#include <linkspan/core/detail/mapped_handler.hpp>
#include <linkspan/model/call_error.hpp>
#include <linkspan/model/typed_result.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <type_traits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Completion token for `co_await` that reports errors as exceptions with all available details.
///
/// The failure of a call is thrown as `call_error`, which contains the attempts of the call. The failure of an opening
/// of a connector is thrown as `connection_error`, which has a record for each server. All other errors are thrown as
/// `boost::system::system_error`. `throwing_t` is the default token of calls and openings.
///
///     auto result = co_await hub.async_call("pay", args); // `hub` is a connector
///     auto operation = hub.async_call("pay", args); // starts nothing
///     auto later = co_await std::move(operation);
///
/// The initiating function returns an `asio::awaitable`, which may be combined by Asio's `awaitable_operators`, or
/// passed to `co_spawn`. Pass `asio::deferred` instead for an operation whose token is given later, as in
/// `operation(token)` or `make_parallel_group`; Asio throws the failure of such an operation as `system_error` with the
/// text of the error code alone.
///
/// \tparam Executor Executor type of the coroutine: `asio::awaitable<T, Executor>`.
template<class Executor = boost::asio::any_io_executor>
struct basic_throwing_t {};

/// Token for coroutines of type `asio::awaitable<T>`, whose executor type is `any_io_executor`.
using throwing_t = basic_throwing_t<>;

/// Value of the token `throwing_t`, as in `co_await session.async_open(throwing)`.
inline constexpr throwing_t throwing{};

namespace detail {

// Maps a completion with an error code to a completion with an exception_ptr.
struct to_exception {
    template<class Handler>
    void operator()(Handler&& handler, error_code ec) const
    {
        std::forward<Handler>(handler)(ec ? std::make_exception_ptr(boost::system::system_error(ec)) : nullptr);
    }

    template<class Handler, class Value>
    void operator()(Handler&& handler, error_code ec, Value value) const
    {
        if (!ec)
            std::forward<Handler>(handler)(std::exception_ptr(), std::move(value));
        else if constexpr (requires { make_exception(ec, std::move(value)); })
            std::forward<Handler>(handler)(make_exception(ec, std::move(value)), Value());
        else
            std::forward<Handler>(handler)(std::make_exception_ptr(boost::system::system_error(ec)), Value());
    }
};

// Maps the failure of an operation without a result to a `system_error` with a text. `explain` returns the text for an
// error code. The initiation of the operation provides `explain` by its member function `explanation()`.
template<class Explanation>
struct to_explained_exception {
    Explanation explain;

    template<class Handler>
    void operator()(Handler&& handler, error_code ec) const
    {
        if (!ec)
            return std::forward<Handler>(handler)(std::exception_ptr());
        error_code const plain(ec.value(), ec.category()); // drops the source location, which would be in the text
        std::forward<Handler>(handler)(std::make_exception_ptr(boost::system::system_error(plain, explain(ec))));
    }
};

// Wraps an initiation so that the handler receives an exception_ptr. The class has a constructor, because g++ 12
// miscompiles temporary aggregates in coroutines.
template<class Initiation>
class throwing_initiation {
public:
    explicit throwing_initiation(Initiation initiation) : initiation_(std::move(initiation)) {}

    template<class Handler, class... Args>
    void operator()(Handler&& handler, Args&&... args)
    {
        if constexpr (requires { initiation_.explanation(); }) {
            to_explained_exception<decltype(initiation_.explanation())> map{initiation_.explanation()};
            std::move(initiation_)(mapped_handler(std::forward<Handler>(handler), std::move(map)),
                                   std::forward<Args>(args)...);
        } else {
            std::move(initiation_)(mapped_handler(std::forward<Handler>(handler), to_exception()),
                                   std::forward<Args>(args)...);
        }
    }

private:
    Initiation initiation_; // set by the constructor, moved from by the call operator
};

// Starts an operation through `use_awaitable`, because Boost 1.81 cannot `co_await` a deferred operation that completes
// with an exception_ptr and a value.
template<class Executor, class... Values>
struct throwing_result {
    template<class Initiation, class... Args>
    static auto initiate(Initiation initiation, Args... args)
    {
        using token_type = boost::asio::use_awaitable_t<Executor>;
        return boost::asio::async_initiate<token_type const, void(std::exception_ptr, Values...)>(
            throwing_initiation<Initiation>(std::move(initiation)), token, std::move(args)...);
    }

    static constexpr boost::asio::use_awaitable_t<Executor> token{};
};

// Base of the specializations of `asio::async_result` by which `use_awaitable` throws the exceptions of `throwing`.
template<class Executor, class Value>
class throwing_awaitable {
public:
    template<class Initiation, class... Args>
    static auto initiate(Initiation initiation, boost::asio::use_awaitable_t<Executor>, Args... args)
    {
        return throwing_result<Executor, Value>::initiate(std::move(initiation), std::move(args)...);
    }
};

} // namespace detail
} // namespace linkspan

template<class Executor, class... Values>
class boost::asio::async_result<linkspan::basic_throwing_t<Executor>, void(linkspan::error_code, Values...)> {
public:
    template<class Initiation, class... Args>
    static auto initiate(Initiation initiation, linkspan::basic_throwing_t<Executor>, Args... args)
    {
        return linkspan::detail::throwing_result<Executor, Values...>::initiate(std::move(initiation),
                                                                                std::move(args)...);
    }
};

// Calls with the token `use_awaitable` throw `call_error` too.
template<class Executor>
class boost::asio::async_result<boost::asio::use_awaitable_t<Executor>,
                                void(linkspan::error_code, linkspan::call_result)>
    : public linkspan::detail::throwing_awaitable<Executor, linkspan::call_result> {};

template<class Executor, class T>
class boost::asio::async_result<boost::asio::use_awaitable_t<Executor>,
                                void(linkspan::error_code, linkspan::typed_result<T>)>
    : public linkspan::detail::throwing_awaitable<Executor, linkspan::typed_result<T>> {};

#endif
