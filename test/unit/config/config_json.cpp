#include <linkspan/config/config_json.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(config_json_test)

using namespace linkspan;

namespace {

connector_config read(std::string_view text) { return connector_config::from_json(text); }

std::string text_of(connector_config const& config, literal_values literals = literal_values::redacted)
{
    return boost::json::serialize(to_json(config, literals));
}

constexpr char const* every_key = R"({
    "inputs": [{"id": "pin", "description": "The PIN", "password": true}],
    "mcpServers": {
        "files": {"command": "uvx", "args": ["mcp-files", "--root", "${workspaceFolder}", "$${literal"],
                  "env": {"TOKEN": "${TOKEN}", "MODE": "fast"}, "cwd": "/srv", "inherit_env": "all",
                  "description": "Files", "enabled": false, "required": true, "start": "lazy",
                  "restart": {"max_restarts": 9, "wait": 0.5, "unresponsive_after": 40.5},
                  "timeout": 7, "startup_timeout": 60, "priority": 8, "tags": ["a", "b"], "trust_annotations": true, "validate_arguments": true,
                  "validate_results": false, "max_in_flight": 4, "max_line": 4096, "replicas": 2,
                  "result_classifier": "status", "result_ttl": 30,
                  "envFile": ".env", "includeTools": ["read"], "excludeTools": ["write"],
                  "tools": {"read": {"replay": "read_only", "group": "reading", "result_ttl": 0.5}}, "strict": true},
        "web": {"type": "sse", "url": "https://user:hunter2@example.com/sse?key=opensesame",
                "headers": {"Authorization": "Bearer ${env:WEB_TOKEN}", "X-Key": "opensesame"},
                "unix_socket": "/run/web"}
    },
    "default_timeout": 45, "max_retries": 2, "validate_results": true})";

constexpr char const* plain_format = R"({"servers": {
    "a": {"command": "x", "args": ["${not a variable}"], "env": {"K": "${K}", "L": "a-${K}"}, "inherit_env": "safe"},
    "b": {"url": "http://localhost/mcp"}}})";

} // namespace

BOOST_AUTO_TEST_CASE(written_document_is_read_as_the_same_configuration)
{
    for (auto const* const document : {every_key, plain_format, R"({"mcpServers":{}})"}) {
        auto const config = read(document);
        BOOST_TEST(config.problems.empty());
        auto const text = text_of(config, literal_values::kept);
        auto const again = read(text);
        BOOST_TEST(again.problems.empty(), text);
        BOOST_TEST(text_of(again, literal_values::kept) == text);
        BOOST_TEST(again.servers.size() == config.servers.size());
        for (std::size_t i = 0; i != again.servers.size(); ++i)
            BOOST_TEST((again.servers[i].expansion == config.servers[i].expansion));
    }
}

BOOST_AUTO_TEST_CASE(written_document_has_every_key_of_the_original)
{
    auto const document = boost::json::parse(every_key);
    auto const written = to_json(read(every_key), literal_values::kept);
    for (auto const& [name, server] : document.at("mcpServers").as_object())
        for (auto const& [key, value] : server.as_object()) {
            auto const* const again = written.at("mcpServers").at(name).as_object().if_contains(key);
            BOOST_TEST((again && (*again == value || again->is_number())), name << ": " << key);
        }
}

BOOST_AUTO_TEST_CASE(secrets_are_redacted_and_variables_are_kept_in_written_document)
{
    auto const text = text_of(read(every_key));
    for (auto const* const secret : {"hunter2", "opensesame", "fast"})
        BOOST_TEST(text.find(secret) == text.npos, text);
    for (auto const* const variable : {R"("TOKEN":"${TOKEN}")", R"("Bearer ${env:WEB_TOKEN}")", "${workspaceFolder}"})
        BOOST_TEST(text.find(variable) != text.npos, text);
    auto const config = read(R"({"mcpServers":{"s":{"command":"c","env":{"A":"${A:-opensesame}","B":"x${B}"},
        "args":["--api-key","opensesame","--auth-token=opensesame","--token","${T}","plain"]}}})");
    auto const json = to_json(config);
    auto const& server = json.at("mcpServers").at("s");
    BOOST_TEST(boost::json::serialize(server.at("args")) ==
               R"(["--api-key","***","--auth-token=***","--token","${T}","plain"])");
    BOOST_TEST(server.at("env").at("A") == "***");
    BOOST_TEST(server.at("env").at("B") == "***");
}

BOOST_AUTO_TEST_CASE(texts_of_plain_format_are_not_expanded_in_merged_document)
{
    auto const both = read(plain_format) | read(every_key);
    auto const again = read(text_of(both, literal_values::kept));
    BOOST_TEST(again.problems.empty());
    BOOST_TEST_REQUIRE(again.find("a"));
    auto const sources = variable_sources([](std::string_view) { return std::optional<std::string>("value"); });
    auto const resolved = again.find("a")->resolve(sources);
    BOOST_TEST_REQUIRE(resolved.stdio.has_value());
    BOOST_TEST(resolved.stdio->args.at(0) == "${not a variable}");
    BOOST_TEST(resolved.stdio->env.at("K") == "value");
    BOOST_TEST(resolved.stdio->env.at("L") == "a-${K}");
}

BOOST_AUTO_TEST_CASE(empty_document_is_empty_configuration_with_a_warning)
{
    auto const config = connector_config::from_json(" {} ", "claude.json");
    BOOST_TEST(config.servers.empty());
    BOOST_TEST(!config.has_errors());
    BOOST_TEST_REQUIRE(config.problems.size() == 1u);
    BOOST_TEST(to_string(config.problems[0]) == "claude.json: warning: the document is empty: no servers");
}

BOOST_AUTO_TEST_CASE(server_is_found_by_name_or_key)
{
    auto config = read(R"({"mcpServers":{"My Files":{"command":"c"},"other":{"command":"d"}}})");
    BOOST_TEST_REQUIRE(config.find("My Files"));
    BOOST_TEST(config.find("My Files") == config.find("My_Files"));
    BOOST_TEST(!config.find("unknown_server"));
    config.find("other")->command = "changed";
    BOOST_TEST(config.servers[1].command == "changed");
}

BOOST_AUTO_TEST_CASE(client_keys_are_written_and_read_back)
{
    auto const config = connector_config::from_json(R"({"inputs": [{"id": "a", "default": "x"}], "mcpServers": {
        "s": {"command": "c", "envFile": "${workspaceFolder}/.env", "includeTools": ["a", "b"], "disabledTools": ["b"]}}})");
    auto const again = connector_config::from_json(boost::json::value(to_json(config)));
    BOOST_TEST_REQUIRE(again.servers.size() == 1u);
    auto const& server = again.servers[0];
    BOOST_TEST(server.env_file == "${workspaceFolder}/.env");
    BOOST_TEST(server.allows_tool("a"));
    BOOST_TEST(!server.allows_tool("b"));
    BOOST_TEST(!server.allows_tool("c"));
    BOOST_TEST(server.inputs.at(0).fallback == "x");
}

BOOST_AUTO_TEST_SUITE_END()
