// Next step of `call_flow` after the first failure of a call, for each certainty, replay class and fallback policy. The
// call is either targeted to its server or can fail over to another server.

#include <linkspan/connector/detail/call_flow.hpp>
#include <linkspan/policy/fallback.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "support/scripted_policies.hpp"

BOOST_AUTO_TEST_SUITE(decision_table_test)

using namespace linkspan;
using linkspan::detail::call_flow;
using linkspan::detail::flow_server;
namespace data = boost::unit_test::data;

namespace {

constexpr certainty certainties[] = {certainty::not_sent, certainty::refused, certainty::unknown, certainty::completed};
constexpr replay_class classes[] = {replay_class::never, replay_class::idempotent, replay_class::read_only,
                                    replay_class::keyed};

// Expected next steps, one letter for each replay class: never, idempotent, read_only, keyed.
//
//     o  another server immediately     O  another server after a wait
//     s  same server immediately        S  same server after a wait
//     x  completion: not executed       ?  completion with outcome_unknown    !  completion with the error response
struct table {
    char const* name;
    std::function<verdict(attempt_view const&)> policy;
    char const* targeted[4]; // not_sent, refused, unknown, completed
    char const* free[4];
};

std::ostream& operator<<(std::ostream& out, table const& of) { return out << of.name; }

template<class Policy>
std::function<verdict(attempt_view const&)> as_function(Policy policy)
{
    return [policy](attempt_view const& failed) { return policy.after_failure(failed); };
}

std::vector<table> const tables{
    {"safe_failover", as_function(safe_failover()), {"SSSS", "xxxx", "?SSS", "!!!!"}, {"oooo", "oooo", "?SoS", "!!!!"}},
    {"never_replay",
     as_function(fallback::never_replay()),
     {"SSSS", "xxxx", "?xx?", "!!!!"},
     {"oooo", "oooo", "?xx?", "!!!!"}},
    {"at_least_once",
     as_function(fallback::at_least_once()),
     {"SSSS", "xxxx", "SSSS", "!!!!"},
     {"oooo", "oooo", "SSoS", "!!!!"}},
    {"no_failover",
     as_function(fallback::no_failover()),
     {"xxxx", "xxxx", "?xx?", "!!!!"},
     {"xxxx", "xxxx", "?xx?", "!!!!"}},
    {"retry", as_function(fallback::retry()), {"SSSS", "xxxx", "SSSS", "!!!!"}, {"SSSS", "xxxx", "SSSS", "!!!!"}},
};

flow_server server(unsigned id, replay_class klass)
{
    flow_server one{{}, true};
    one.view.id = server_id{id};
    one.view.replay = klass;
    one.view.priority = 100 - static_cast<int>(id);
    return one;
}

outcome failure(certainty delivery)
{
    outcome failed;
    failed.certainty = delivery;
    failed.has_response = delivery == certainty::completed;
    failed.ec = delivery == certainty::completed ? error_code(-32602, rpc_category())
                                            : error_code(boost::asio::error::connection_reset);
    return failed;
}

char letter(call_flow::action const& next)
{
    using kind = call_flow::action::kind;
    if (next.what == kind::finish)
        return next.last_response ? '!' : next.ec == error::outcome_unknown ? '?' : 'x';
    return next.server == server_id{1} ? 's' : 'o';
}

// Returns the letter for the decision of `policy` after an attempt with this certainty and replay class.
char follows(std::function<verdict(attempt_view const&)> const& policy, certainty delivery, replay_class klass,
             bool targeted)
{
    std::vector<flow_server> servers{server(1, klass)};
    if (!targeted)
        servers.push_back(server(2, klass));
    test::scripted_policies policies;
    policies.verdicts = policy;
    call_view call;
    call.targeted = targeted;
    call.draw = ~std::uint64_t{0}; // the longest wait
    call_flow flow;
    flow.start(policies, call, servers);
    auto next = flow.on_outcome(failure(delivery), policies, call, servers, 1);
    if (next.what != call_flow::action::kind::wait)
        return letter(next);
    next = flow.on_waited(policies, call, servers);
    return static_cast<char>(letter(next) - 'a' + 'A');
}

} // namespace

BOOST_DATA_TEST_CASE(decisions_match_the_decision_table, data::make(tables))
{
    for (std::size_t delivery = 0; delivery != 4; ++delivery)
        for (std::size_t klass = 0; klass != 4; ++klass)
            for (bool const targeted : {true, false}) {
                auto const expected = (targeted ? sample.targeted : sample.free)[delivery][klass];
                auto const found = follows(sample.policy, certainties[delivery], classes[klass], targeted);
                BOOST_TEST(found == expected, to_string(certainties[delivery]) << ", " << to_string(classes[klass])
                                                                          << (targeted ? ", targeted: " : ": ") << found
                                                                          << ", not " << expected);
            }
}

// Only `min_replay_class` permits the replay of an unsafe call, independently of the other decisions of the policy.
BOOST_AUTO_TEST_CASE(unsafe_call_is_replayed_only_if_the_policy_sets_min_replay_class)
{
    for (auto const& what : {verdict::retry_same(), verdict::next_server()})
        for (auto const klass : classes)
            for (bool const targeted : {true, false}) {
                auto const policy = [&](attempt_view const&) { return what; };
                auto const found = follows(policy, certainty::unknown, klass, targeted);
                bool const same = what.what == verdict::kind::retry_same;
                bool const safe = klass == replay_class::keyed ? same : klass != replay_class::never;
                if (!safe)
                    BOOST_TEST(found == '?', to_string(klass) << ": " << found);
                else if (same)
                    BOOST_TEST(found == 's', to_string(klass) << ": " << found);
                else
                    BOOST_TEST(found == (targeted ? 'x' : 'o'), to_string(klass) << ": " << found);
            }
}

BOOST_AUTO_TEST_SUITE_END()
