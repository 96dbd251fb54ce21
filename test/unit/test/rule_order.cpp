#include <linkspan/test/script/rule_order.hpp>

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

BOOST_AUTO_TEST_SUITE(rule_order_test)

using namespace linkspan::test;

namespace {

// Returns requests for which the rules with these names were selected; an empty name: no rule.
journal selected(std::vector<std::string> const& names)
{
    journal out;
    for (auto const& name : names)
        out.push_back({.id = "1", .method = "tools/call", .rule = name, .has_rule = !name.empty()});
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(other_rules_may_be_between_those_of_the_order)
{
    rule_order const order({"login", "pay"});
    BOOST_TEST(order.report(selected({"login", "pay"})) == "");
    BOOST_TEST(order.report(selected({"pay", "login", "", "list", "login", "pay", "list"})) == "");
    BOOST_TEST(rule_order({"pay"}).report(selected({"login", "pay"})) == "");
    BOOST_TEST(rule_order({"pay", "pay"}).report(selected({"pay", "login", "pay"})) == "");
}

BOOST_AUTO_TEST_CASE(report_names_the_first_rule_that_was_not_selected)
{
    rule_order const order({"login", "pay", "logout"});
    BOOST_TEST(order.report({}) == "expected the rules 'login', 'pay', 'logout' in this order; rule 'login' was not "
                                   "selected; selected rules:");
    BOOST_TEST(order.report(selected({"pay", "", "login", "logout"})) ==
               "expected the rules 'login', 'pay', 'logout' in this order; rule 'pay' was not selected after 'login'; "
               "selected rules: 'pay' 'login' 'logout'");
    BOOST_TEST(rule_order({"pay", "pay"}).report(selected({"pay"})) ==
               "expected the rules 'pay', 'pay' in this order; rule 'pay' was not selected after 'pay'; selected rules: "
               "'pay'");
}

BOOST_AUTO_TEST_CASE(report_has_the_last_20_selected_rules)
{
    std::vector<std::string> names(19, "list");
    names.insert(names.begin(), {"first", "second"});
    auto const report = rule_order({"pay"}).report(selected(names));
    BOOST_TEST(report.find("'first'") == report.npos, report);
    BOOST_TEST(report.find("selected rules: 'second' 'list'") != report.npos, report);
}

BOOST_AUTO_TEST_CASE(order_without_names_is_an_exception)
{
    for (std::vector<std::string> const& names : {std::vector<std::string>(), {"login", ""}})
        BOOST_CHECK_EXCEPTION(rule_order{names}, std::invalid_argument, [](auto const& failure) {
            return std::string_view(failure.what()) ==
                   "linkspan: rule_order: expected names of rules, none of which is empty";
        });
}

BOOST_AUTO_TEST_SUITE_END()
