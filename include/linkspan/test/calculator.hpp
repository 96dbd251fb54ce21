#ifndef LINKSPAN_TEST_CALCULATOR_HPP
#define LINKSPAN_TEST_CALCULATOR_HPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::test {

namespace detail {

inline constexpr std::string_view calculator_schema =
    R"({"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"},)"
    R"("delay_ms":{"type":"integer","minimum":0}},"required":["a","b"]})";

inline boost::json::object parse_arguments(std::string_view text)
{
    boost::system::error_code ec;
    auto value = boost::json::parse({text.data(), text.size()}, ec);
    return !ec && value.is_object() ? std::move(value.get_object()) : boost::json::object();
}

inline double number_in(boost::json::object const& object, std::string_view key)
{
    auto const* const value = object.if_contains({key.data(), key.size()});
    return value && value->is_number() ? value->to_number<double>() : 0;
}

/// The text of a finite number, as people write it: without an exponent where it is whole.
inline std::string number_text(double number)
{
    constexpr double exact = 9007199254740992; // 2^53
    std::string out;
    if (std::trunc(number) == number && std::abs(number) < exact)
        append_number(out, static_cast<std::int64_t>(number));
    else
        append_number(out, number);
    return out;
}

/// The members of a result: the number as text and as structured content, which older clients pass over.
inline std::string number_result(double number)
{
    if (!std::isfinite(number))
        return R"("content":[{"type":"text","text":"the result is out of range"}],"isError":true)";
    auto const json = number_text(number);
    return R"("content":[{"type":"text","text":")" + json + R"("}],"structuredContent":{"result":)" + json + "}";
}

/// Waits for as long as the arguments ask, then computes.
inline void add_operation(scripted_server& server, std::string name, std::function<std::string(double, double)> compute)
{
    server.tool(name, std::string(calculator_schema), nullptr);
    server.on(call(std::move(name)))
        .then(
            [](exchange& on, std::function<void()> next) {
                auto const delay = number_in(parse_arguments(on.arguments()), "delay_ms");
                if (delay > 0)
                    on.wait(std::chrono::milliseconds(static_cast<int>(delay)), std::move(next));
                else
                    next();
            },
            [compute = std::move(compute)](exchange& on, std::function<void()> const& next) {
                auto const args = parse_arguments(on.arguments());
                on.reply(compute(number_in(args, "a"), number_in(args, "b")));
                next();
            });
}

/// Answers with the `_meta` that came with the call.
inline void tell_meta(exchange& on, std::function<void()> const& next)
{
    auto const came = json_scan::member(on.params(), "_meta");
    auto const meta = came.empty() ? std::string_view("{}") : came;
    std::string members = R"("content":[{"type":"text","text":)";
    append_quoted(members, meta);
    on.reply(members.append(R"(}],"structuredContent":)").append(meta));
    next();
}

} // namespace detail

/// Makes a calculator of `server`: `add`, `subtract`, `multiply`, `divide`, and `accumulate`, which has a memory and so
/// must not be run twice. All take numbers `a` and `b`, and an optional `delay_ms`. And `whoami`, which tells a caller
/// what it has handed on: the `_meta` of the call.
inline void make_calculator(scripted_server& server)
{
    using detail::number_result;
    server.dialogue().name = "Calculator";
    server.dialogue().instructions = "Does sums.";
    detail::add_operation(server, "add", [](double a, double b) { return number_result(a + b); });
    detail::add_operation(server, "subtract", [](double a, double b) { return number_result(a - b); });
    detail::add_operation(server, "multiply", [](double a, double b) { return number_result(a * b); });
    detail::add_operation(server, "divide", [](double a, double b) {
        return b != 0 ? number_result(a / b)
                      : std::string(R"("content":[{"type":"text","text":"division by zero"}],"isError":true)");
    });
    server.describe("add", "Add two numbers.").describe("multiply", "Multiply two numbers.");
    detail::add_operation(server, "accumulate", [memory = std::make_shared<double>(0)](double a, double b) {
        return number_result(*memory += a + b);
    });
    server.tool("whoami", R"({"type":"object"})", nullptr).on(call("whoami")).then(detail::tell_meta);
}

} // namespace linkspan::test

#endif
