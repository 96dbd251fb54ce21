#ifndef LINKSPAN_TEST_SCRIPT_MOCK_SCRIPT_HPP
#define LINKSPAN_TEST_SCRIPT_MOCK_SCRIPT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Thrown for a script that is not valid. `what()` has one line for each problem.
class script_error : public std::runtime_error {
public:
    /// Makes an exception for a script with the given problems, at least one.
    ///
    /// \param name Name of the script in the lines of `what()`, for example its path.
    LINKSPAN_DECL script_error(std::string_view name, std::vector<diagnostic> problems);

    /// Returns all problems of the script, in the order in which they were found.
    std::vector<diagnostic> const& problems() const noexcept { return *problems_; }

private:
    std::shared_ptr<std::vector<diagnostic> const> problems_; // shared, because exceptions are copied without a throw
};

/// Behaviour of the server of a script over HTTP: the member `http` of the script. `http_options` returns the options
/// of an `http_server`.
struct script_http {
    bool sessions = true;              ///< whether a handshake begins a session with an `Mcp-Session-Id`
    bool streams = false;              ///< whether each response to a POST is a stream of events
    bool resumable = false;            ///< whether streams of protocol versions with a handshake can be resumed
    std::vector<std::string> bearer{}; ///< tokens of the clients that are admitted; empty: all clients are admitted
};

/// The server to which a script passes the messages that no rule handles: the member `unmatched` of the script.
struct script_passthrough {
    std::vector<std::string> command{}; ///< program and arguments; empty: `url` is the server
    std::string url{};                  ///< URL of a server over HTTP; empty: `command` is the server
};

/// Checks of a script that depend on the program which uses it.
struct script_checks {
    /// Returns why the program cannot connect to the URL of `passthrough`; empty: it can. Default: each URL is valid,
    /// because the module of the scripts has no HTTP.
    std::function<std::string(std::string const& url)> url{};

    /// Whether the server has no other tools than those of the script, so that an expectation of another tool is a
    /// problem of the script. Default: false; `mock_script::add_to` checks the expectations.
    bool has_all_tools = false;
};

/// A script of a mock server, in the format `linkspan-mock/1`: a JSON file with tools and rules.
///
///     scripted_server weather;
///     mock_script::load("weather.json").add_to(weather);
///     hub.add<inproc>("weather", weather);
///
/// The program `linkspan-mock` serves the same file to a client in another process. `doc/mock-script.md` describes the
/// format.
///
/// \par Thread safety
/// Distinct objects: safe, also copies. Shared objects: safe for concurrent reads.
class mock_script {
public:
    /// Reads a script.
    ///
    /// \param json Text of the script.
    /// \param name Name of the script in messages, for example its path.
    /// \param checks Additional checks. Default: none.
    /// \throws script_error The text is not valid: it is not JSON, has an unknown member or a value of another type,
    /// or a rule that contradicts itself. All problems are found at once.
    LINKSPAN_DECL static mock_script parse(std::string_view json, std::string_view name = "script",
                                           script_checks const& checks = {});

    /// Reads a script from a file.
    ///
    /// \param path Path of the file.
    /// \param checks As in `parse`.
    /// \throws script_error The file cannot be read, is larger than 256 MiB, or its content is not valid.
    LINKSPAN_DECL static mock_script load(std::string const& path, script_checks const& checks = {});

    /// Returns the JSON Schema (2020-12) of the format, for editors and other tools. `parse` also checks
    /// constraints that the schema does not express: an object such as an action or a trigger has exactly one of its
    /// alternative members, and times, matchers and expressions are valid.
    LINKSPAN_DECL static std::string schema();

    /// Returns the member `http` of the script.
    LINKSPAN_DECL script_http http() const;

    /// Returns the server to which the script passes messages on; empty: there is none. `linkspan-mock` connects to
    /// this server. A test connects the scripted server by `scripted_server::pass_on`; otherwise, messages that no rule
    /// handles receive the default responses of the scripted server.
    LINKSPAN_DECL std::optional<script_passthrough> passthrough() const;

    /// Returns the faults of the script that have no effect on a carrier: of rules and of the member `chaos`, of kinds
    /// that do not occur there; and of rules, of kinds that do not occur in a response to the method of the rule, or
    /// without a later action that responds.
    ///
    /// \returns One text per fault: its JSON Pointer, the name of its kind, and the reason.
    LINKSPAN_DECL std::vector<std::string> faults_without_effect(fault_carrier over) const;

    /// Returns the tools of rules that the script does not declare, although it declares a tool with a similar name.
    /// Such a rule declares another tool, which no client calls if its name is misspelled. Names of less than four
    /// characters are not compared.
    ///
    /// \returns One text per rule: the JSON Pointer of the name, what was expected, and the name.
    LINKSPAN_DECL std::vector<std::string> misspelled_tools() const;

    /// Returns whether the script has expectations, for which a server must record messages.
    LINKSPAN_DECL bool has_expectations() const noexcept;

    /// Returns whether the requests that a server has received meet the expectations of the script, with a report of
    /// all expectations that are not met, each with the name of the script and its JSON Pointer.
    ///
    /// \param server A server to which the script was added.
    LINKSPAN_DECL verification verify(scripted_server const& server) const;

    /// Adds the tools and rules of the script to those of a server.
    ///
    /// Replaces the states of the scenarios, the variables, the seed and the page size of the server, also by the
    /// defaults of the format. Replaces its name, version, instructions, capabilities and protocol versions if the
    /// script has them. Otherwise, resources, prompts or log messages of the script replace the capabilities, and the
    /// protocol versions of its tape replace those of the server. The member `chaos` has no effect if the server has
    /// faults already: by `set_chaos`, of its world, or of an earlier script.
    ///
    /// Call the function before the first connection. Rules that were added before precede rules of the script with the
    /// same priority. With a server behind the rules, the tools, the page size and the members of `server` have no
    /// effect.
    /// \param server The server, to which the script is added once.
    /// \param seed Replaces the seed of the script; empty: that of the script.
    /// \throws script_error An expectation of the script has the name of a tool that neither the script nor the server
    /// has. The server is unchanged. The tools are not checked if there is a server behind the rules, or if the script
    /// has a tape, the member `passthrough`, or a rule for all calls (`{"request": "tools/call"}`).
    LINKSPAN_DECL void add_to(scripted_server& server, std::optional<std::uint64_t> seed = {}) const;

private:
    struct content;

    explicit mock_script(std::shared_ptr<content const> from) : content_(std::move(from)) {}

    std::shared_ptr<content const> content_; // not null
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/mock_script.ipp>
#endif

#endif
