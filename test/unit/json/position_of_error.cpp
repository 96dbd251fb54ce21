#include <linkspan/json/detail/position_of_error.hpp>

#include <boost/test/unit_test.hpp>

#include <utility>

BOOST_AUTO_TEST_SUITE(position_of_error_test)

using linkspan::detail::position_of_error;

BOOST_AUTO_TEST_CASE(position_of_json_error_has_line_and_column)
{
    for (auto const& [text, position] : {
             std::pair("", "line 1, column 1"),
             {"{x", "line 1, column 2"},
             {"{\n  \"mcpServers\": {\n    nothing\n}}", "line 3, column 5"},
             {"{\"mcpServers\":{}} x", "line 1, column 19"},
             {"{\"mcpServers\":", "line 1, column 15"},
         })
        BOOST_TEST(position_of_error(text) == position);
}

BOOST_AUTO_TEST_SUITE_END()
