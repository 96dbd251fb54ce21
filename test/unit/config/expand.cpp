#include <linkspan/config/expand.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

BOOST_AUTO_TEST_SUITE(expand_test)

using namespace linkspan;
namespace data = boost::unit_test::data;

namespace {

std::optional<std::string> environment(std::string_view name)
{
    static std::map<std::string, std::string, std::less<>> const variables{{"A", "1"},         {"B", "two"},
                                                                           {"EMPTY", ""},      {"SELF", "${SELF}"},
                                                                           {"OTHER", "${A}"},  {"HOME", "/home/of/env"},
                                                                           {"A}${B", "never"}, {"x:y", "odd"}};
    auto const found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
}

struct row {
    char const* text;
    char const* expanded;
    char const* uses = ""; // a letter for each variable: found, defaulted, missing, nested
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.text; }

std::string letters(std::vector<variable_use> const& uses)
{
    std::string out;
    for (auto const& use : uses)
        out += "fdmn"[static_cast<int>(use.status)];
    return out;
}

row const whole_values[] = {
    {"${A}", "1", "f"},
    {"${EMPTY}", "", "f"}, // set to an empty text
    {"${NOPE}", "", "m"},
    {"literal", "literal"},
    {"", ""},
    {"prefix_${A}_suffix", "prefix_${A}_suffix"},
    {"${A}_suffix", "${A}_suffix"},
    {"prefix_${A}", "prefix_${A}"},
    {"${A}${B}", "${A}${B}"}, // no variable is named "A}${B"
    {"${}", "${}"},
    {"$", "$"},
    {"${", "${"},
    {"${A", "${A"},
    {"$A", "$A"},
    {"$${A}", "$${A}"},
    {" ${A}", " ${A}"},
    {"${A}\n", "${A}\n"},
    {"${x:y}", "odd", "f"}, // all text between the braces is the name
    {"${A:-1}", "", "m"},
    {"${SELF}", "${SELF}", "f"}, // variables in a value are not replaced
    {"${OTHER}", "${A}", "f"},
};

row const interpolations[] = {
    {"", ""},
    {"literal", "literal"},
    {"${A}", "1", "f"},
    {"<${A}>", "<1>", "f"},
    {"${A}${B}", "1two", "ff"},
    {"${env:A}-${env:B}", "1-two", "ff"},
    {"<${NOPE}>", "<>", "m"},
    {"<${env:NOPE}>", "<>", "m"},
    {"${A:-no}", "1", "f"},
    {"${NOPE:-yes}", "yes", "d"},
    {"${env:NOPE:-yes}", "yes", "d"},
    {"${NOPE:-}", "", "d"},
    {"${EMPTY:-no}", "", "f"}, // set to an empty text
    {"${NOPE:-a:-b}", "a:-b", "d"},
    {"${NOPE:-https://x/y}/z", "https://x/y/z", "d"},
    {"${NOPE:-${A}}", "}", "n"},
    {"$${A}", "${A}"},
    {"$${A}${A}", "${A}1", "f"},
    {"$$${A}", "$${A}"},
    {"$$A", "$$A"},
    {"$", "$"},
    {"a$", "a$"},
    {"${", "${"},
    {"${A", "${A"},
    {"${}", "${}"},
    {"${}${A}", "${}1", "f"},
    {"100%$x{A}", "100%$x{A}"},
    {"${SELF}", "${SELF}", "f"}, // variables in a value are not replaced
    {"${OTHER}${A}", "${A}1", "ff"},
    {"${input:known}", "value", "f"},
    {"${input:silent}", "", "m"},
    {"${input:unknown}", "", "m"},
    {"${input:silent:-x}", "x", "d"},
    {"${workspaceFolder}/x", "/srv/x", "f"},
    {"${userHome}/x", "/home/of/env/x", "f"},
    {"${config:x}", "", "m"},
    {"${ A }", "", "m"},
};

variable_sources sources()
{
    variable_sources from(environment);
    from.inputs = [](input_variable const& variable) -> std::optional<std::string> {
        return variable.id == "known" ? std::optional<std::string>("value") : std::nullopt;
    };
    from.workspace_folder = "/srv";
    return from;
}

std::array<input_variable, 2> const inputs{{{.id = "known"}, {.id = "silent"}}};

} // namespace

BOOST_DATA_TEST_CASE(whole_value_mode_replaces_text_that_is_one_variable, data::make(whole_values))
{
    auto const out = expand_text(sample.text, expand::whole_value, sources(), inputs);
    BOOST_TEST(out.text == sample.expanded);
    BOOST_TEST(letters(out.uses) == sample.uses);
}

BOOST_DATA_TEST_CASE(interpolation_replaces_variables_anywhere, data::make(interpolations))
{
    auto const out = expand_text(sample.text, expand::interpolate, sources(), inputs);
    BOOST_TEST(out.text == sample.expanded);
    BOOST_TEST(letters(out.uses) == sample.uses);
}

BOOST_AUTO_TEST_CASE(variable_use_has_name_value_and_kind)
{
    auto const uses = expand_text("${A}${env:B}${input:known}${userHome}", expand::interpolate, sources(), inputs).uses;
    BOOST_TEST_REQUIRE(uses.size() == 4u);
    BOOST_TEST(uses[0].name == "A");
    BOOST_TEST(uses[0].value == "1");
    BOOST_TEST(uses[1].name == "B");
    BOOST_TEST((uses[1].of == variable_use::kind::environment));
    BOOST_TEST(uses[2].name == "known");
    BOOST_TEST((uses[2].of == variable_use::kind::input));
    BOOST_TEST((uses[3].of == variable_use::kind::folder));
}

BOOST_AUTO_TEST_CASE(variables_without_a_source_are_missing)
{
    variable_sources from{env_source()};
    for (auto const* text : {"${A}", "${input:known}", "${workspaceFolder}", "${userHome}"})
        BOOST_TEST(letters(expand_text(text, expand::interpolate, from, inputs).uses) == "m");
    from.user_home = "/home/of/me";
    BOOST_TEST(expand_text("${userHome}", expand::interpolate, from).text == "/home/of/me");
}

BOOST_AUTO_TEST_CASE(default_source_is_the_process_environment)
{
    auto const from = process_environment();
    BOOST_TEST((from("PATH") == std::string(std::getenv("PATH"))));
    BOOST_TEST(!from("LINKSPAN_NO_SUCH_VARIABLE"));
    BOOST_TEST(!from(std::string_view("PATH\0X", 6)));
    BOOST_TEST(!from(""));
}

BOOST_AUTO_TEST_CASE(plain_name_is_at_most_64_ascii_characters)
{
    for (auto const* name : {"A", "GITHUB_TOKEN", "a1", "_"})
        BOOST_TEST(is_plain_name(name));
    for (auto const* name : {"", "a b", "A:-x", "A}", "\xc3\xa9", "a-b", "a\n"})
        BOOST_TEST(!is_plain_name(name));
    BOOST_TEST(is_plain_name(std::string(64, 'a')));
    BOOST_TEST(!is_plain_name(std::string(65, 'a')));
}

BOOST_AUTO_TEST_SUITE_END()
