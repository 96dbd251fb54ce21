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

namespace linkspan::inline LINKSPAN_ABI {

/// Determines the variables of a configuration that are replaced by their values.
///
/// Replacement is done once: the value of a variable is not searched for variables.
enum class expand {
    /// Variables are replaced only in `env`, and only if the whole value is `${NAME}`. `a-${NAME}` and `${A}${B}` are
    /// literal texts.
    whole_value,

    /// Variables are replaced anywhere in `command`, `args`, `env`, `cwd`, `env_file`, `url` and `headers`. Forms:
    /// - `${NAME}` and `${env:NAME}`: a variable of the environment.
    /// - `${NAME:-text}`: a variable of the environment, or `text` if the variable is not set.
    /// - `${input:id}`: an input.
    /// - `${workspaceFolder}`, `${workspaceFolderBasename}` and `${userHome}`: folders of `variable_sources`.
    /// - `$${`: the literal text `${`.
    interpolate,
};

/// Treatment of a variable that is used in `env` and has no value. In other places, a variable without a value is an
/// error. An input without a value is an error everywhere.
enum class missing {
    empty_with_warning, ///< An empty value is used, and a warning names the variable.
    error,              ///< An error is reported, and the server is not started.
};

/// Function that returns the value of a variable of the environment; an empty optional if the variable is not set.
using env_source = std::function<std::optional<std::string>(std::string_view name)>;

/// Returns a source that reads the environment of this process with `std::getenv` at each call.
///
/// \par Thread safety
/// The same as `std::getenv`: concurrent calls are safe while no thread modifies the environment.
LINKSPAN_DECL env_source process_environment();

/// Declaration of a value that a configuration requests from the end user, such as a token (`inputs` of VS Code).
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
struct input_variable {
    /// Name of the input in `${input:id}`. The name is not empty if the declaration was read from a document.
    std::string id;

    /// Prompt for the end user. Empty: none.
    std::string description{};

    /// Whether the user interface must hide the value during input. Default: false.
    bool password = false;

    /// Value of the key `default`, for the case that the end user enters no value. Empty: no default. The library does
    /// not use this member; the `input_source` of the program has to return the default.
    std::string fallback{};
};

/// Function that returns the value of an input. An empty optional means that the end user entered no value, which is an
/// error.
///
/// The function is called for each occurrence of the input in a text; values are not cached.
using input_source = std::function<std::optional<std::string>(input_variable const& input)>;

/// Function that returns the content of a file; an empty optional if the file cannot be read.
using file_source = std::function<std::optional<std::string>(std::string const& path)>;

/// Sources of the values of variables.
///
///     variable_sources from;
///     from.workspace_folder = "/src/project";
///     auto const resolved = server.resolve(from);
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe for concurrent reads, if the functions may be called concurrently.
struct variable_sources {
    /// Constructs sources with the environment of this process only.
    variable_sources() {}

    /// Constructs sources with the environment `from` only. The constructor is implicit, so that an `env_source` can be
    /// passed where `variable_sources` are expected.
    variable_sources(env_source from) : environment(std::move(from)) {}

    /// Variables of the environment. Empty: no variable is set. Default: the environment of this process.
    env_source environment = process_environment();

    /// Values of inputs. Empty: each use of an input is an error. Default: empty.
    input_source inputs;

    /// Content of the file `server_config::env_file`. Empty: a server with such a file has an error. Default: empty.
    file_source files;

    /// Value of `${workspaceFolder}`, and base of relative paths of environment files. Empty: not set. Default: empty.
    std::string workspace_folder;

    /// Value of `${userHome}`. Empty: the variable HOME of `environment`. Default: empty.
    std::string user_home;
};

/// Occurrence of a variable in a text, with the result of its replacement.
struct variable_use {
    /// Origin of the value: a variable of the environment, an input, or a folder of `variable_sources`.
    enum class kind { environment, input, folder };

    /// Result of the replacement.
    enum class result {
        found,     ///< The source has a value.
        defaulted, ///< The source has no value; the default after `:-` is used.
        missing,   ///< The source has no value, and the text has no default.
        nested,    ///< The source has no value, and the default is not used because it contains variables.
    };

    /// Origin of the value.
    kind of = kind::environment;

    /// Name of the variable without the prefix `env:` or `input:`. The name is arbitrary text and may contain a part of
    /// a secret: print the name only if `is_plain_name(name)`.
    std::string name;

    /// Result of the replacement.
    result status = result::missing;

    /// Text that replaces the variable. Empty for `missing` and `nested`.
    std::string value{};
};

/// Returns whether a name consists of 1 to 64 ASCII letters, digits and `_`.
///
/// \par Exception safety
/// Never throws.
LINKSPAN_DECL bool is_plain_name(std::string_view name) noexcept;

/// Result of `expand_text`.
struct expansion {
    /// Text with all variables replaced; a variable without a value is replaced with nothing.
    std::string text;
    std::vector<variable_use> uses; ///< Variables in the order of the text.
};

/// Returns a text with its variables replaced.
///
/// `${` without a closing brace, and `${}`, are literal text. The function reports no errors: `expansion::uses`
/// contains the variables without a value.
///
///     auto const out = expand_text("${HOME}/data", expand::interpolate, variable_sources());
///
/// \param text Text to expand.
/// \param forms Forms of variables to replace. If `forms` is `whole_value`, `text` is treated as a value of `env`.
/// \param from Sources of values. The source of a variable is called once per occurrence of the variable.
/// \param inputs Declared inputs. An input that is not declared has no value.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`, and exceptions of the sources.
LINKSPAN_DECL expansion expand_text(std::string_view text, expand forms, variable_sources const& from,
                                    std::span<input_variable const> inputs = {});

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/expand.ipp>
#endif

#endif
