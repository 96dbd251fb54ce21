#ifndef LINKSPAN_TEST_SCRIPT_RULE_ORDER_HPP
#define LINKSPAN_TEST_SCRIPT_RULE_ORDER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/script/journal.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

/// An order in which a test expects a server to have selected rules.
///
///     weather.on(call("login")).named("login").then(text("welcome"));
///     weather.on(call("pay")).named("pay").then(text("paid"));
///     ...
///     BOOST_TEST(weather.verify(rule_order({"login", "pay"})));
class rule_order {
public:
    /// Expects the rules with these names to be selected for requests in this order, possibly with others between them.
    /// Rules of events without a request are not part of the order.
    ///
    /// \param names Names of rules (`rule::named`), at least one; none is empty.
    /// \throws std::invalid_argument There is no name, or a name is empty.
    explicit rule_order(std::vector<std::string> names) : names_(std::move(names))
    {
        if (names_.empty() || std::ranges::find(names_, "") != names_.end())
            throw std::invalid_argument("linkspan: rule_order: expected names of rules, none of which is empty");
    }

    /// Returns the names of the rules.
    std::vector<std::string> const& names() const noexcept { return names_; }

    /// Returns an empty text if the rules were selected for `requests` in this order, else a report: the first rule
    /// that was not selected, the last 20 selected rules, and at most three of the last requests without a rule to
    /// which the missing rule is the nearest rule.
    ///
    /// \param requests The requests of the server.
    /// \param nearest_rule Called for the last requests. Empty: the report has none of these requests.
    LINKSPAN_DECL std::string report(journal const& requests, nearest_rule_function const& nearest_rule = {}) const;

private:
    std::vector<std::string> names_; // set by the constructor, not empty
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/rule_order.ipp>
#endif

#endif
