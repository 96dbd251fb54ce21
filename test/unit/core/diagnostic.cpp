#include <linkspan/core/diagnostic.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(diagnostic_test)

using linkspan::diagnostic;
using severity = diagnostic::severity;

BOOST_AUTO_TEST_CASE(text_has_subject_location_and_message)
{
    diagnostic const all{severity::warning, "tool 'search'", "/inputSchema/properties/city", "too deep"};
    BOOST_TEST(to_string(all) == "tool 'search': /inputSchema/properties/city: too deep");
}

BOOST_AUTO_TEST_CASE(text_omits_empty_parts)
{
    BOOST_TEST(to_string(diagnostic{severity::error, "", "", "odd"}) == "odd");
    BOOST_TEST(to_string(diagnostic{severity::error, "search", "", "odd"}) == "search: odd");
    BOOST_TEST(to_string(diagnostic{severity::error, "", "/type", "odd"}) == "/type: odd");
    BOOST_TEST(to_string(diagnostic{severity::error, "search", "/type", ""}) == "search: /type: ");
}

BOOST_AUTO_TEST_CASE(separator_of_the_location_is_used_only_with_subject_and_location)
{
    auto const text = [](std::string_view subject, std::string_view pointer) {
        std::string out = "> ";
        linkspan::detail::append_diagnostic(out, subject, pointer, "odd", ", ");
        return out;
    };
    BOOST_TEST(text("a", "/b") == "> a, /b: odd");
    BOOST_TEST(text("a", "") == "> a: odd");
    BOOST_TEST(text("", "/b") == "> /b: odd");
}

BOOST_AUTO_TEST_CASE(diagnostics_are_equal_if_all_members_are)
{
    diagnostic const one{severity::error, "a", "/b", "c"};
    BOOST_TEST((one == diagnostic{severity::error, "a", "/b", "c"}));
    BOOST_TEST((one != diagnostic{severity::warning, "a", "/b", "c"}));
    BOOST_TEST((one != diagnostic{severity::error, "x", "/b", "c"}));
    BOOST_TEST((one != diagnostic{severity::error, "a", "/x", "c"}));
    BOOST_TEST((one != diagnostic{severity::error, "a", "/b", "x"}));
    BOOST_TEST((diagnostic().level == severity::error));
}

BOOST_AUTO_TEST_SUITE_END()
