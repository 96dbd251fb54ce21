#ifndef LINKSPAN_TEST_SUPPORT_SHELL_SERVER_HPP
#define LINKSPAN_TEST_SUPPORT_SHELL_SERVER_HPP

// A server over standard streams that sends arbitrary bytes chosen by a case.

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

#include "folder.hpp"
#include "program_run.hpp"

namespace program_run {

class shell_server {
public:
    shell_server()
    {
        results(
            "initialize",
            R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}})");
        results("tools/list", R"({"tools":[{"name":"t","inputSchema":{"type":"object"}}]})");
        add("server.sh", R"sh(cd "${0%/*}"
while IFS= read -r line; do
    printf '%s\n' "$line" >> received
    method=${line#*\"method\":\"}
    method=$(printf %s "${method%%\"*}" | tr / _)
    [ ! -e "$method.announced" ] || echo >> announcements
    case $line in *'"id":'*) ;; *) continue ;; esac
    id=${line#*\"id\":}
    id=${id%%[,\}]*}
    token=${line#*\"progressToken\":}
    token=${token%%[,\}]*}
    if [ -e "$method.progress" ]; then
        printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,%s}}\n' \
            "$token" "$(cat "$method.progress")"
    fi
    if [ -e "$method.hang" ]; then
        continue
    elif [ -e "$method.error" ]; then
        printf '{"jsonrpc":"2.0","id":%s,"error":%s}\n' "$id" "$(cat "$method.error")"
    elif [ -e "$method" ]; then
        printf '{"jsonrpc":"2.0","id":%s,"result":' "$id"; cat "$method"; printf '}\n'
    else
        printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}\n' "$id"
    fi
done
[ -e stubborn ] || exit 0
trap 'echo TERM >> received' TERM
echo >> announcements
while :; do read -r line < never; done
)sh");
        for (auto const* const name : {"/announcements", "/never"})
            BOOST_TEST_REQUIRE(::mkfifo((folder_.path() + name).c_str(), 0600) == 0);
    }

    void results(std::string const& method, std::string const& text) { add(file_of(method), text); }
    void fails(std::string const& method, std::string const& error) { add(file_of(method) + ".error", error); }
    void hangs(std::string const& method) { add(file_of(method) + ".hang", ""); }
    void reports(std::string const& method, std::string const& members) { add(file_of(method) + ".progress", members); }

    // Writes a line to the FIFO for each request or notification of this method.
    void announces(std::string const& method) { add(file_of(method) + ".announced", ""); }
    std::string announcements() const { return folder_.path() + "/announcements"; }

    // Makes the server ignore the end of its input, which is also announced, and SIGTERM, which is recorded as "TERM".
    void is_stubborn() { add("stubborn", ""); }

    // Returns the received lines; empty if the server was not started.
    std::string received() const
    {
        std::ifstream file(folder_.path() + "/received");
        return {std::istreambuf_iterator<char>(file), {}};
    }

    std::string script() const { return folder_.path() + "/server.sh"; }

    // Returns the configuration entry of this server.
    std::string entry(std::string const& more = {}) const
    {
        return R"({"command": "/bin/sh", "args": [")" + script() + R"("])" + more + "}";
    }

private:
    static std::string file_of(std::string method)
    {
        for (char& c : method)
            c = c == '/' ? '_' : c;
        return method;
    }

    void add(std::string const& name, std::string const& text)
    {
        folder_.add(name, text, std::filesystem::perms::owner_all);
    }

    observe::folder folder_;
};

// Calls the tool "t" of the server with the program `linkspan`. `words`: the words after the name of the tool.
inline result call_tool(shell_server const& server, std::vector<std::string> words = {}, options with = {})
{
    words.insert(words.begin(), {"call", "t"});
    words.insert(words.end(), {"--", "/bin/sh", server.script()});
    return run_linkspan(std::move(words), std::move(with));
}

} // namespace program_run

#endif
