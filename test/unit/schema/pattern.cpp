#include <linkspan/schema/pattern.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(pattern_test)

using linkspan::schema_pattern;
using namespace std::string_view_literals;

namespace {

constexpr std::size_t many = 10'000'000;

schema_pattern::outcome search(schema_pattern const& pattern, std::string_view text, std::size_t steps = many)
{
    schema_pattern::memory memory;
    return pattern.search(text, memory, steps);
}

bool matches(std::string_view pattern, std::string_view text)
{
    schema_pattern const made(pattern);
    BOOST_TEST_REQUIRE(made.fault_text() == "");
    return search(made, text) == schema_pattern::outcome::found;
}

schema_pattern::fault fault_of(std::string_view pattern) { return schema_pattern(pattern).fault_kind(); }

} // namespace

BOOST_AUTO_TEST_CASE(pattern_matches_anywhere_unless_anchored)
{
    BOOST_TEST(matches("b.d", "abcde"));
    BOOST_TEST(!matches("^b", "ab"));
    BOOST_TEST(!matches("b$", "ba"));
    BOOST_TEST(matches("^ab$", "ab"));
    BOOST_TEST(!matches("^ab$", "ab\n"));
    BOOST_TEST(matches("", ""));
    BOOST_TEST(matches("a|^$", ""));
    BOOST_TEST(!matches("a|^$", "b"));
    BOOST_TEST(matches(R"(\bfoo\b)", "a foo b"));
    BOOST_TEST(!matches(R"(\bfoo\b)", "afoo b"));
    BOOST_TEST(matches(R"(\Boo)", "foo"));
}

BOOST_AUTO_TEST_CASE(repetitions_match_their_counts)
{
    BOOST_TEST(matches("^a*$", ""));
    BOOST_TEST(!matches("^a+$", ""));
    BOOST_TEST(matches("^ab?c$", "ac"));
    BOOST_TEST(matches("^a{2,3}$", "aaa"));
    BOOST_TEST(!matches("^a{2,3}$", "a"));
    BOOST_TEST(!matches("^a{2,3}$", "aaaa"));
    BOOST_TEST(matches("^a{2,}?$", "aaaaa"));
    BOOST_TEST(!matches("^(ab){2}$", "ab"));
    BOOST_TEST(matches("^(?:a|bc)+$", "abcbca"));
    BOOST_TEST(matches("^((a*)*)*$", "aaa"));
    BOOST_TEST(matches("^(a{0}){1000000}$", ""));
    BOOST_TEST(matches("^{a}{,2}$", "{a}{,2}"));
    BOOST_TEST(matches("^(?<year>\\d{4})-(?<month>\\d\\d)$", "2024-01"));
}

BOOST_AUTO_TEST_CASE(character_classes_have_members_ranges_and_negation)
{
    BOOST_TEST(matches("^[a-c_\\-]+$", "ab-_"));
    BOOST_TEST(!matches("^[^a-c]$", "b"));
    BOOST_TEST(matches("^[^a-c]$", "\u00e9"));
    BOOST_TEST(matches("^[a-zA-Z0-9\\-_.]+$", "Az.-_9"));
    BOOST_TEST(matches("^[\\d-x]+$", "1-x"));
    BOOST_TEST(matches("^[\\w\\s]+$", "a_ 1\t\u00a0"));
    BOOST_TEST(!matches("^[\\W\\d]$", "a"));
    BOOST_TEST(!matches("[]", "a"));
    BOOST_TEST(matches("^[^]$", "\n"));
    BOOST_TEST(!matches("^.$", "\n"));
    BOOST_TEST(!matches("^\\d$", "\u0663"));
}

BOOST_AUTO_TEST_CASE(characters_are_code_points)
{
    BOOST_TEST(matches("^.$", "\U0001f40d"));
    BOOST_TEST(matches("^\\ud83d\\udc0d$", "\U0001f40d"));
    BOOST_TEST(matches("^\\u{1F40D}\\x41\\cA\\t$", "\U0001f40dA\x01\t"));
    BOOST_TEST(matches("^[\u0430-\u044f]+$", "\u0436\u0437"));
    BOOST_TEST(matches("^\U0001f432*$", "\U0001f432\U0001f432"));
    BOOST_TEST(!matches("^\U0001f432*$", "\U0001f432\U0001f409"));
    BOOST_TEST(matches("^..$", "\xff\xc3"));
    BOOST_TEST(matches("^\\0$", "\0"sv));
}

BOOST_AUTO_TEST_CASE(unicode_categories_are_matched_by_name)
{
    BOOST_TEST(matches("^\\p{Letter}+$", "ma\u00f1ana\u0416\u65e5"));
    BOOST_TEST(!matches("^\\p{L}+$", "a1"));
    BOOST_TEST(matches("^\\p{Lu}\\p{Ll}$", "\u0416\u0436"));
    BOOST_TEST(!matches("^\\p{Lu}$", "\u0436"));
    BOOST_TEST(matches("^\\p{Nd}$", "\u0663"));
    BOOST_TEST(matches("^\\p{General_Category=Number}$", "\u2163"));
    BOOST_TEST(!matches("^\\P{L}$", "z"));
    BOOST_TEST(matches("^[^\\p{L}\\d]$", "-"));
}

