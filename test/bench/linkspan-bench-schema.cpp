// linkspan-bench-schema: validates values against the schemas of real tools, which are not part of the project,
// compared with the parsing of the same values (the floor). Prints one JSON object. Pin the process to a CPU (taskset
// -c 1).
//
//   --seconds N     duration of each measurement; default 0.5
//   LINKSPAN_SHARED the directory that contains tool-corpus/

#include <linkspan/json/json_writer.hpp>
#include <linkspan/schema/validator.hpp>
#include <linkspan/test/sample.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "report.hpp"

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using namespace bench;

struct described {
    std::string name; // of the tool
    std::string text;
    json::value schema;
};

std::vector<described> schemas_of_tools(fs::path const& folder)
{
    std::vector<described> out;
    for (auto const& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".json")
            continue;
        std::ifstream file(entry.path());
        std::string const text(std::istreambuf_iterator<char>(file), {});
        json::parse_options options;
        options.max_depth = 128;
        auto const server = json::parse(text, {}, options);
        for (auto const& tool : server.at("tools").as_array())
            for (auto const* const key : {"inputSchema", "outputSchema"})
                if (auto const* const schema = tool.as_object().if_contains(key)) {
                    auto& made = out.emplace_back();
                    made.name = json::value_to<std::string>(tool.at("name"));
                    made.schema = *schema;
                    linkspan::append_json(made.text, *schema);
                }
    }
    std::ranges::sort(out, [](auto const& one, auto const& other) {
        return one.text.size() != other.text.size() ? one.text.size() > other.text.size() : one.name < other.name;
    });
    return out;
}

struct checked_values {
    linkspan::schema_validator check;
    std::vector<json::value> values;
};

void bench_values(std::vector<described> const& schemas)
{
    constexpr int samples = 10;
    std::vector<checked_values> all;
    std::vector<std::string> texts;
    std::size_t bytes = 0;
    for (auto const& one : schemas) {
        auto& made = all.emplace_back(checked_values{linkspan::schema_validator(one.schema), {}});
        if (!made.check.ok())
            stop("a schema cannot be compiled");
        linkspan::test::sampler values(one.schema, 1);
        for (int i = 0; i != samples; ++i)
            if (auto value = values.next()) {
                linkspan::append_json(texts.emplace_back(), *value);
                bytes += texts.back().size();
                made.values.push_back(std::move(*value));
            }
    }
    report_number("values", static_cast<double>(texts.size()));
    report_number("their bytes", static_cast<double>(bytes));
    auto const ours = report("values of all tools", "linkspan", bytes, [&] {
        for (auto const& one : all)
            for (auto const& value : one.values)
                if (!one.check.accepts(value))
                    stop("a value is not valid");
    });
    auto const parsing = report("values of all tools", "json::parse", bytes, [&] {
        for (auto const& text : texts)
            keep(json::parse(text));
    });
    report_number("values of all tools, linkspan to the parsing", ours.ns / parsing.ns);
}

void bench_compile(std::vector<described> const& schemas)
{
    for (std::size_t i = 0; i != std::min<std::size_t>(schemas.size(), 3); ++i) {
        auto const& one = schemas[i];
        auto const what = "compile " + one.name + ", " + std::to_string(one.text.size()) + " bytes";
        auto const ours =
            report(what, "linkspan", one.text.size(), [&] { keep(linkspan::schema_validator(one.schema)); });
        auto const parsing = report(what, "json::parse", one.text.size(), [&] { keep(json::parse(one.text)); });
        report_number(what + ", ms", ours.ns / 1e6);
        report_number(what + ", linkspan to the parsing", ours.ns / parsing.ns);
    }
}

} // namespace

int main(int argc, char** argv)
{
    read_options(argc, argv);
    auto const* const shared = std::getenv("LINKSPAN_SHARED");
    auto const folder = fs::path(shared ? shared : "../shared") / "tool-corpus";
    if (fs::exists(folder)) {
        auto const schemas = schemas_of_tools(folder);
        bench_values(schemas);
        bench_compile(schemas);
    } else {
        report_text("skipped", "the descriptions of real tools are not in " + folder.string());
    }
    end_report();
}
