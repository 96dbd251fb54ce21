#ifndef LINKSPAN_CONFIG_IMPL_EXPAND_IPP
#define LINKSPAN_CONFIG_IMPL_EXPAND_IPP

#include <linkspan/config/expand.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline std::optional<std::string> look_up(variable_use const& variable, variable_sources const& from,
                                          std::span<input_variable const> inputs)
{
    auto const environment = [&](std::string_view name) {
        return from.environment ? from.environment(name) : std::nullopt;
    };
    if (variable.of == variable_use::kind::environment)
        return environment(variable.name);
    if (variable.of == variable_use::kind::input) {
        auto const input = std::ranges::find(inputs, variable.name, &input_variable::id);
        return input != inputs.end() && from.inputs ? from.inputs(*input) : std::nullopt;
    }
    auto const& folder = variable.name == "userHome" ? from.user_home : from.workspace_folder;
    if (!folder.empty() && variable.name == "workspaceFolderBasename")
        return folder.substr(folder.rfind('/') + 1);
    if (!folder.empty())
        return folder;
    return variable.name == "userHome" ? environment("HOME") : std::nullopt;
}

// Replaces one variable. `body` is the text between `${` and `}`.
inline variable_use use_variable(std::string_view body, variable_sources const& from,
                                 std::span<input_variable const> inputs)
{
    auto const mark = body.find(":-");
    auto name = body.substr(0, mark);
    variable_use use;
    if (name == "workspaceFolder" || name == "workspaceFolderBasename" || name == "userHome")
        use.of = variable_use::kind::folder;
    else if (name.starts_with("input:"))
        use.of = variable_use::kind::input;
    if (name.starts_with("input:") || name.starts_with("env:"))
        name.remove_prefix(name.find(':') + 1);
    use.name = name;
    if (auto found = look_up(use, from, inputs)) {
        use.status = variable_use::result::found;
        use.value = std::move(*found);
    } else if (mark != body.npos) {
        auto const text = body.substr(mark + 2);
        bool const is_nested = text.find("${") != text.npos;
        use.status = is_nested ? variable_use::result::nested : variable_use::result::defaulted;
        use.value = is_nested ? "" : text;
    }
    return use;
}

inline expansion expand_whole_value(std::string_view text, variable_sources const& from)
{
    bool const is_variable = text.size() > 3 && text.starts_with("${") && text.find('}') == text.size() - 1;
    if (!is_variable)
        return {std::string(text), {}};
    variable_use use;
    use.name = text.substr(2, text.size() - 3);
    auto found = look_up(use, from, {});
    use.status = found ? variable_use::result::found : variable_use::result::missing;
    use.value = std::move(found).value_or("");
    return {use.value, {use}};
}

inline expansion interpolate(std::string_view text, variable_sources const& from,
                             std::span<input_variable const> inputs)
{
    expansion out;
    for (std::size_t at = 0; at != text.size();) {
        auto const dollar = std::min(text.find('$', at), text.size());
        out.text += text.substr(at, dollar - at);
        auto const rest = text.substr(dollar);
        auto const end = rest.starts_with("${") ? rest.find('}') : rest.npos;
        if (rest.starts_with("$${")) {
            out.text += "${";
            at = dollar + 3;
        } else if (end != rest.npos && end > 2) {
            out.text += out.uses.emplace_back(use_variable(rest.substr(2, end - 2), from, inputs)).value;
            at = dollar + end + 1;
        } else {
            out.text += rest.substr(0, 1);
            at = std::min(dollar + 1, text.size());
        }
    }
    return out;
}

} // namespace detail

LINKSPAN_DECL env_source process_environment()
{
    return [](std::string_view name) -> std::optional<std::string> {
        auto const* const value = name.find('\0') == name.npos ? std::getenv(std::string(name).c_str()) : nullptr;
        return value ? std::optional<std::string>(value) : std::nullopt;
    };
}

LINKSPAN_DECL bool is_plain_name(std::string_view name) noexcept
{
    constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    return !name.empty() && name.size() <= 64 && name.find_first_not_of(plain) == name.npos;
}

LINKSPAN_DECL expansion expand_text(std::string_view text, expand forms, variable_sources const& from,
                                    std::span<input_variable const> inputs)
{
    return forms == expand::whole_value ? detail::expand_whole_value(text, from)
                                        : detail::interpolate(text, from, inputs);
}

} // namespace linkspan

#endif
