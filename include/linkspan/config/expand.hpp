#ifndef LINKSPAN_CONFIG_EXPAND_HPP
#define LINKSPAN_CONFIG_EXPAND_HPP

#include <linkspan/core/detail/config.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan {

/// Which variables of a configuration are replaced by their values. It is done once: a value is never looked at again.
enum class expand {
    /// Only in `env`, and only where a value as a whole is `${NAME}`; `a-${NAME}` and `${A}${B}` are texts.
    whole_value,

    /// Anywhere in `command`, `args`, `env`, `cwd`, `url` and `headers`:
    /// `${NAME}` and `${env:NAME}`, of the environment; `${NAME:-text}`, with what stands for a variable that is not
    /// set; `${input:id}`; `${workspaceFolder}`, `${workspaceFolderBasename}` and `${userHome}`. `$${` is the text `${`.
    interpolate,
};

/// What a variable in `env` that has no value means. Everywhere else it is an error.
enum class missing {
    empty_with_warning, ///< no text at all, and a warning that names the variable
    error,              ///< the server is not started
};

/// The value of a variable; nothing when it is not set.
using env_source = std::function<std::optional<std::string>(std::string_view name)>;

/// The environment of this process. Thread safety: as that of `getenv`.
LINKSPAN_DECL env_source process_environment();

/// Something that a configuration wants to be asked for, as a token (`inputs` of VS Code).
struct input_variable {
    std::string id;
    std::string description{};
    bool password = false; ///< do not show it while it is typed
    std::string fallback{}; ///< `default`: the value where the user enters none; empty: there is none
};

/// The answer of whoever was asked; nothing when there is none. Nothing is remembered: it is asked whenever the input
/// occurs in a text.
using input_source = std::function<std::optional<std::string>(input_variable const& asked)>;

/// The content of a file; nothing where it cannot be read.
using file_source = std::function<std::optional<std::string>(std::string const& path)>;

/// Where the values of variables come from.
struct variable_sources {
    variable_sources() {}
    variable_sources(env_source from) : environment(std::move(from)) {}

    env_source environment = process_environment();
    input_source inputs;          ///< empty: each input is an error
    file_source files;            ///< reads `server_config::env_file`; empty: each of these is an error
    std::string workspace_folder; ///< `${workspaceFolder}`; empty: not set
    std::string user_home;        ///< `${userHome}`; empty: HOME of the environment
};

/// A variable that a text names, and what became of it.
struct variable_use {
    enum class kind { environment, input, folder };
    enum class result {
        found,
        defaulted, ///< the text after `:-` stands for it
        missing,   ///< nothing stands for it
        nested,    ///< nothing stands for it, because the text after `:-` has variables of its own
    };

    kind of = kind::environment;
    std::string name; ///< for people only where `is_plain_name`: it may be anything, and so part of a secret
    result how = result::missing;
    std::string value{};
};

/// Letters of ASCII, digits and `_`, 64 at most.
LINKSPAN_DECL bool is_plain_name(std::string_view name) noexcept;

struct expansion {
    std::string text;
    std::vector<variable_use> uses; ///< in the order of the text
};

/// A text with its variables replaced. What has no closing brace is text. `inputs` are those that may be asked for.
LINKSPAN_DECL expansion expand_text(std::string_view text, expand how, variable_sources const& from,
                                    std::span<input_variable const> inputs = {});

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/expand.ipp>
#endif

#endif
