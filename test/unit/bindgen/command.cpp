#include <linkspan/bindgen/command.hpp>
#include <linkspan/bindgen/files.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/folder.hpp"

namespace command_test {

using namespace linkspan::bindgen;
namespace fs = std::filesystem;
namespace data = boost::unit_test::data;

namespace {

constexpr std::string_view two_tools = R"({"serverInfo":{"name":"Weather","version":"2"},"tools":[
    {"name":"get_forecast","inputSchema":{"type":"object","properties":{"city":{"type":"string"}}}},
    {"name":"set_unit","inputSchema":{"type":"object"}}]})";

// Temporary folder of one test case.
struct folder {
    observe::folder const temporary;
    fs::path const path = temporary.path();

    folder() { write("tools.json", two_tools); }

    std::string at(std::string const& name) const { return (path / name).string(); }
    void write(std::string const& name, std::string_view bytes) const { BOOST_TEST(write_file(at(name), bytes)); }
    std::string read(std::string const& name) const { return read_file(at(name)).value_or("missing"); }

    struct ended {
        int status = 0;
        std::string out, err;
    };

    // Arguments that begin with '@' are names of files in the folder.
    ended run(std::vector<std::string> words) const
    {
        for (auto& word : words)
            if (word.starts_with('@'))
                word = at(word.substr(1));
        std::ostringstream out, err;
        auto const fetch_tools = [&](std::string const& config, std::string const& server) {
            if (server != "weather")
                throw command_error(exit_not_connected, "server '" + server + "' of " + config + ": no");
            return read_lock(two_tools);
        };
        auto const status = run_command(read_command(words), {out, err, fetch_tools});
        return {status, out.str(), err.str()};
    }
};

std::string rejection_of(std::vector<std::string> const& words)
{
    try {
        read_command(words);
    } catch (command_error const& error) {
        BOOST_TEST(error.status == exit_wrong_usage);
        return error.what();
    }
    return "none";
}

} // namespace

} // namespace command_test

BOOST_FIXTURE_TEST_SUITE(command_test, command_test::folder)

BOOST_AUTO_TEST_CASE(invalid_usage_is_rejected_with_a_message)
{
    BOOST_TEST(rejection_of({}) == "no source is given; expected --config and --server, --from, or --lock");
    BOOST_TEST(rejection_of({"--form", "x"}) == "unknown option '--form'; did you mean --from?");
    BOOST_TEST(rejection_of({"x"}) == "unknown option 'x'");
    BOOST_TEST(rejection_of({"--from"}) == "--from: value is missing");
    BOOST_TEST(rejection_of({"--from", ""}) == "--from: value is missing");
    BOOST_TEST(rejection_of({"--from", "a", "--from", "b"}) == "--from is given twice");
    BOOST_TEST(rejection_of({"--from", "a", "--config", "b", "--server", "c"}) ==
               "--from and --config are both given; expected one of them");
    BOOST_TEST(rejection_of({"--config", "a"}) == "--config and --server must be given together");
    BOOST_TEST(rejection_of({"--server", "a", "--lock", "b"}) == "--config and --server must be given together");
    BOOST_TEST(rejection_of({"--from", "a", "--namespace", "x y"}) == "--namespace: 'x y' is not a valid namespace");
    BOOST_TEST(rejection_of({"--from", "a", "--lock", "b", "--out", "b"}) == "--lock and --out name the same file");
    BOOST_TEST(rejection_of({"--from", "a", "--check"}) == "--check requires --lock");
    BOOST_TEST(rejection_of({"--lock", "a", "--check"}) ==
               "--check compares the lock file with a source or a header; expected --config, --from or --out");
    BOOST_TEST(rejection_of({"--lock", "a", "--check", "--out", "-"}) ==
               "--check requires a file: --out must not be '-'");
    BOOST_TEST(rejection_of({"--from", "a"}) == "none");
    BOOST_TEST(rejection_of({"--lock", "a"}) == "none");
    BOOST_TEST(rejection_of({"--nonsense", "--help"}) == "unknown option '--nonsense'");
}

