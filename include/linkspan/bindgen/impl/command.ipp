#ifndef LINKSPAN_BINDGEN_IMPL_COMMAND_IPP
#define LINKSPAN_BINDGEN_IMPL_COMMAND_IPP

#include <linkspan/bindgen/command.hpp>
#include <linkspan/bindgen/drift/drift.hpp>
#include <linkspan/bindgen/emit/cpp_text.hpp>
#include <linkspan/bindgen/emit/write_header.hpp>
#include <linkspan/bindgen/files.hpp>
#include <linkspan/bindgen/mapping/identifiers.hpp>
#include <linkspan/bindgen/mapping/map_tools.hpp>
#include <linkspan/core/detail/sha256.hpp>
#include <linkspan/core/similar_names.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <ostream>
#include <system_error>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen {
namespace detail {

struct option_row {
    std::string_view name;
    std::string command::*value;
};

inline constexpr std::array<option_row, 6> option_rows{{{"--config", &command::config},
                                                        {"--server", &command::server},
                                                        {"--from", &command::from},
                                                        {"--lock", &command::lock},
                                                        {"--out", &command::out},
                                                        {"--namespace", &command::name_space}}};

[[noreturn]] inline void reject(std::string const& sentence) { throw command_error(exit_wrong_usage, sentence); }

[[noreturn]] inline void reject_option(std::string const& word)
{
    std::vector<std::string_view> known{"--tools", "--check", "--help"};
    for (auto const& row : option_rows)
        known.push_back(row.name);
    auto const similar = similar_names(word, known, 1);
    reject("unknown option '" + word + "'" + (similar.empty() ? "" : "; did you mean " + similar.front() + "?"));
}

inline void check_options(command const& what)
{
    bool const has_source = !what.from.empty() || !what.config.empty();
    if (!what.from.empty() && !what.config.empty())
        reject("--from and --config are both given; expected one of them");
    if (what.config.empty() != what.server.empty())
        reject("--config and --server must be given together");
    if (!has_source && what.lock.empty())
        reject("no source is given; expected --config and --server, --from, or --lock");
    if (!what.name_space.empty() && !is_usable_namespace(what.name_space))
        reject("--namespace: '" + what.name_space + "' is not a valid namespace");
    if (!what.lock.empty() && what.lock == what.out)
        reject("--lock and --out name the same file");
    if (what.check && what.lock.empty())
        reject("--check requires --lock");
    if (what.check && !has_source && what.out.empty())
        reject("--check compares the lock file with a source or a header; expected --config, --from or --out");
    if (what.check && what.out == "-")
        reject("--check requires a file: --out must not be '-'");
}

inline std::string read_whole(std::string const& path)
{
    std::error_code ec;
    auto bytes = read_file(path, ec);
    if (!bytes)
        reject("cannot read " + path + ": " + ec.message());
    return *std::move(bytes);
}

inline tool_lock read_tools(std::string const& path, std::string_view bytes)
{
    try {
        return read_lock(bytes);
    } catch (lock_error const& error) {
        reject(path + ": " + error.what());
    }
}

inline bool matches_any(std::vector<std::string> const& globs, tool const& tool)
{
    return globs.empty() || std::ranges::any_of(globs, [&](auto const& glob) { return matches_glob(glob, tool.name); });
}

inline std::vector<tool> selected(std::vector<tool> tools, std::vector<std::string> const& globs)
{
    std::erase_if(tools, [&](auto const& tool) { return !matches_any(globs, tool); });
    return tools;
}

// A pattern without a match is an error.
inline void check_globs(std::vector<std::string> const& globs, std::vector<tool> const& tools)
{
    for (auto const& glob : globs)
        if (std::ranges::none_of(tools, [&](auto const& tool) { return matches_glob(glob, tool.name); }))
            reject("--tools: no tool matches '" + glob + "'");
}

inline std::string make_header(command const& what, tool_lock const& lock, std::string_view lock_bytes,
                               std::ostream& err)
{
    auto const mapped = map_tools(lock.tools);
    for (auto const& problem : mapped.problems)
        err << "linkspan-bindgen: warning: " << visible_line(to_string(problem)) << '\n';
    header_options options;
    options.name_space = what.name_space.empty() ? namespace_for(lock.server) : what.name_space;
    options.lock_digest = linkspan::detail::sha256_text(lock_bytes);
    options.server = lock.described_server();
    return write_header(mapped.tools, options);
}

inline exit_status worst_of(std::vector<difference> const& differences)
{
    auto const has = [&](drift effect) {
        return std::ranges::find(differences, effect, &difference::effect) != differences.end();
    };
    return has(drift::breaking) ? exit_breaking : has(drift::risky) ? exit_risky : exit_done;
}

inline exit_status check(command const& what, std::vector<tool> const* source, command_context const& where)
{
    auto const lock_bytes = read_whole(what.lock);
    auto lock = read_tools(what.lock, lock_bytes);
    auto all = lock.tools;
    if (source)
        all.insert(all.end(), source->begin(), source->end());
    check_globs(what.tools, all);
    lock.tools = selected(std::move(lock.tools), what.tools);
    auto out = exit_done;
    if (source) {
        auto const differences = compare_tools(lock.tools, selected(*source, what.tools));
        for (auto const& one : differences)
            where.out << visible_line(to_string(one)) << '\n';
        out = worst_of(differences);
    }
    if (what.out.empty() || read_file(what.out) == make_header(what, lock, lock_bytes, where.err))
        return out;
    where.out << "stale: " << what.out << " differs from the header that this version generates from " << what.lock
              << '\n';
    return out == exit_done ? exit_stale : out;
}

inline void put(std::string const& path, std::string const& bytes, std::ostream& out)
{
    if (path.empty() || path == "-")
        out << bytes;
    else if (!write_file(path, bytes))
        throw command_error(exit_failed, "cannot write " + path);
}

inline exit_status perform(command const& what, command_context const& where)
{
    std::optional<tool_lock> source;
    if (!what.from.empty())
        source = read_tools(what.from, read_whole(what.from));
    else if (!what.config.empty())
        source = where.fetch_tools(what.config, what.server);
    if (what.check) {
        if (source) // converted to the form of a lock file, which omits some members of tools
            source = read_tools(what.lock, write_lock(*source));
        return check(what, source ? &source->tools : nullptr, where);
    }
    if (source) {
        check_globs(what.tools, source->tools);
        source->tools = selected(std::move(source->tools), what.tools);
    }
    auto const lock_bytes = source ? write_lock(*source) : read_whole(what.lock);
    auto lock = read_tools(what.lock, lock_bytes); // as later runs will read it
    check_globs(what.tools, lock.tools);
    lock.tools = selected(std::move(lock.tools), what.tools);
    bool const writes_header = !what.out.empty() || !source || what.lock.empty();
    auto const header = writes_header ? make_header(what, lock, lock_bytes, where.err) : std::string();
    if (source && !what.lock.empty())
        put(what.lock, lock_bytes, where.out);
    if (writes_header)
        put(what.out, header, where.out);
    return exit_done;
}

} // namespace detail

