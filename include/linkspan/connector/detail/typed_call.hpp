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

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the secrets of the connector to which a call belongs.
inline std::shared_ptr<shared_redactor const> secrets_of(logical_call::pointer const& call)
{
    return call.get_deleter().owner->secrets;
}

// Converts the result of a call to a `Result` before the caller's handler is invoked.
template<class Result>
struct to_typed_result {
    std::shared_ptr<shared_redactor const> clean; // redacts secrets in detail texts
    std::string_view tool;                        // name from the type of the call, with static storage

    template<class Handler>
    void operator()(Handler&& handler, error_code ec, call_result result) const
    {
        // The value is read first, because a handler may take the code by value.
        auto value = read(ec, std::move(result));
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

// Starts a prepared typed call when the completion token initiates the operation.
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

// Writes a described struct as the arguments of a call, or lets the call fail if the struct violates its constraints.
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