BOOST_AUTO_TEST_CASE(help_option_exits_successfully)
{
    auto const help = run({"--help"});
    BOOST_TEST(help.status == exit_done);
    BOOST_TEST(help.out.starts_with("usage: linkspan-bindgen"));
    for (auto const* const option :
         {"--config", "--server", "--from", "--lock", "--out", "--namespace", "--tools", "--check"})
        BOOST_TEST(help.out.find(option) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(repeated_run_produces_identical_lock_and_header)
{
    BOOST_TEST(run({"--from", "@tools.json", "--lock", "@lock.json", "--out", "@a.hpp"}).status == exit_done);
    BOOST_TEST(read("a.hpp").find("namespace Weather_tools {") != std::string::npos);
    BOOST_TEST(run({"--lock", "@lock.json", "--out", "@b.hpp"}).status == exit_done);
    BOOST_TEST(read("a.hpp") == read("b.hpp"));
    BOOST_TEST(run({"--lock", "@lock.json"}).out == read("a.hpp"));
    BOOST_TEST(run({"--lock", "@lock.json", "--out", "-"}).out == read("a.hpp"));
    BOOST_TEST(run({"--from", "@lock.json", "--out", "-"}).out == read("a.hpp"));
    BOOST_TEST(run({"--from", "@tools.json"}).out == read("a.hpp"));
    // The folder contains no other files.
    BOOST_TEST(std::distance(fs::directory_iterator(path), fs::directory_iterator()) == 4);
}

BOOST_AUTO_TEST_CASE(server_option_lists_the_tools_of_that_server)
{
    auto const made = run({"--config", "c.json", "--server", "weather", "--lock", "@lock.json"});
    BOOST_TEST(made.status == exit_done);
    BOOST_TEST(made.out == "");
    BOOST_TEST(read("lock.json") == write_lock(read_lock(two_tools)));
    auto const failed = run({"--config", "c.json", "--server", "other", "--lock", "@other.json"});
    BOOST_TEST(failed.status == exit_not_connected);
    BOOST_TEST(failed.err == "linkspan-bindgen: server 'other' of c.json: no\n");
    BOOST_TEST(read("other.json") == "missing");
}

BOOST_AUTO_TEST_CASE(unchanged_output_files_are_not_rewritten)
{
    run({"--from", "@tools.json", "--lock", "@lock.json", "--out", "@a.hpp"});
    auto const then = fs::last_write_time(path / "a.hpp") - std::chrono::hours(1);
    for (auto const* const name : {"a.hpp", "lock.json"})
        fs::last_write_time(path / name, then);
    run({"--from", "@tools.json", "--lock", "@lock.json", "--out", "@a.hpp"});
    for (auto const* const name : {"a.hpp", "lock.json"})
        BOOST_TEST((fs::last_write_time(path / name) == then));
    run({"--from", "@tools.json", "--lock", "@lock.json", "--out", "@a.hpp", "--namespace", "other"});
    BOOST_TEST((fs::last_write_time(path / "a.hpp") != then));
    BOOST_TEST((fs::last_write_time(path / "lock.json") == then));
}

BOOST_AUTO_TEST_CASE(rewritten_file_keeps_symlink_and_permissions)
{
    write("real.hpp", "old");
    fs::permissions(path / "real.hpp", fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink(path / "real.hpp", path / "link.hpp");
    run({"--from", "@tools.json", "--out", "@link.hpp"});
    BOOST_TEST(fs::is_symlink(path / "link.hpp"));
    BOOST_TEST(read("real.hpp").starts_with("// Generated by"));
    BOOST_TEST((fs::status(path / "real.hpp").permissions() == (fs::perms::owner_read | fs::perms::owner_write)));
}

BOOST_AUTO_TEST_CASE(tools_option_selects_tools_by_glob)
{
    run({"--from", "@tools.json", "--lock", "@lock.json", "--tools", "get_*"});
    BOOST_TEST(read_lock(read("lock.json")).tools.size() == 1U);
    auto const none = run({"--from", "@tools.json", "--tools", "get_*", "--tools", "delete_*"});
    BOOST_TEST(none.status == exit_wrong_usage);
    BOOST_TEST(none.err == "linkspan-bindgen: --tools: no tool matches 'delete_*'\n");
    run({"--from", "@tools.json", "--lock", "@all.json"});
    auto const header = run({"--lock", "@all.json", "--tools", "set_*"}).out;
    BOOST_TEST(header.find("struct set_unit {") != std::string::npos);
    BOOST_TEST(header.find("struct get_forecast {") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(missing_or_invalid_file_is_named_in_the_error)
{
    BOOST_TEST(run({"--from", "@none.json"}).err ==
               "linkspan-bindgen: cannot read " + at("none.json") + ": No such file or directory\n");
    BOOST_TEST(run({"--from", "@none.json"}).status == exit_wrong_usage);
    BOOST_TEST(run({"--lock", "@none.json"}).status == exit_wrong_usage);
    write("bad.json", "{\"tools\":3}");
    BOOST_TEST(run({"--lock", "@bad.json"}).err ==
               "linkspan-bindgen: " + at("bad.json") + ": /tools: expected an array\n");
    auto const unwritable = run({"--from", "@tools.json", "--out", "@none/a.hpp"});
    BOOST_TEST(unwritable.status == exit_failed);
    BOOST_TEST(unwritable.err == "linkspan-bindgen: cannot write " + at("none/a.hpp") + "\n");
    BOOST_TEST(run({"--from", "@tools.json", "--out", path.string()}).status == exit_failed);
}

BOOST_AUTO_TEST_CASE(free_form_part_is_reported_as_warning)
{
    write("free.json", R"({"tools":[{"name":"a"},{"name":"b","inputSchema":{"type":"object"}}]})");
    auto const made = run({"--from", "@free.json"});
    BOOST_TEST(made.status == exit_done);
    BOOST_TEST(made.err == "linkspan-bindgen: warning: tool 'a': /inputSchema: arguments have no type\n");
    BOOST_TEST(made.out.find("struct b {") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(check_reports_drift_and_stale_headers)
{
    run({"--from", "@tools.json", "--lock", "@lock.json", "--out", "@a.hpp"});
    auto const lock = read("lock.json");
    auto const check = [&](std::string_view now) {
        write("now.json", now);
        return run({"--check", "--from", "@now.json", "--lock", "@lock.json", "--out", "@a.hpp"});
    };
    auto const same = check(two_tools);
    BOOST_TEST(same.status == exit_done);
    BOOST_TEST(same.out == "");
    auto const more = check(R"({"tools":[{"name":"get_forecast","inputSchema":{"type":"object","properties":{
        "city":{"type":"string"},"days":{}}}},{"name":"set_unit","inputSchema":{"type":"object"}},{"name":"z"}]})");
    BOOST_TEST(more.status == exit_done);
    BOOST_TEST(more.out == "additive: tool 'get_forecast': /inputSchema/properties/days: added\n"
                           "additive: tool 'z': added\n");
    auto const risky = check(R"({"tools":[{"name":"get_forecast","description":"Other.","inputSchema":{"type":"object",
        "properties":{"city":{"type":"string"}}}},{"name":"set_unit","inputSchema":{"type":"object"}}]})");
    BOOST_TEST(risky.status == exit_risky);
    auto const breaking = check(R"({"tools":[{"name":"set_unit","description":"b","inputSchema":{"type":"object"}}]})");
    BOOST_TEST(breaking.status == exit_breaking);
    BOOST_TEST(breaking.out == "breaking: tool 'get_forecast': removed\n"
                               "risky: tool 'set_unit': /description: changed; models read it\n");
    write("a.hpp", read("a.hpp") + "\n");
    auto const stale = check(two_tools);
    BOOST_TEST(stale.status == exit_stale);
    BOOST_TEST(stale.out == "stale: " + at("a.hpp") + " differs from the header that this version generates from " +
                                at("lock.json") + "\n");
    BOOST_TEST(run({"--check", "--lock", "@lock.json", "--out", "@a.hpp"}).status == exit_stale);
    BOOST_TEST(run({"--check", "--lock", "@lock.json", "--out", "@none.hpp"}).status == exit_stale);
    BOOST_TEST(run({"--check", "--from", "@tools.json", "--lock", "@lock.json"}).status == exit_done);
    BOOST_TEST(read("lock.json") == lock); // nothing was written
    BOOST_TEST(read("none.hpp") == "missing");
}

