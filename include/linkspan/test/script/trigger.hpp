#ifndef LINKSPAN_TEST_SCRIPT_TRIGGER_HPP
#define LINKSPAN_TEST_SCRIPT_TRIGGER_HPP

#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/tool_call.hpp>
#include <linkspan/test/script/exchange.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Condition on requests: selects the requests that a rule applies to. Usually made by `call` or `request`.
///
///     server.on(request("tools/list")).once(rpc_error(-32603, "busy"));
///     server.on(call("pay")).then(hang());
struct trigger {
    std::string method;                                      ///< method of the request, compared for equality
    std::string tool;                                        ///< name of the called tool; empty: any
    std::function<bool(std::string_view arguments)> where{}; ///< predicate on the JSON text; empty: always true

    /// Returns whether the request satisfies all three conditions.
    bool matches(exchange const& request) const
    {
        return request.method() == method && (tool.empty() || request.tool() == tool) &&
               (!where || where(request.arguments()));
    }
};

/// Returns a condition that matches all calls of `tool`. A rule with this condition declares the tool.
inline trigger call(std::string tool) { return {"tools/call", std::move(tool)}; }

/// Returns a condition that matches calls of a described tool whose arguments satisfy a predicate.
///
/// Calls whose arguments cannot be decoded as `Call` do not match.
///
/// \tparam Call A described struct that names its tool, see `ToolCall`.
/// \param accepts Predicate on the decoded arguments; empty: all arguments that can be decoded match.
///
///     server.on(call<get_forecast>([](get_forecast const& arguments) { return arguments.days > 7; })).then(hang());
template<ToolCall Call>
trigger call(std::function<bool(Call const&)> accepts = {})
{
    return {"tools/call", std::string(Call::tool), [accepts = std::move(accepts)](std::string_view text) {
                Call arguments{};
                mismatches problems;
                return decode(arguments, text, problems) && (!accepts || accepts(arguments));
            }};
}

/// A data member of a `ToolCall` and the value that it must have. Made by `arg` and passed to `call`.
template<class Call, class Value>
struct expected_argument {
    Value Call::*member; ///< member of the arguments
    Value value;         ///< compared with `==`
};

/// Returns the condition that the data member `Member` equals `value`.
///
///     server.on(call(arg<&get_forecast::city>("Oslo"))).then(structured(rain));
///
/// \tparam Member Pointer to a data member of a `ToolCall`.
/// \param value Converted to the type of the member.
template<auto Member, class Value>
auto arg(Value&& value)
{
    auto const make = []<class Call, class Type>(Type Call::*member, auto&& expected) {
        return expected_argument<Call, Type>{member, Type(std::forward<decltype(expected)>(expected))};
    };
    return make(Member, std::forward<Value>(value));
}

/// Returns a condition that matches calls whose arguments have the given values. Other arguments are not compared.
///
///     server.on(call(arg<&get_forecast::city>("Oslo"), arg<&get_forecast::days>(3))).then(text("rain"));
template<ToolCall Call, class Value, class... Values>
trigger call(expected_argument<Call, Value> first, expected_argument<Call, Values>... others)
{
    return call<Call>([=](Call const& arguments) {
        return arguments.*first.member == first.value && (... && (arguments.*others.member == others.value));
    });
}

/// Returns a condition that matches all requests of `method`, for example "tools/list" or "server/discover".
inline trigger request(std::string method) { return {std::move(method), {}}; }

} // namespace linkspan::test

#endif
