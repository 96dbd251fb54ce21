#ifndef LINKSPAN_TEST_SCRIPT_IMPL_JSON_TEMPLATE_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_JSON_TEMPLATE_IPP

#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/json_template.hpp>
#include <linkspan/test/script/detail/json_text.hpp>
#include <linkspan/test/script/detail/next_draw.hpp>
#include <linkspan/test/script/detail/parse_params.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// The bounds of `rand.int(lowest,highest)`. Empty: another expression, or `lowest` is above `highest`.
inline std::optional<std::pair<std::int64_t, std::int64_t>> bounds_of_draw(std::string_view expression)
{
    constexpr std::string_view head = "rand.int(";
    if (!expression.starts_with(head) || !expression.ends_with(')'))
        return {};
    auto const* const end = expression.data() + expression.size() - 1;
    auto const without_spaces = [end](char const* at) {
        return std::find_if(at, end, [](char c) { return c != ' '; });
    };
    std::int64_t low = 0, high = 0;
    auto const first = std::from_chars(without_spaces(expression.data() + head.size()), end, low);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != ',')
        return {};
    auto const second = std::from_chars(without_spaces(first.ptr + 1), end, high);
    if (second.ec != std::errc() || second.ptr != end || low > high)
        return {};
    return std::pair(low, high);
}

// Returns whether the text consists of names, each with a dot before it. A text such as `${params.a}-${params.b}` is
// not one path, so that names contain no character that begins or ends an expression.
inline bool is_path(std::string_view text)
{
    return text.starts_with('.') && !text.ends_with('.') && text.find("..") == text.npos &&
           text.find_first_of("{}$") == text.npos;
}

inline bool is_expression(std::string_view text)
{
    return text == "method" || text == "tool" || text == "params" || text == "id" || text == "now" || text == "uuid" ||
           (text.starts_with("params") && is_path(text.substr(6))) ||
           (text.starts_with("vars") && is_path(text.substr(4))) || bounds_of_draw(text);
}

// Returns the value at the names after the first one, which are separated by dots. Elements of arrays have numbers.
inline boost::json::value member_at(boost::json::value const& root, std::string_view path)
{
    std::string pointer;
    for (auto dot = path.find('.'); dot != path.npos;) {
        auto const next = path.find('.', dot + 1);
        auto const end = next == path.npos ? path.size() : next;
        (pointer += '/') += linkspan::detail::pointer_token(path.substr(dot + 1, end - dot - 1));
        dot = next;
    }
    error_code ec;
    auto const* const found = root.find_pointer(pointer, ec);
    return found ? *found : boost::json::value();
}

// As member_at(), but reads only the value from a text. A key of the text that has escapes is not found.
inline std::string_view text_at(std::string_view text, std::string_view path)
{
    for (auto dot = path.find('.'); dot != path.npos && !text.empty();) {
        auto const next = path.find('.', dot + 1);
        auto const name = path.substr(dot + 1, (next == path.npos ? path.size() : next) - dot - 1);
        json_scan::reader in(text);
        if (in.is_object()) {
            text = json_scan::member(text, name);
        } else {
            std::size_t index = 0;
            auto const read = std::from_chars(name.data(), name.data() + name.size(), index);
            text = {};
            for (auto item = in.next(); item && read.ec == std::errc() && read.ptr == name.data() + name.size();
                 item = in.next())
                if (index-- == 0) {
                    text = item->value;
                    break;
                }
        }
        dot = next;
    }
    return text;
}

// Returns the text of the value of an expression `params...`; empty: there is none.
inline std::string_view parameter_at(exchange const& on, std::string_view expression)
{
    constexpr std::string_view arguments = "params.arguments";
    bool const is_argument = expression.starts_with(arguments) && expression.substr(arguments.size()).starts_with('.');
    return is_argument ? text_at(on.arguments(), expression.substr(arguments.size()))
                       : text_at(on.params(), expression);
}

// Returns a UUID of 122 drawn bits (RFC 9562, section 5.4).
inline std::string drawn_uuid(script_values& from)
{
    auto const high = (next_draw(from) & 0xffffffffffff0fff) | 0x4000;
    auto const low = (next_draw(from) & 0x3fffffffffffffff) | 0x8000000000000000;
    char text[37];
    std::snprintf(text, sizeof text, "%08x-%04x-%04x-%04x-%012llx", static_cast<unsigned>(high >> 32),
                  static_cast<unsigned>(high >> 16 & 0xffff), static_cast<unsigned>(high & 0xffff),
                  static_cast<unsigned>(low >> 48), static_cast<unsigned long long>(low & 0xffffffffffff));
    return text;
}

inline boost::json::value evaluate(std::string_view expression, exchange& on)
{
    if (expression == "method")
        return boost::json::string(on.method());
    if (expression == "tool")
        return boost::json::string(on.tool());
    if (expression == "id")
        return on.id().empty() ? boost::json::value() : parse_params(on.id());
    if (expression == "now") {
        std::string time;
        append_time(time, on.wall_now());
        return boost::json::string(time);
    }
    if (expression == "uuid")
        return boost::json::string(drawn_uuid(on.values()));
    if (expression.starts_with("vars."))
        return member_at(on.values().vars, expression);
    if (auto const bounds = bounds_of_draw(expression)) {
        auto const width = static_cast<std::uint64_t>(bounds->second) - static_cast<std::uint64_t>(bounds->first);
        auto const draw = next_draw(on.values());
        auto const above = width == UINT64_MAX ? draw : draw % (width + 1);
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(bounds->first) + above);
    }
    auto const params = on.params();
    auto const found = parameter_at(on, expression);
    if (found.empty() && params.find('\\') != params.npos)
        return member_at(parse_params(params), expression);
    return found.empty() ? boost::json::value() : parse_params(found);
}

