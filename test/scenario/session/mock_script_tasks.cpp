// Scripts whose calls become tasks, and the expressions and actions that such scripts use.

#include <linkspan/session/tasks.hpp>
#include <linkspan/test/script/mock_script.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <regex>
#include <string>
#include <vector>

#include "support/contains.hpp"
#include "support/rpc_error.hpp"
#include "support/script_problems.hpp"
#include "support/script_world.hpp"

BOOST_AUTO_TEST_SUITE(mock_script_tasks_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::protocol_version;
using linkspan::task_status;

namespace {

constexpr protocol_version newest[] = {protocol_version::v2025_11_25, protocol_version::v2026_07_28};

// A session with the server of `long-export.json`.
struct export_world : script_world {
    boost::asio::awaitable<linkspan::tool> open_exports(protocol_version version)
    {
        exports.emplace();
        project_script("long-export.json").add_to(*exports);
        exports->dialogue().protocol_versions = {version};
        client.emplace(executor, linkspan::via<linkspan::inproc>(*exports), options);
        co_await client->async_open();
        auto const list = co_await client->async_list_tools();
        co_return list.tools.at(0);
    }

    void clean_up()
    {
        client.reset();
        exports.reset();
        script_world::clean_up();
    }

    std::optional<scripted_server> exports;
};

} // namespace

LINKSPAN_CASE_IN(export_world, a_call_of_a_script_becomes_a_task_in_both_eras)
{
    for (auto const version : newest) {
        auto const tool = co_await open_exports(version);
        BOOST_TEST((tool.tasks == linkspan::task_support::optional));
        auto const started = co_await linkspan::async_start_task(*client, tool);
        BOOST_TEST_REQUIRE(started.task.has_value());
        BOOST_TEST((started.task->poll_interval == 500ms));
        auto const begin = time.now();
        auto const result = co_await linkspan::async_wait_task(*client, *started.task);
        BOOST_TEST(result.text() == "1,200 rows");
        auto const took = time.now() - begin;
        BOOST_TEST((took >= 3s && took <= 3500ms));
        auto const found = co_await linkspan::async_get_task(*client, "export-1");
        BOOST_TEST((found->status == task_status::completed));
        auto const [ec, none] = co_await linkspan::async_get_task(*client, "export-2", in_tuple);
        BOOST_TEST(ec == rpc(-32602));
        auto const plain = co_await client->async_call_tool("export");
        BOOST_TEST(plain.text() == "1,200 rows");
    }
}

LINKSPAN_CASE_IN(export_world, a_task_of_a_script_is_cancelled_in_both_eras)
{
    for (auto const version : newest) {
        auto const tool = co_await open_exports(version);
        auto const started = co_await linkspan::async_start_task(*client, tool);
        BOOST_TEST_REQUIRE(started.task.has_value());
        co_await linkspan::async_cancel_task(*client, started.task->id);
        auto const [ec, result] = co_await linkspan::async_wait_task(*client, *started.task, in_tuple);
        BOOST_TEST(ec == make_error_code(linkspan::error::task_cancelled));
    }
}

LINKSPAN_CASE_IN(script_world, expressions_have_the_id_the_time_and_a_uuid)
{
    co_await open(script_with(R"("rules":[
        {"on":{"call":"t"},"do":[{"structured":{"id":"${id}","time":"${now}","uuid":"${uuid}","text":"#${id}"}}]}])"));
    std::vector<boost::json::object> values;
    for (int i = 0; i != 2; ++i) {
        co_await reply("t");
        values.push_back(boost::json::parse(last_result.structured()).as_object());
        co_await pass(executor, 1500ms);
    }
    auto const& first = values[0];
    auto const& second = values[1];
    BOOST_TEST(first.at("id").is_number());
    BOOST_TEST(first.at("id") != second.at("id"));
    BOOST_TEST(first.at("text").as_string() == "#" + boost::json::serialize(first.at("id")));
    std::regex const rfc3339(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)");
    std::regex const uuid("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    for (auto const& one : values) {
        BOOST_TEST(std::regex_match(std::string(one.at("time").as_string()), rfc3339));
        BOOST_TEST(std::regex_match(std::string(one.at("uuid").as_string()), uuid));
    }
    BOOST_TEST(first.at("time").as_string() < second.at("time").as_string());
    BOOST_TEST(first.at("uuid") != second.at("uuid"));
}

LINKSPAN_CASE_IN(script_world, reset_gives_scenarios_and_variables_their_values_at_the_start)
{
    co_await open(script_with(R"("scenarios":{"door":"closed"},"vars":{"n":5},"rules":[
        {"on":{"call":"t"},"where":{"/arguments/reset":true},"do":[{"reset":true},{"text":"done"}]},
        {"on":{"call":"t"},"state":{"door":"closed"},"set":{"door":"open","other":"on","$n":{"add":1},"$new":1},
         "do":[{"text":"opened"}]},
        {"on":{"call":"t"},"state":{"other":"on"},"do":[{"text":"n=${vars.n} new=${vars.new}"}]}])"));
    for (int i = 0; i != 2; ++i) {
        BOOST_TEST(co_await reply("t") == "opened");
        BOOST_TEST(co_await reply("t") == "n=6 new=1");
        BOOST_TEST(co_await reply("t", R"({"reset":true})") == "done");
        BOOST_TEST(server.values().vars == (boost::json::object{{"n", 5}}));
        BOOST_TEST(server.values().states.size() == 1u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
