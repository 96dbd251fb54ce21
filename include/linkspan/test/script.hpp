#ifndef LINKSPAN_TEST_SCRIPT_HPP
#define LINKSPAN_TEST_SCRIPT_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/tool_call.hpp>
#include <linkspan/describe/tool_result.hpp>
#include <linkspan/json/json_writer.hpp>

#include <boost/json/object.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan {

class http_exchange;

} // namespace linkspan

namespace linkspan::test {

/// A request that a scripted server is answering: what an action works with.
///
/// Lifetime: until the request is answered, cancelled, or its connection is gone; an action that waits holds a
/// `weak_ptr`.
class exchange {
public:
    virtual ~exchange() = default;

    virtual std::string_view method() const = 0;
    virtual std::string_view tool() const = 0;      ///< empty unless the method is `tools/call`
    virtual std::string_view arguments() const = 0; ///< JSON text; "{}" when there are none
    virtual std::string_view params() const = 0;    ///< JSON text; empty when there are none

    virtual void reply(std::string_view members) = 0; ///< answers with a result of these members
    virtual void refuse(int code, std::string_view message) = 0;
    virtual void send(std::string_view bytes) = 0; ///< any bytes; a line end is added
    virtual void notify(std::string_view method, std::string_view params) = 0;
    virtual void progress(double value, double total) = 0; ///< when the client gave a token

    /// Asks the client; `next` runs when it has answered, in whatever way.
    virtual void ask(std::string_view method, std::string_view params, std::function<void()> next) = 0;

    virtual void wait(duration span, std::function<void()> next) = 0;
    virtual void drop() = 0; ///< the connection, as when the server dies

    /// The exchange of HTTP that it came by; null over another transport, or when it is over.
    virtual http_exchange* http() { return nullptr; }

    /// It is answered, by other means than `reply` and `refuse`.
    virtual void leave() {}
};

/// One step of what a server does with a request. Calls `next` when it is done; without that, nothing follows.
using action = std::function<void(exchange&, std::function<void()> next)>;

/// Which requests a rule is about.
struct trigger {
    std::string method;
    std::string tool;                                        ///< empty: any
    std::function<bool(std::string_view arguments)> where{}; ///< empty: all