// Calls `literal` and `expression` with the parts of a text in their order. Returns whether each expression has an end.
template<class Literal, class Expression>
bool for_each_part(std::string_view text, Literal const& literal, Expression const& expression)
{
    while (!text.empty()) {
        auto const begin = text.find("${");
        if (begin == text.npos) {
            literal(text);
            return true;
        }
        if (begin != 0 && text[begin - 1] == '$') { // "$${" is the text "${"
            literal(text.substr(0, begin - 1));
            literal("${");
            text.remove_prefix(begin + 2);
            continue;
        }
        auto const end = text.find('}', begin);
        if (end == text.npos)
            return false;
        literal(text.substr(0, begin));
        expression(text.substr(begin + 2, end - begin - 2));
        text.remove_prefix(end + 1);
    }
    return true;
}

// Returns the text between `${` and `}`, if it is not empty.
inline std::string_view inner_of(std::string_view text)
{
    return text.size() > 3 ? text.substr(2, text.size() - 3) : std::string_view();
}

inline boost::json::value expand_text(std::string_view text, exchange& on)
{
    auto const inner = inner_of(text);
    if (text.starts_with("${") && text.ends_with('}') && is_expression(inner))
        return evaluate(inner, on);
    boost::json::string out;
    for_each_part(
        text, [&](std::string_view part) { out.append(part); },
        [&](std::string_view part) {
            auto const value = evaluate(part, on);
            if (auto const* const string = value.if_string())
                out.append(*string);
            else if (!value.is_null())
                out.append(json_text(value));
        });
    return out;
}

// Replaces each string in a value by what `replace` returns, which receives the string and its location.
template<class Replace>
void replace_texts(boost::json::value& in, std::string const& at, Replace const& replace)
{
    if (auto const* const text = in.if_string())
        in = replace(std::string_view(*text), at);
    else if (auto* const object = in.if_object())
        for (auto& member : *object)
            replace_texts(member.value(), at + "/" + linkspan::detail::shortened_key(member.key()), replace);
    else if (auto* const array = in.if_array())
        for (std::size_t i = 0; i != array->size(); ++i)
            replace_texts((*array)[i], at + "/" + std::to_string(i), replace);
}

LINKSPAN_DECL json_template json_template::read(boost::json::value const& value, std::string const& at,
                                                std::vector<diagnostic>& problems)
{
    json_template out;
    out.value_ = value;
    replace_texts(out.value_, at, [&](std::string_view text, std::string const& place) {
        out.is_constant_ = out.is_constant_ && text.find("${") == text.npos;
        bool const is_complete = for_each_part(
            text, [](std::string_view) {},
            [&](std::string_view part) {
                if (!is_expression(part))
                    problems.push_back({.pointer = place,
                                        .message = expected_but_found(
                                            "${params...}, ${vars.NAME}, ${method}, ${tool}, ${id}, ${now}, ${uuid}, "
                                            "${rand.int(LOWEST,HIGHEST)}, or $${ for the text ${",
                                            short_json("${" + std::string(part) + "}"))});
            });
        if (!is_complete)
            problems.push_back({.pointer = place,
                                .message = expected_but_found(
                                    "'}' at the end of each expression, or $${ for the text ${", short_json(text))});
        return boost::json::value(text);
    });
    auto const* const text = out.value_.if_string();
    if (text && text->starts_with("${params") && text->ends_with('}') && is_expression(inner_of(*text)))
        out.path_ = inner_of(*text);
    return out;
}

LINKSPAN_DECL json_template json_template::read_result(boost::json::object const& members, std::string const& at,
                                                       std::vector<diagnostic>& problems)
{
    auto out = read(members, at, problems);
    out.is_result_ = true;
    return out;
}

// Returns whether the value at a location in a result is a text: in blocks of content, contents of resources and
// messages of prompts.
inline bool is_text_of_result(std::string_view at)
{
    constexpr std::array<std::string_view, 3> lists{"/content/", "/contents/", "/messages/"};
    constexpr std::array<std::string_view, 8> names{"text", "uri",  "mimeType", "data",
                                                    "blob", "name", "title",    "description"};
    auto const is_begin = [at](std::string_view list) { return at.starts_with(list); };
    return std::ranges::any_of(lists, is_begin) &&
           std::ranges::find(names, at.substr(at.rfind('/') + 1)) != names.end();
}

LINKSPAN_DECL boost::json::value json_template::expand(exchange& on) const
{
    auto out = value_;
    if (is_constant_)
        return out;
    replace_texts(out, {}, [&](std::string_view text, std::string const& at) {
        auto value = expand_text(text, on);
        bool const is_converted = is_result_ && !value.is_string() && is_text_of_result(at);
        return is_converted ? boost::json::value(value.is_null() ? std::string() : json_text(value)) : value;
    });
    return out;
}

LINKSPAN_DECL std::string json_template::characters(exchange& on) const
{
    if (!path_.empty())
        if (auto string = json_scan::string(parameter_at(on, path_)))
            return std::move(*string);
    if (is_constant_ && value_.is_string())
        return std::string(value_.get_string());
    auto const value = expand(on);
    return value.is_string() ? std::string(value.get_string()) : json_text(value);
}

LINKSPAN_DECL std::string json_template::text(exchange& on) const { return json_text(expand(on)); }

} // namespace linkspan::test::detail

#endif
