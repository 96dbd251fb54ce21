#include <linkspan/connector/detail/call_flow.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "support/scripted_policies.hpp"

namespace call_flow_paths_test {

using namespace linkspan;
using linkspan::detail::call_flow;
using linkspan::detail::flow_server;
using kind = call_flow::action::kind;

// Executes all paths of a call: each response of each server, each verdict, each combination of replay classes. The
// expected results are computed without `call_flow`, from the rules in doc/policies.md and doc/errors.md.
namespace {

struct response {
    char name;
    certainty delivery;
    bool has_response;
    bool is_removed; // the server is unavailable from now on
};

constexpr std::array<response, 8> responses{{
    {'n', certainty::not_sent, false, false},
    {'N', certainty::not_sent, false, true},
    {'r', certainty::refused, true, false},
    {'u', certainty::unknown, false, false},  // no response
    {'U', certainty::unknown, false, true},   // the connection was lost
    {'e', certainty::unknown, true, false},   // -32603
    {'c', certainty::completed, true, false}, // an error response of the tool
    {'+', certainty::completed, true, false}, // a result
}};

error_code code_of(response const& a)
{
    if (a.name == '+')
        return {};
    return a.has_response ? error_code(a.name == 'r'   ? -32601
                                       : a.name == 'e' ? -32603
                                                       : -32602,
                                       rpc_category())
                          : error_code(error::stream_ended);
}

struct step {
    unsigned server;
    response const* what;
};

struct path {
    std::vector<replay_class> classes;
    std::vector<step> steps;
    std::vector<flow_server> servers;
    call_flow flow;
};

std::string text_of(path const& p)
{
    std::string out;
    for (auto const klass : p.classes)
        (out += to_string(klass)) += ' ';
    for (auto const& s : p.steps)
        (out += std::to_string(s.server)) += s.what->name;
    return out;
}

bool may_have_run(step const& s)
{
    return s.what->delivery == certainty::unknown || s.what->delivery == certainty::completed;
}

// After an attempt that may have executed the tool, only servers whose replay class permits a replay are selected. The
// class `keyed` applies to one server.
bool is_permitted(path const& p, unsigned server)
{
    bool replayable = true, elsewhere = false, ran = false, keyed = p.classes[server] == replay_class::keyed;
    auto const consider = [&](unsigned s) {
        replayable = replayable && p.classes[s] != replay_class::never;
        keyed = keyed || p.classes[s] == replay_class::keyed;
        elsewhere = elsewhere || s != server;
    };
    for (auto const& s : p.steps)
        if (may_have_run(s)) {
            consider(s.server);
            ran = true;
        }
    consider(server);
    return !ran || (replayable && !(keyed && elsewhere));
}

bool is_unsafe(path const& p)
{
    return std::ranges::any_of(p.steps, [&](step const& s) {
        return may_have_run(s) &&
               (p.classes[s.server] == replay_class::never || p.classes[s.server] == replay_class::keyed);
    });
}

// Returns whether a policy gave up after one attempt although another server could have executed the call.
bool is_not_failed_over(path const& p)
{
    if (p.steps.size() != 1)
        return false;
    for (unsigned i = 0; i != p.servers.size(); ++i)
        if (i != p.steps[0].server && p.servers[i].available && is_permitted(p, i))
            return true;
    return false;
}

// Returns whether the last response is the result of the call. An error response is, if the call must not be replayed
// or if the policy did not fail over to an available server.
bool last_response_is_result(path const& p)
{
    auto const& last = *p.steps.back().what;
    bool const is_final =
        last.delivery == certainty::completed || (last.delivery == certainty::unknown && is_unsafe(p));
    return last.has_response && (is_final || is_not_failed_over(p));
}

error_code final_error(path const& p)
{
    if (last_response_is_result(p))
        return code_of(*p.steps.back().what);
    return is_unsafe(p) ? error::outcome_unknown : error::all_servers_failed;
}

struct walker {
    test::scripted_policies policies;
    std::vector<verdict> verdicts; // possible verdicts of the policy; empty: `safe_failover`
    std::size_t depth = 6;
    std::size_t paths = 0, longest = 0;
    call_view call;

