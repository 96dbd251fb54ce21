// bench-echo: the fastest MCP server that can be made of the parts of this library, so that the client dominates a
// measurement. Offers one tool, `echo`; reads and writes with blocking calls, and writes all responses to one read
// together.

#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/line_framing.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>
#include <linkspan/transport/read_buffer.hpp>

#include <string>
#include <string_view>
#include <unistd.h>

namespace {

using linkspan::server_dialogue;

void append_response(std::string& out, std::string_view line, server_dialogue& dialogue)
{
    using kind = server_dialogue::action::kind;
    auto const next = dialogue.on_message(line);
    auto const& request = next.message;
    if (next.what == kind::send) {
        out += next.text;
    } else if (next.what != kind::request) {
        return;
    } else if (request.method == "tools/call") {
        auto const args = linkspan::json_scan::member(request.params, "arguments");
        auto const text = linkspan::json_scan::member(args, "text");
        std::string members = R"("content":[{"type":"text","text":)";
        members.append(text.empty() ? "\"\"" : text).append("}]");
        out += dialogue.result(request.raw_id, members, next.version);
    } else if (request.method == "tools/list") {
        constexpr std::string_view tools = R"("tools":[{"name":"echo","inputSchema":{"type":"object"}}])";
        out += dialogue.result(request.raw_id, tools, next.version, true);
    } else {
        out += server_dialogue::failure(request.raw_id, -32601, "Method not found");
    }
    out += '\n';
}

bool write_all(std::string_view bytes)
{
    while (!bytes.empty()) {
        auto const size = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (size <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
}

} // namespace

int main()
{
    server_dialogue dialogue({});
    linkspan::line_framing framing;
    linkspan::read_buffer in;
    std::string out;
    for (;;) {
        auto const room = in.prepare();
        auto const size = ::read(STDIN_FILENO, room.data(), room.size());
        if (size <= 0)
            return 0;
        in.commit(static_cast<std::size_t>(size));
        auto const lines = framing.resume(in.bytes());
        in.keep(lines.keep);
        out.clear();
        for (auto const line : lines.lines)
            append_response(out, line, dialogue);
        if (!write_all(out) || lines.ec)
            return 1;
    }
}