    bool matches(exchange const& request) const
    {
        return request.method() == method && (tool.empty() || request.tool() == tool) &&
               (!where || where(request.arguments()));
    }
};

/// Calls of one tool.
inline trigger call(std::string tool) { return {"tools/call", std::move(tool)}; }

/// Those calls of a tool whose arguments, read as `Call`, are as `accepts` says; without it all that can be read so.
///
///     server.on(call<get_forecast>([](get_forecast const& asked) { return asked.days > 7; })).then(hang());
template<ToolCall Call>
trigger call(std::function<bool(Call const&)> accepts = {})
{
    return {"tools/call", std::string(Call::tool), [accepts = std::move(accepts)](std::string_view arguments) {
                Call asked{};
                mismatches problems;
                return decode(asked, arguments, problems) && (!accepts || accepts(asked));
            }};
}

/// A member of a struct that describes the arguments of a tool, and what it shall be: for `call`.
template<class Call, class Value>
struct expected_argument {
    Value Call::*member;
    Value value;
};

///     server.on(call(arg<&get_forecast::city>("Oslo"))).then(structured(rain));
template<auto Member, class Value>
auto arg(Value&& value)
{
    auto const make = []<class Call, class Type>(Type Call::*member, auto&& wanted) {
        return expected_argument<Call, Type>{member, Type(std::forward<decltype(wanted)>(wanted))};
    };
    return make(Member, std::forward<Value>(value));
}

/// Calls of a tool with these arguments; others may be anything.
template<ToolCall Call, class Value, class... Values>
trigger call(expected_argument<Call, Value> first, expected_argument<Call, Values>... others)
{
    return call<Call>([=](Call const& asked) {
        return asked.*first.member == first.value && (... && (asked.*others.member == others.value));
    });
}

/// Requests of one method, as `request("tools/list")` or `request("server/discover")`.
inline trigger request(std::string method) { return {std::move(method), {}}; }

/// @name Actions
/// @{

inline action delay(duration span)
{
    return [span](exchange& on, std::function<void()> next) { on.wait(span, std::move(next)); };
}

/// Answers with a result whose members are this text.
inline action result(std::string members)
{
    return [members = std::move(members)](exchange& on, std::function<void()> const& next) {
        on.reply(members);
        next();
    };
}

inline action text(std::string_view content)
{
    std::string members = R"("content":[{"type":"text","text":)";
    append_quoted(members, content);
    return result(members += "}]");
}

/// Answers with `structuredContent`, and the same as text.
inline action structured(boost::json::object const& content)
{
    std::string json;
    append_json(json, content);
    std::string members = R"("content":[{"type":"text","text":)";
    append_quoted(members, json);
    (members += R"(}],"structuredContent":)") += json;
    return result(std::move(members));
}

/// The same, of a described struct, or of another value, which is wrapped as a `local_tool` does it.
template<class T>
    requires(linkspan::detail::kind_of<T> != linkspan::detail::type_kind::none && !std::same_as<T, boost::json::object>)
action structured(T const& content)
{
    return result(linkspan::detail::result_members(content));
}

/// Asks back, as a stateless server does: `requests` is the text of `inputRequests`, or empty; `state` that of a JSON
/// string, or empty.
inline action input_required(std::string_view requests, std::string_view state = {})
{
    std::string members = R"("resultType":"input_required")";
    if (!requests.empty())
        (members += R"(,"inputRequests":)") += requests;
    if (!state.empty())
        (members += R"(,"requestState":)") += state;
    return result(std::move(members));
}

/// The tool fails, which is a result.
inline action tool_error(std::string_view content)
{
    std::string members = R"("content":[{"type":"text","text":)";
    append_quoted(members, content);
    return result(members += R"(}],"isError":true)");
}

inline action rpc_error(int code, std::string message)
{
    return [code, message = std::move(message)](exchange& on, std::function<void()> const& next) {
        on.refuse(code, message);
        next();
    };
}

/// Never answers.
inline action hang()
{
    return [](exchange&, std::function<void()> const&) {};
}

/// Ends the connection, as a server does that dies.
inline action drop_connection()
{
    return [](exchange& on, std::function<void()> const&) { on.drop(); };
}

/// Writes any line.
inline action raw(std::string bytes)
{
    return [bytes = std::move(bytes)](exchange& on, std::function<void()> const& next) {
        on.send(bytes);
        next();
    };
}

inline action notify(std::string method, std::string params = {})
{
    return [method = std::move(method), params = std::move(params)](exchange& on, std::function<void()> const& next) {
        on.notify(method, params);
        next();
    };
}

inline action progress(double value, double total)
{
    return [value, total](exchange& on, std::function<void()> const& next) {
        on.progress(value, total);
        next();
    };
}

/// Asks the client, and goes on when it has answered.
inline action ask(std::string method, std::string params = {})
{
    return [method = std::move(method), params = std::move(params)](exchange& on, std::function<void()> next) {
        on.ask(method, params, std::move(next));
    };
}

/// @}

/// What a server does with the requests that a trigger matches. Steps follow each other; each is used for a number of
/// requests:
///
///     server.on(call("pay")).once(drop_connection()).then(text("paid"));
class rule {
public:
    explicit rule(trigger when) : when_(std::move(when)) {}

    /// From here on, for ever.
    template<class... Actions>
    rule& then(Actions... actions)
    {
        return times(std::numeric_limits<std::size_t>::max(), std::move(actions)...);
    }

    template<class... Actions>
    rule& once(Actions... actions)
    {
        return times(1, std::move(actions)...);
    }

    template<class... Actions>
    rule& times(std::size_t count, Actions... actions)
    {
        auto steps = std::make_shared<std::vector<action>>();
        (steps->emplace_back(std::move(actions)), ...);
        phases_.push_back({count, std::move(steps)});
        return *this;
    }

    /// Lets the server answer by itself, `count` times.
    rule& pass(std::size_t count)
    {
        phases_.push_back({count, nullptr});
        return *this;
    }

    bool matches(exchange const& request) const { return when_.matches(request); }
    trigger const& when() const noexcept { return when_; }

    /// The actions for the next request; null when the server answers by itself.
    std::shared_ptr<std::vector<action> const> next()
    {
        for (auto& [left, actions] : phases_)
            if (left != 0) {
                --left;
                return actions;
            }
        return nullptr;
    }

private:
    struct phase {
        std::size_t left;
        std::shared_ptr<std::vector<action> const> actions;
    };

    trigger when_;
    std::vector<phase> phases_;
};

} // namespace linkspan::test

#endif