    void walk(unsigned servers)
    {
        constexpr std::array all{replay_class::never, replay_class::idempotent, replay_class::read_only,
                                 replay_class::keyed};
        std::vector<std::size_t> digits(servers);
        for (bool more = true; more;) {
            path p;
            for (unsigned i = 0; i != servers; ++i) {
                p.classes.push_back(all[digits[i]]);
                p.servers.push_back({{}, true});
                p.servers.back().view.id = server_id{i};
                p.servers.back().view.replay = p.classes.back();
            }
            take(p, p.flow.start(policies, call, p.servers));
            more = false;
            for (auto& digit : digits)
                if (++digit != all.size()) {
                    more = true;
                    break;
                } else {
                    digit = 0;
                }
        }
    }

private:
    void take(path& p, call_flow::action next)
    {
        if (next.what == kind::wait)
            next = p.flow.on_waited(policies, call, p.servers);
        longest = std::max(longest, p.steps.size());
        if (next.what == kind::finish)
            return check_finish(p, next);
        require(next.what == kind::attempt, p, "wait after a wait");
        auto const server = static_cast<unsigned>(next.server);
        require(p.servers[server].available, p, "attempt on an unavailable server");
        require(is_permitted(p, server), p, "attempt that the replay classes do not permit");
        auto const visited = std::ranges::any_of(p.steps, [&](step const& s) { return s.server == server; });
        require(!visited || p.steps.back().server == server, p, "another attempt on a server after a failover from it");
        if (p.steps.size() == depth)
            return;
        for (auto const& what : responses)
            if (verdicts.empty() || what.name == '+')
                complete_with(p, server, what, nullptr);
            else
                for (auto const& decision : verdicts)
                    complete_with(p, server, what, &decision);
    }

    void complete_with(path p, unsigned server, response const& what, verdict const* decision)
    {
        p.steps.push_back({server, &what});
        p.servers[server].available = !what.is_removed;
        if (decision)
            policies.verdicts = [decision](attempt_view const&) { return *decision; };
        outcome result;
        result.certainty = what.delivery;
        result.has_response = what.has_response;
        result.ec = code_of(what);
        take(p, p.flow.on_outcome(result, policies, call, p.servers, 1));
    }

    void check_finish(path const& p, call_flow::action const& end)
    {
        ++paths;
        auto const unsafe = std::ranges::count_if(p.steps, [&](step const& s) {
            return s.what->delivery == certainty::unknown && p.classes[s.server] == replay_class::never;
        });
        require(unsafe <= 1, p, "an unsafe tool may have been executed twice");
        if (p.steps.back().what->name == '+')
            return require(!end.ec && end.last_response, p, "the result is not the result of the call");
        require(end.ec == final_error(p), p, "unexpected error: " + end.ec.message());
        require(end.last_response == last_response_is_result(p), p, "last_response has the wrong value");
    }

    static void require(bool holds, path const& p, std::string const& what)
    {
        if (!holds)
            BOOST_FAIL(text_of(p) << ": " << what);
    }
};

} // namespace

} // namespace call_flow_paths_test

BOOST_FIXTURE_TEST_SUITE(call_flow_paths_test, call_flow_paths_test::walker)

// At most four attempts that may have reached a server, and one unsent attempt per server.
BOOST_AUTO_TEST_CASE(safe_failover_over_two_servers_terminates)
{
    depth = 20;
    walk(2);
    BOOST_TEST(longest <= 4u + 2u);
    BOOST_TEST(paths > 10'000u);
}

BOOST_AUTO_TEST_CASE(safe_failover_over_three_servers_satisfies_call_invariants)
{
    depth = 6;
    walk(3);
    BOOST_TEST(paths > 100'000u);
}

BOOST_AUTO_TEST_CASE(any_sequence_of_verdicts_over_two_servers_satisfies_call_invariants)
{
    verdicts = {verdict::retry_same(), verdict::next_server(), verdict::give_up()};
    depth = 4;
    walk(2);
    BOOST_TEST(paths > 10'000u);
}

BOOST_AUTO_TEST_CASE(policy_that_always_retries_over_three_servers_satisfies_call_invariants)
{
    verdicts = {verdict::retry_same(std::chrono::milliseconds(1)), verdict::next_server()};
    depth = 4;
    walk(3);
    BOOST_TEST(paths > 10'000u);
}

BOOST_AUTO_TEST_SUITE_END()
