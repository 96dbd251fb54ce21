#ifndef LINKSPAN_TEST_BENCH_ECHO_SERVER_HPP
#define LINKSPAN_TEST_BENCH_ECHO_SERVER_HPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/server.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace bench {

// Adds the tool `echo`, whose result is the text of the member `text` of the arguments.
inline void add_echo(linkspan::server& to)
{
    linkspan::tool definition;
    definition.name = "echo";
    definition.input_schema = R"({"type":"object"})";
    to.add(std::move(definition), [](linkspan::server_request request) {
        std::string_view constexpr head = R"({"content":[{"type":"text","text":)", tail = "}]}";
        auto const text = linkspan::json_scan::member(request.arguments(), "text");
        std::string result;
        result.reserve(head.size() + text.size() + tail.size() + 2); // one allocation per call
        ((result += head) += text.empty() ? R"("")" : text) += tail;
        request.complete(linkspan::raw_json(result));
    });
}

} // namespace bench

#endif