LINKSPAN_DECL std::string_view help_text() noexcept
{
    return R"(usage: linkspan-bindgen (--config FILE --server NAME | --from FILE) [--lock FILE] [--out FILE]
                        [--namespace NS] [--tools GLOB]... [--check]
       linkspan-bindgen --lock FILE [--out FILE] [--namespace NS] [--tools GLOB]...

Generates a C++ header with a struct for each tool of an MCP server.

  --config FILE --server NAME   source: the server NAME in a configuration file, which is started or connected to
  --from FILE                   source: a result of tools/list, an object with "tools", or a lock file
  --lock FILE                   with a source: writes its tools to this file; otherwise: reads the tools from this file
  --out FILE                    header to write; '-' is stdout: the default unless a lock file is written
  --namespace NS                namespace of the header, such as a::b; default: derived from the name of the server
  --tools GLOB                  only tools whose names match, such as 'get_*'; may be repeated
  --check                       writes no file: compares the source, and the header of --out, with the lock file
  --help                        writes this text

Exit status: 0: success; 1: a file cannot be written; 2: wrong usage, or a file cannot be read; 3: the server cannot be
reached. With --check: 0: no difference, or additive ones only; 5: a breaking difference; 6: a risky difference; 7: the
header was not generated from the lock file. Each difference is one line on stdout.
)";
}

LINKSPAN_DECL command read_command(std::vector<std::string> const& words)
{
    command out;
    for (std::size_t i = 0; i != words.size(); ++i) {
        auto const& word = words[i];
        if (word == "--help" || word == "-h") {
            out.help = true;
            return out;
        }
        if (word == "--check") {
            out.check = true;
            continue;
        }
        auto const row = std::ranges::find(detail::option_rows, word, &detail::option_row::name);
        if (row == detail::option_rows.end() && word != "--tools")
            detail::reject_option(word);
        if (i + 1 == words.size() || words[i + 1].empty())
            detail::reject(word + ": value is missing");
        auto const& value = words[++i];
        if (word == "--tools")
            out.tools.push_back(value);
        else if (!std::exchange(out.*row->value, value).empty())
            detail::reject(word + " is given twice");
    }
    detail::check_options(out);
    return out;
}

LINKSPAN_DECL exit_status run_command(command const& request, command_context const& context) noexcept
{
    try {
        if (request.help) {
            context.out << help_text();
            return exit_done;
        }
        return detail::perform(request, context);
    } catch (command_error const& error) {
        context.err << "linkspan-bindgen: " << visible_line(error.what()) << '\n';
        return error.status;
    } catch (std::exception const& error) {
        context.err << "linkspan-bindgen: " << visible_line(error.what()) << '\n';
        return exit_failed;
    }
}

} // namespace linkspan::bindgen

#endif
