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

namespace linkspan {

/// A completion token for `co_await`: a failure is thrown, that of a call as a `call_error`, with its trail, and that
/// of an opening as a `connection_error`, with a record for each server.
///
/// The default token of calls and openings, so that an exception says what the server said:
///
///     auto result = co_await hub.async_call("pay", args);
///     auto operation = hub.async_call("pay", args); // starts nothing
///     auto later = co_await std::move(operation);
///
/// The operation is an `asio::awaitable`: it may be combined by Asio's `awaitable_operators`, or given to `co_spawn`.
/// Pass `asio::deferred` for an operation that takes its token later, as in `operation(token)` or
/// `make_parallel_group`; Asio throws its failure as a `system_error` with the text of the error code alone.
///
/// Executor: of a coroutine that is an `awaitable<T, any_io_executor>`, the default; `basic_throwing_t` has others.
template<class Executor = boost::asio::any_io_executor>
struct basic_throwing_t {};

using throwing_t = basic_throwing_t<>;

inline constexpr throwing_t throwing{};

namespace detail {

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

// The failure of an operation without a result, whose initiation knows the text: `explanation()` returns a function
// that is called with the error code.
template<class Explanation>
struct to_explained_exception {
    Explanation explain;

    template<class Handler>
    void operator()(Handler&& handler, error_code ec) const
    {
        if (!ec)
            return std::forward<Handler>(handler)(std::exception_ptr());
        error_code const plain(ec.value(), ec.category()); // without the place in Asio that it may name
        std::forward<Handler>(handler)(std::make_exception_ptr(boost::system::system_error(plain, explain(ec))));
    }
};

// A class with a constructor, so that g++ 12 does not miscompile a temporary of it in a coroutine.
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
    Initiation initiation_;
};

// Boost 1.81 cannot `co_await` a deferred operation that completes with an exception_ptr and a value.
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

// With `use_awaitable`, too, a call throws what the server said.
template<class Executor>
class boost::asio::async_result<boost::asio::use_awaitable_t<Executor>,
                                void(linkspan::error_code, linkspan::call_result)> {
public:
    template<class Initiation, class... Args>
    static auto initiate(Initiation initiation, use_awaitable_t<Executor>, Args... args)
    {
        using result_type = linkspan::detail::throwing_result<Executor, linkspan::call_result>;
        return result_type::initiate(std::move(initiation), std::move(args)...);
    }
};

template<class Executor, class T>
class boost::asio::async_result<boost::asio::use_awaitable_t<Executor>,
                                void(linkspan::error_code, linkspan::typed_result<T>)> {
public:
    template<class Initiation, class... Args>
    static auto initiate(Initiation initiation, use_awaitable_t<Executor>, Args... args)
    {
        using result_type = linkspan::detail::throwing_result<Executor, linkspan::typed_result<T>>;
        return result_type::initiate(std::move(initiation), std::move(args)...);
    }
};

#endif
