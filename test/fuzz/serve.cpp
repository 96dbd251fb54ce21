// Sends arbitrary bytes to a server with entries of all kinds, as lines or over HTTP. Each line of the server must be a
// valid JSON-RPC message, and the server must have no request left when the client has disconnected.

#include <linkspan/model/elicitation.hpp>
#include <linkspan/protocol/envelope.hpp>
#include <linkspan/server.hpp>
#include <linkspan/server/http_endpoint.hpp>
#include <linkspan/transport/memory_byte_stream.hpp>
#include <linkspan/transport/memory_pipe.hpp>

#include <boost/asio/io_context.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace {

namespace asio = boost::asio;
using linkspan::server;
using linkspan::server_request;

void add_entries(server& own)
{
    linkspan::tool echo, ask, work;
    echo.name = "echo";
    echo.input_schema = R"({"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}})";
    own.add(echo, [](server_request request) {
        request.report_progress(1);
        request.log(linkspan::log_level::error, linkspan::raw_json("1"));
        request.complete(linkspan::tool_output::text(std::string(request.arguments())));
    });
    ask.name = "ask";
    ask.input_schema = R"({"type":"object"})";
    own.add(ask, [](server_request given) {
        auto const request = std::make_shared<server_request>(std::move(given));
        request->async_ask<linkspan::elicitation>({}, [request](linkspan::error_code ec, auto const&) {
            ec ? request->fail(ec) : request->complete(linkspan::tool_output::text("asked"));
        });
    });
    work.name = "work";
    work.input_schema = R"({"type":"object"})";
    work.tasks = linkspan::task_support::optional;
    own.add(work, [](server_request request) {
        request.become_task();
        if (!request.input<linkspan::elicitation>("k"))
            return request.require_input({request.to_input<linkspan::elicitation>("k", {})}, "state");
        request.complete(linkspan::tool_output::text("done"));
    });
    own.add(linkspan::resource{.uri = "a://b"}, [] { return std::string("b"); });
    own.add(linkspan::resource_template{.uri_template = "a://{x}/{y}"},
            [](linkspan::uri_template::values const& values) { return values[0].second; });
    own.add(linkspan::prompt{.name = "p", .arguments = {{.name = "x", .required = true}}},
            [] { return std::string("p"); });
    own.set_completion_handler([](linkspan::completion_request const&) { return linkspan::completion_result(); });
}

// Writes bytes to the server, and returns what the server has written.
std::string exchange(asio::io_context& context, linkspan::memory_end const& end, std::string_view bytes)
{
    linkspan::error_code ec;
    while (!bytes.empty() && !ec) {
        bytes.remove_prefix(end.out->write_some(asio::buffer(bytes.data(), bytes.size()), ec));
        context.restart();
        context.poll();
        if (ec == asio::error::would_block)
            break;
    }
    context.restart();
    context.poll();
    std::string out;
    // A read without bytes remains outstanding until the stream is closed.
    struct state {
        std::array<char, 4096> part{};
        std::size_t received = 0;
        bool ended = true;
    };
    linkspan::memory_byte_stream stream(context.get_executor(), end);
    std::shared_ptr<state> last;
    do {
        last = std::make_shared<state>();
        stream.read_some(asio::buffer(last->part), {[last](linkspan::error_code failed, std::size_t size) {
                                                        last->received = size;
                                                        last->ended = failed || size == 0;
                                                    },
                                                    context.get_executor()});
        context.restart();
        context.poll();
        out.append(last->part.data(), last->received);
    } while (!last->ended);
    stream.close();
    return out;
}

void require(bool condition)
{
    if (!condition)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    if (size == 0)
        return 0;
    std::string_view const bytes(reinterpret_cast<char const*>(data) + 1, size - 1);
    asio::io_context context{1};
    server own(context.get_executor(), {.name = "fuzz", .version = "1"});
    add_entries(own);
    auto const [mine, theirs] = linkspan::make_memory_pipe();
    bool const uses_lines = data[0] % 2 == 0;
    linkspan::http_endpoint endpoint(own);
    if (uses_lines)
        own.async_serve(linkspan::any_transport::make<linkspan::inproc_server>(context.get_executor(), {theirs}), {},
                        [](linkspan::error_code) {});
    else
        endpoint.serve(std::make_unique<linkspan::memory_byte_stream>(context.get_executor(), theirs));
    auto const written = exchange(context, mine, bytes);
    if (uses_lines)
        for (std::string_view rest = written; !rest.empty();) {
            auto const line = rest.substr(0, rest.find('\n'));
            auto const what = linkspan::read_envelope(line).what;
            require(what != linkspan::envelope::kind::invalid && what != linkspan::envelope::kind::not_json);
            rest.remove_prefix(line.size() + 1);
        }
    mine.close();
    own.close();
    context.restart();
    context.poll();
    require(own.counters().clients == 0);
    return 0;
}
