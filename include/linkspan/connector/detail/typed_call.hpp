#ifndef LINKSPAN_CONNECTOR_DETAIL_TYPED_CALL_HPP
#define LINKSPAN_CONNECTOR_DETAIL_TYPED_CALL_HPP

#include <linkspan/connector/detail/logical_call.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/mapped_handler.hpp>
#include <linkspan/core/detail/shared_redactor.hpp>
#include <linkspan/describe/call_result_as.hpp>
#include <linkspan/describe/check.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/model/typed_result.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::detail {

inline std::shared_ptr<shared_redactor const> secrets_of(logical_call::pointer const& call)
{
    return call.get_deleter().owner->secrets;
}

// The result of a call, read as a `Result`, on its way to the caller's handler.
template<class Result>
struct to_typed_result {
    std::shared_ptr<shared_redactor const> clean;
    std::string_view tool; // of the type of the call, and so with static storage

    template<class Handler>
    void operator()(Handler&& handler, error_code ec, call_result result) const
    {
        auto value = read(ec, std::move(result)); // first: a handler may take the code by value
        std::forward<Handler>(handler)(ec, std::move(value));
    }

    typed_result<Result> read(error_code& ec, call_result result) const
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
                         (*clean)(ec == error::tool_failed ? result.text() : to_string(problems)), std::string(tool));
            return typed_result<Result>(std::move(result));
        }
    }
};

template<class Result>
struct initiate_typed_call : executor_initiation {
    std::string_view tool; // with static storage

    template<class Handler>
    void operator()(Handler&& handler, logical_call::pointer call) const
    {
        to_typed_result<Result> read{secrets_of(call), tool};
        logical_call::start(std::move(call),
                            {mapped_handler(std::forward<Handler>(handler), std::move(read)), executor});
    }
};

// Puts a described struct into a call as its arguments, when it is as its notes ask.
template<class Arguments>
void put_arguments(logical_call::pointer const& call, Arguments const& arguments)
{
    mismatches problems;
    if (!check(arguments, problems))
        return call->refuse(error::invalid_arguments, (*secrets_of(call))(to_string(problems)));
    call->write_arguments([&](std::string& out) { encode(out, arguments); });
}

} // namespace linkspan::detail

#endif
