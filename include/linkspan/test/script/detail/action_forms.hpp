#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_ACTION_FORMS_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_ACTION_FORMS_HPP

#include <linkspan/core/detail/append_quoted.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/enum.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/test/fault/fault_kind.hpp>
#include <linkspan/test/script/exchange.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The forms of actions in a script, as text: a JSON value of each action of a test would cost more.
namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Returns a JSON string.
inline std::string quoted(std::string_view text)
{
    std::string out;
    append_quoted(out, text);
    return out;
}

// Returns the form of an action that has this name and a JSON text as its value.
inline action_form form_of(std::string_view name, std::string_view json)
{
    std::string out = "{\"";
    ((out += name) += "\":").append(json) += '}';
    return {std::move(out)};
}

// Returns the form of an action whose value is a text.
inline action_form text_form(std::string_view name, std::string_view text) { return form_of(name, quoted(text)); }

// Returns the form of the action `fault`.
inline action_form form_of(fault_setting const& what)
{
    auto const kind = quoted(name_of(what.kind));
    if (what.delay_ms == 0 && what.amount == 0)
        return form_of("fault", kind);
    return form_of("fault", R"({"kind":)" + kind + R"(,"delay":")" + std::to_string(what.delay_ms) +
                                R"(ms","amount":)" + std::to_string(what.amount) + "}");
}

// Returns the form of the action `progress`. Members with their default are absent.
inline action_form form_of_progress(std::uint32_t count, std::string_view every, double from,
                                    std::optional<double> total)
{
    auto out = R"({"count":)" + std::to_string(count);
    if (!every.empty())
        (out += R"(,"every":)") += quoted(every);
    if (from != 1)
        append_number(out += R"(,"from":)", from);
    if (total)
        append_number(out += R"(,"total":)", *total);
    return form_of("progress", out + "}");
}

// Returns a JSON object without its last brace: the members of a message. `params`: JSON text; empty: absent.
inline std::string message_members(std::string_view method, std::string_view params)
{
    auto out = R"({"method":)" + quoted(method);
    if (!params.empty())
        (out += R"(,"params":)") += params;
    return out;
}

} // namespace linkspan::test::detail

#endif
