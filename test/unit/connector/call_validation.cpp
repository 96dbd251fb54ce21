#include <linkspan/connector/call_validation.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>

BOOST_AUTO_TEST_SUITE(call_validation_test)

using linkspan::validation_choice;

BOOST_AUTO_TEST_CASE(choice_is_empty_until_it_is_made)
{
    validation_choice choice;
    BOOST_TEST(!choice.has_value());
    BOOST_TEST(choice.value_or(true));
    BOOST_TEST(!choice.value_or(false));
    choice = true;
    BOOST_TEST(choice.has_value());
    BOOST_TEST(choice.value_or(false));
    choice = false;
    BOOST_TEST(choice.has_value());
    BOOST_TEST(!choice.value_or(true));
    choice = std::optional<bool>();
    BOOST_TEST(!choice.has_value());
}

BOOST_AUTO_TEST_CASE(choices_with_the_same_value_are_equal)
{
    BOOST_TEST((validation_choice(true) == validation_choice(std::optional(true))));
    BOOST_TEST((validation_choice(false) == false));
    BOOST_TEST((validation_choice() == validation_choice(std::optional<bool>())));
    BOOST_TEST((validation_choice(true) != false));
    BOOST_TEST((validation_choice(false) != validation_choice()));
}

BOOST_AUTO_TEST_SUITE_END()
