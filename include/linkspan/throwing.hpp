#ifndef LINKSPAN_THROWING_HPP
#define LINKSPAN_THROWING_HPP

#include <linkspan/call_error.hpp>
#include <linkspan/detail/mapped_handler.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <type_traits>
#include <utility>

namespace linkspan {

/// A completion token for `co_await`: a failure is thrown, that of a call as a `call_error`, with its trail, and that
/// of an opening as a `connection_error`, with a record for each server.
///
///     auto result = co_await hub.async_call("pay", args, linkspan::throwing);
struct throwing_t {};

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

// A class with a constructor, so that g++ 12 does not miscompile a temporary of it in a coroutine.
template<class Initiation>
class throwing_initiation {
public:
    explicit throwing_initiation(Initiation initiation) : initiation_(std::move(initiation)) {}

    template<class Handler, class... Args>
    void operator()(Handler&& handler, Args&&... args)
    {
        std::move(initiation_)(mapped_handler(std::forward<Handler>(handler), to_exception()),
                               std::forward<Args>(args)...);
    }

private:
    Initiation initiation_;
};

} // namespace detail
} // namespace linkspan

// Boost 1.81 cannot `co_await` a deferred operation that completes with an exception_ptr and a value.
template<class... Values>
class boost::asio::async_result<linkspan::throwing_t, void(linkspan::error_code, Values...)> {
public:
    template<class Initiation, class... Args>
    static auto initiate(Initiation initiation, linkspan::throwing_t, Args... args)
    {
        return async_initiate<use_awaitable_t<> const, void(std::exception_ptr, Values...)>(
            linkspan::detail::throwing_initiation<Initiation>(std::move(initiation)), use_awaitable,
            std::move(args)...);
    }
};

#endif
