#include <linkspan/model/entry_list.hpp>
#include <linkspan/model/log_message.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string_view>

BOOST_AUTO_TEST_SUITE(entry_list_test)

using namespace linkspan;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(pages_are_merged)
{
    resource_list list;
    BOOST_TEST(!append_page(list, R"({"resources":[{"uri":"a:","name":"a"}],"ttlMs":5000,"cacheScope":"public"})"));
    BOOST_TEST(list.is_public);
    BOOST_TEST(!append_page(list, R"({"resources":[{"uri":"b:","name":"b"}],"ttlMs":2000,"cacheScope":"private"})"));
    BOOST_TEST(!append_page(list, R"({"resources":[]})"));
    BOOST_TEST(list.pages == 3u);
    BOOST_TEST(list.entries.size() == 2u);
    BOOST_TEST(list.entries.at(1).uri == "b:");
    BOOST_TEST((list.ttl == 2s));
    BOOST_TEST(!list.is_public);
}

BOOST_AUTO_TEST_CASE(entries_that_are_not_valid_are_counted)
{
    resource_template_list templates;
    BOOST_TEST(!append_page(templates, R"({"resourceTemplates":[{"name":"a"},{"uriTemplate":"b:{x}","name":"b"},7]})"));
    BOOST_TEST(templates.entries.size() == 1u);
    BOOST_TEST(templates.dropped == 2u);
    prompt_list prompts;
    BOOST_TEST(!append_page(prompts, R"({"prompts":[null,{"name":"p"}]})"));
    BOOST_TEST(prompts.entries.size() == 1u);
    BOOST_TEST(prompts.dropped == 1u);
}

BOOST_AUTO_TEST_CASE(page_without_entries_is_malformed_and_changes_nothing)
{
    for (std::string_view const page : {"", "null", "{}", R"({"resources":{}})", R"({"prompts":[]})"}) {
        resource_list list;
        BOOST_TEST((append_page(list, page) == error::malformed_message));
        BOOST_TEST(list.pages == 0u);
    }
}

BOOST_AUTO_TEST_CASE(log_message_has_a_known_level_and_data)
{
    auto const full = read_log_message(R"({"level":"notice","logger":"db","data":{"k":[1]}})");
    BOOST_REQUIRE(full);
    BOOST_TEST((*full == log_message{log_level::notice, "db", R"({"k":[1]})"}));
    BOOST_TEST(read_log_message(R"({"level":"debug","data":null})")->data == "null");
    for (std::string_view const params : {"", "{}", R"({"level":"loud","data":1})", R"({"level":"info"})",
                                          R"({"data":1})", R"({"level":1,"data":1})"})
        BOOST_TEST(!read_log_message(params), params);
}

BOOST_AUTO_TEST_SUITE_END()