BOOST_AUTO_TEST_CASE(invalid_pattern_is_malformed)
{
    for (auto const text :
         {"(",   ")",     "(?:",  "[",           "[a",    "a**",  "*",     "+a",     "a|?",  "^*",   "\\",
          "\\a", "\\u12", "\\x4", "\\u{110000}", "\\u{}", "\\c1", "[b-a]", "a{3,2}", "\\pL", "\\p{L"})
        BOOST_TEST((fault_of(text) == schema_pattern::fault::malformed), text);
}

BOOST_AUTO_TEST_CASE(valid_pattern_with_other_syntax_is_unsupported)
{
    for (auto const text :
         {"(a)\\1", "(?<n>a)\\k<n>", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?i:a)", "\\p{Script=Greek}"})
        BOOST_TEST((fault_of(text) == schema_pattern::fault::unsupported), text);
}

BOOST_AUTO_TEST_CASE(pattern_with_too_large_program_is_rejected_in_bounded_time)
{
    std::string categories;
    for (int i = 0; i != 1000; ++i)
        categories += "\\p{L}";
    for (auto const& text :
         {std::string("a{100000}"), std::string("((a{1000}){1000}){1000}"), std::string("(((a?){999}){999}){999}"),
          std::string(100'000, '('), categories, '[' + categories + ']'})
        BOOST_TEST((fault_of(text) == schema_pattern::fault::too_large), text.substr(0, 20));
    BOOST_TEST((fault_of(std::string(90, '(') + 'a' + std::string(90, ')')) == schema_pattern::fault::none));
}

// The programs of these patterns would be small. The parser still has to stop before the end of the text.
BOOST_AUTO_TEST_CASE(pattern_that_needs_much_memory_to_parse_is_rejected)
{
    std::string spaces;
    for (int i = 0; i != 10'000; ++i)
        spaces += "\\S";
    for (auto const& text : {"(?:" + std::string(1'000'000, 'a') + "){0}b", '[' + spaces + ']'})
        BOOST_TEST((fault_of(text) == schema_pattern::fault::too_large), text.substr(0, 20));
    BOOST_TEST((fault_of("(?:" + std::string(10'000, 'a') + "){0}b") == schema_pattern::fault::none));
    BOOST_TEST((fault_of('[' + spaces.substr(0, 2'000) + ']') == schema_pattern::fault::none));
}

BOOST_AUTO_TEST_CASE(size_limit_of_a_pattern_is_configurable)
{
    BOOST_TEST((schema_pattern("a{100}", 101).fault_kind() == schema_pattern::fault::none));
    schema_pattern const pattern("a{100}", 100);
    BOOST_TEST((pattern.fault_kind() == schema_pattern::fault::too_large));
    BOOST_TEST(pattern.program().empty());
    BOOST_TEST((schema_pattern("\\p{L}", 650).fault_kind() == schema_pattern::fault::none));
    BOOST_TEST((schema_pattern("\\p{L}", 649).fault_kind() == schema_pattern::fault::too_large));
    BOOST_TEST((schema_pattern("\\p{L}", 0).fault_kind() == schema_pattern::fault::too_large));
    BOOST_TEST((schema_pattern("(", 0).fault_kind() == schema_pattern::fault::malformed));
}

BOOST_AUTO_TEST_CASE(empty_groups_and_trivial_repetitions_add_no_instructions)
{
    for (auto const text : {"a", "(a)", "((a){1}){1}", "()a(?:())*", "a(b{0}){7}"})
        BOOST_TEST(schema_pattern(text).program().size() == 2U, text);
    BOOST_TEST(schema_pattern("(?:|)?a").program().size() == 5U); // alternatives do, also empty ones
}

BOOST_AUTO_TEST_CASE(patterns_that_cause_backtracking_take_linear_time)
{
    for (auto const text : {"^(a+)+$", "^(a|aa)*$", "^(a*)*b", "^(.*a){20}$", "(a?){50}a{50}x"}) {
        schema_pattern const pattern(text);
        schema_pattern::memory memory;
        std::size_t steps = many;
        auto const left = [&](std::size_t size) {
            steps = many;
            pattern.search(std::string(size, 'a') + '!', memory, steps);
            return many - steps;
        };
        auto const of_one = left(1000);
        auto const of_four = left(4000);
        BOOST_TEST(of_one < 1000 * 2 * pattern.size(), text);
        BOOST_TEST(of_four < 5 * of_one, text);
    }
}

BOOST_AUTO_TEST_CASE(search_gives_up_when_its_steps_are_exhausted)
{
    schema_pattern const pattern("(a?){50}b");
    std::string const text(1000, 'a');
    BOOST_TEST((search(pattern, text, 100) == schema_pattern::outcome::gave_up));
    BOOST_TEST((search(pattern, text, 0) == schema_pattern::outcome::gave_up));
    BOOST_TEST((search(pattern, text) == schema_pattern::outcome::not_found));
}

BOOST_AUTO_TEST_CASE(search_memory_can_be_reused_for_other_patterns)
{
    schema_pattern::memory memory;
    std::size_t steps = many;
    for (auto const text : {"a", "^(?:abc){30}$", "b", "^a{3}$", "a"}) {
        auto const found = schema_pattern(text).search("aaa", memory, steps);
        bool const is_in = text == "a"sv || text == "^a{3}$"sv;
        BOOST_TEST((found == schema_pattern::outcome::found) == is_in, text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
