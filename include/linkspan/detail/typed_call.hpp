#ifndef LINKSPAN_DETAIL_TYPED_CALL_HPP
#define LINKSPAN_DETAIL_TYPED_CALL_HPP

#include <linkspan/call_result_as.hpp>
#include <linkspan/describe/check.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/detail/logical_call.hpp>
#include <linkspan/detail/mapped_handler.hpp>
#include <linkspan/typed_result.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <concepts>
#include <string>
#include <utility>
#include <vector>

namespace linkspan::detail {

// The result of a call, read as a `Result`, on its way to the caller's handler.
template<class Result>
struct to_typed_result {
    template<class Handler>
    void operator()(Handler&& handler, error_code ec, call_result result) const
    {
        std::forward<Handler>(handler)(ec, read(ec, std::move(result)));
    }

    static typed_result<Result> read(error_code& ec, call_result result)
    {
        if (ec)
            return typed_result<Result>(std::move(result));
        if constexpr (std::same_as<Result, call_result>) {
            return typed_result<Result>(result, result);
        } else {
            Result value{};
            mismatches problems;
            ec = read_result(value, result, problems);
            if (!ec)
                return typed_result<Result>(std::move(value), std::move(result));
            auto const attempts = result.attempts();
            result.trail({attempts.begin(), attempts.end()},
                         ec == error::tool_failed ? result.text() : to_string(problems));
            return typed_result<Result>(std::move(result));
        }
    }
};

template<class Result>
struct initiate_typed_call {
    asio::any_io_executor executor;

    template<class Handler>
    void operator()(Handler&& handler, logical_call::pointer call) const
    {
        logical_call::start(std::move(call),
                            {mapped_handler(std::forward<Handler>(handler), to_typed_result<Result>()), executor});
    }
};

// Puts a described struct into a call as its arguments, when it is as its notes ask.
template<class Arguments>
void put_arguments(logical_call& call, Arguments const& arguments)
{
    mismatches problems;
    if (!check(arguments, problems))
        return call.refuse(error::invalid_arguments, to_string(problems));
    call.write_arguments([&](std::string& out) { encode(out, arguments); });
}

} // namespace linkspan::detail

#endif
