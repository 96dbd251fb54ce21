#ifndef LINKSPAN_TEST_CALCULATOR_HPP
#define LINKSPAN_TEST_CALCULATOR_HPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

namespace detail {

/// Input schema of the operations.
inline constexpr std::string_view calculator_schema =
    R"({"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"},)"
    R"("delay_ms":{"type":"integer","minimum":0}},"required":["a","b"]})";

/// Returns the arguments as an object; an empty object if the text is not a JSON object.
inline boost::json::object parse_arguments(std::string_view text)
{
    boost::system::error_code ec;
    auto value = boost::json::parse({text.data(), text.size()}, ec);
    return !ec && value.is_object() ? std::move(value.get_object()) : boost::json::object();
}

/// Returns the number with the given key; 0 if it is absent or not a number.
inline double number_in(boost::json::object const& object, std::string_view key)
{
    auto const* const value = object.if_contains({key.data(), key.size()});
    return value && value->is_number() ? value->to_number<double>() : 0;
}

/// Returns the text of a finite number, without an exponent for integers of up to 53 bits.
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

/// Returns the members of a result: the number as text and as structured content, which clients of old protocol
/// versions ignore. An infinite or undefined number becomes a result with `isError`.
inline std::string number_result(double number)
{
    if (!std::isfinite(number))
        return R"("content":[{"type":"text","text":"the result is out of range"}],"isError":true)";
    auto const json = number_text(number);
    return R"("content":[{"type":"text","text":")" + json + R"("}],"structuredContent":{"result":)" + json + "}";
}

/// Declares the tool of an operation, which waits for `delay_ms` milliseconds and then sends the result of `compute`.
inline void add_operation(scripted_server& server, std::string name, std::function<std::string(double, double)> compute)
{
    server.tool(name, std::string(calculator_schema), nullptr);
    server.on(call(std::move(name)))
        .then(
            [](exchange& on, std::function<void()> next) {
                auto const delay = number_in(parse_arguments(on.arguments()), "delay_ms");
                constexpr double max_delay = 86'400'000; // one day
                if (delay > 0)
                    on.wait(std::chrono::milliseconds(static_cast<int>(std::min(delay, max_delay))), std::move(next));
                else
                    next();
            },
            [compute = std::move(compute)](exchange& on, std::function<void()> const& next) {
                auto const args = parse_arguments(on.arguments());
                on.reply(compute(number_in(args, "a"), number_in(args, "b")));
                next();
            });
}

/// Action that sends the `_meta` of the call as text and as structured content; an empty object if the call has none.
inline void send_meta(exchange& on, std::function<void()> const& next)
{
    auto const received = json_scan::member(on.params(), "_meta");
    auto const meta = received.empty() ? std::string_view("{}") : received;
    std::string members = R"("content":[{"type":"text","text":)";
    append_quoted(members, meta);
    on.reply(members.append(R"(}],"structuredContent":)").append(meta));
    next();
}

} // namespace detail

/// Declares the tools of a calculator on `server` and sets its name and instructions.
///
/// - `add`, `subtract`, `multiply`, `divide`: operations on the numbers `a` and `b`. After a division by zero, or if
///   the number is out of range, the result has `isError`.
/// - `accumulate`: adds `a + b` to a sum that the server keeps, and returns the sum. The tool is not idempotent, for
///   tests of retries.
/// - `whoami`: returns the `_meta` of the call, so that a test can see the metadata that a client sends.
///
/// The operations accept an optional `delay_ms`, a number of milliseconds before the response. Missing numbers count as
/// 0.
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
    server.tool("whoami", R"({"type":"object"})", nullptr).on(call("whoami")).then(detail::send_meta);
}

} // namespace linkspan::test

#endif
