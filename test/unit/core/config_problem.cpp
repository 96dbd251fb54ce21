#include <linkspan/core/config_problem.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(config_problem_test)

using namespace linkspan;
using severity = config_problem::severity;

BOOST_AUTO_TEST_CASE(problem_text_is_one_line)
{
    config_problem problem{{severity::error, "files", "/mcpServers/files/comand", "unknown key"}};
    BOOST_TEST(to_string(problem) == "error: server 'files', /mcpServers/files/comand: unknown key");
    problem.origin = "claude.json";
    BOOST_TEST(to_string(problem) == "claude.json: error: server 'files', /mcpServers/files/comand: unknown key");
    BOOST_TEST(to_string(config_problem{{severity::warning, "", "", "odd"}}) == "warning: odd");
    BOOST_TEST(to_string(config_problem{{severity::warning, "", "/x", "odd"}}) == "warning: /x: odd");
    BOOST_TEST(to_string(config_problem{{severity::error, "files", "", "odd"}}) == "error: server 'files': odd");
}

BOOST_AUTO_TEST_CASE(problem_text_replaces_control_characters)
{
    config_problem const problem{{severity::error, "a\x1b[2J", std::string("/x\0y\n", 5), "odd\x7f"}};
    BOOST_TEST(to_string(problem) == "error: server 'a?[2J', /x?y?: odd?");
    config_problem const eight_bits{{severity::error,
                                     "a\xc2\x9b"
                                     "2J",
                                     "/\x9b", "h\xc3\xa9\xc2\xa0"}};
    BOOST_TEST(to_string(eight_bits) == "error: server 'a?2J', /?: h\xc3\xa9\xc2\xa0");
}

BOOST_AUTO_TEST_CASE(warning_is_not_an_error)
{
    BOOST_TEST(!has_errors({}));
    BOOST_TEST(!has_errors({{{severity::warning, "", "", ""}}}));
    BOOST_TEST(has_errors({{{severity::warning, "", "", ""}}, {{severity::error, "", "", ""}}}));
}

BOOST_AUTO_TEST_SUITE_END()