// Names that contain lines of output of this program, or commands of the CI system that executes it.
BOOST_AUTO_TEST_CASE(tool_name_with_line_breaks_cannot_forge_output_lines)
{
    constexpr std::string_view forged = R"(x\nbreaking: tool 'pay': removed\r\n::error::no\u2028y)";
    auto const tools = [&](std::string_view name, std::string_view properties) {
        return R"({"tools":[{"name":")" + std::string(name) + R"(","inputSchema":{"type":"object","properties":{)" +
               std::string(properties) + "}}}]}";
    };
    write("then.json", tools("t", ""));
    run({"--from", "@then.json", "--lock", "@lock.json"});
    auto const check = [&](std::string const& now) {
        write("now.json", now);
        return run({"--check", "--from", "@now.json", "--lock", "@lock.json"});
    };
    auto const property = check(tools("t", "\"" + std::string(forged) + R"(":{"type":"string"})"));
    BOOST_TEST(property.out == "additive: tool 't': /inputSchema/properties/x\\nbreaking: tool 'pay': removed"
                               "\\n::error::no\\ny: added\n");
    BOOST_TEST(property.status == exit_done);
    auto const tool = check(tools(forged, ""));
    BOOST_TEST(tool.out == "breaking: tool 't': removed\n"
                           "additive: tool 'x\\nbreaking: tool 'pay': removed\\n::error::no\\ny': added\n");
    write("free.json", R"({"tools":[{"name":")" + std::string(forged) + R"("}]})");
    auto const free = run({"--from", "@free.json"});
    BOOST_TEST(free.err == "linkspan-bindgen: warning: tool 'x\\nbreaking: tool 'pay': removed\\n::error::no\\ny': "
                           "/inputSchema: arguments have no type\n");
}

// Text with an unknown escape is not valid JSON.
BOOST_AUTO_TEST_CASE(schema_text_that_the_lock_cannot_represent_is_not_drift)
{
    write("live.json", R"x({"tools":[{"name":"t","description":"d  ","inputSchema":{"type":"object","properties":{
        "a":{"type":"string","pattern":"\d+"}}},"outputSchema":{"type":"object","pattern":"\d"},"annotations":{}}]})x");
    BOOST_TEST(run({"--from", "@live.json", "--lock", "@lock.json", "--out", "@a.hpp"}).status == exit_done);
    auto const again = run({"--check", "--from", "@live.json", "--lock", "@lock.json", "--out", "@a.hpp"});
    BOOST_TEST(again.status == exit_done);
    BOOST_TEST(again.out == "");
}

// Tools that are not selected may have breaking changes.
BOOST_AUTO_TEST_CASE(check_with_tools_option_compares_selected_tools_only)
{
    run({"--from", "@tools.json", "--lock", "@lock.json"});
    write("now.json", R"({"tools":[{"name":"set_unit","inputSchema":{"type":"object"}}]})");
    auto const check = [&](std::string const& glob) {
        return run({"--check", "--from", "@now.json", "--lock", "@lock.json", "--tools", glob}).status;
    };
    BOOST_TEST(check("set_*") == exit_done);
    BOOST_TEST(check("get_*") == exit_breaking);
    BOOST_TEST(check("none_*") == exit_wrong_usage);
}

BOOST_AUTO_TEST_SUITE_END()
