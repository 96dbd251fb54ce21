#include <linkspan/session.hpp>
#include <linkspan/test/chaos_case.hpp>
#include <linkspan/test/script/mock_script.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "support/contains.hpp"

BOOST_AUTO_TEST_SUITE(chaos_test)

using namespace linkspan::test;
using namespace std::chrono_literals;
using linkspan::error_code;
using linkspan::inproc;
using linkspan::name_of;
using linkspan::session;
using linkspan::via;
namespace asio = boost::asio;

namespace {

//[ calls
// Makes `count` calls, one after the other. Returns the number of results. The defect: a call that fails is not
// repeated.
asio::awaitable<int> call_repeatedly(session& client, int count)
{
    int results = 0;
    co_await client.async_open(asio::as_tuple(asio::use_awaitable));
    for (int i = 0; i != count; ++i) {
        auto const outcome = co_await client.async_call_tool("forecast", {}, asio::as_tuple(asio::use_awaitable));
        results += std::get<0>(outcome) ? 0 : 1;
    }
    co_return results;
}
//]

// Makes ten calls to one server.
int results_of(world& here)
{
    auto& weather = here.add_server("weather");
    weather.on(call("forecast")).then(delay(10ms), text("sunny"));
    session client(here.executor, via<inproc>(weather));
    auto const results = here.await(call_repeatedly(client, 10));
    here.run_for(1h); // delayed messages
    return results;
}

// Returns a plan with one fault of the message of that number.
chaos_plan with_fault(std::uint64_t message, fault_kind fault, std::uint64_t delay_ms = 0)
{
    chaos_plan out;
    out.faults.push_back({.server = "weather", .message = message, .fault = fault, .delay_ms = delay_ms});
    return out;
}

// Returns the lines of the trace of ten calls for messages of the server and the end of the connection.
std::vector<std::string> sent_with(chaos_plan plan)
{
    world here;
    here.set_chaos(chaos(std::move(plan)));
    results_of(here);
    std::vector<std::string> out;
    for (auto const& line : here.events().lines())
        if (contains(line, "-> ") || contains(line, "ended"))
            out.push_back(line);
    return out;
}

//[ chaos
void all_calls_have_results(world& here)
{
    auto& weather = here.add_server("weather");
    weather.on(call("forecast")).then(text("sunny"));
    session client(here.executor, via<inproc>(weather));
    if (here.await(call_repeatedly(client, 10)) != 10)
        throw std::runtime_error("a call has no result");
}
//]

// The program fails if two different responses are errors.
void one_error_at_most(world& here)
{
    auto const& lines = here.events().lines();
    results_of(here);
    auto const is_error = [](std::string const& line) { return contains(line, "-> error -32603"); };
    if (std::ranges::count_if(lines, is_error) >= 2)
        throw std::runtime_error("two errors");
}

// A client has no more results than the server has executed calls.
void each_result_has_an_execution(world& here)
{
    int executions = 0;
    auto const count = [&executions](exchange&, std::function<void()> const& next) {
        ++executions;
        next();
    };
    auto& weather = here.add_server("weather");
    weather.on(call("forecast")).then(action(count), text("sunny"));
    session client(here.executor, via<inproc>(weather));
    auto const results = here.await(call_repeatedly(client, 10));
    here.run_for(1h); // delayed messages
    if (results > executions)
        throw std::runtime_error(std::to_string(results) + " results of " + std::to_string(executions) + " executions");
}

// Sets an environment variable while the object exists.
class set_variable {
public:
    set_variable(char const* name, std::string const& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
    set_variable(set_variable const&) = delete;
    set_variable& operator=(set_variable const&) = delete;
    ~set_variable() { ::unsetenv(name_); }

private:
    char const* name_; // set by the constructor
};

} // namespace

// Decisions

BOOST_AUTO_TEST_CASE(decision_is_a_function_of_seed_server_connection_and_message)
{
    chaos first(7, {.percent = 50}), again(7, {.percent = 50});
    std::vector<std::optional<chaos_fault>> forward, backward;
    for (std::uint64_t i = 1; i != 200; ++i)
        forward.push_back(first.decide("weather", 1, i, true));
    for (std::uint64_t i = 199; i != 0; --i)
        backward.push_back(again.decide("weather", 1, i, true));
    std::ranges::reverse(backward);
    BOOST_TEST((forward == backward)); // independent of earlier decisions

    std::set<std::string> plans;
    auto const add = [&plans](std::uint64_t seed, std::string_view server, std::uint64_t connection) {
        chaos source(seed, {.percent = 50});
        std::string kinds;
        for (std::uint64_t i = 1; i != 50; ++i) {
            auto const fault = source.decide(server, connection, i, true);
            kinds += fault ? static_cast<char>('a' + static_cast<int>(fault->fault)) : '-';
        }
        plans.insert(kinds);
    };
    add(7, "weather", 1);
    add(8, "weather", 1);
    add(7, "files", 1);
    add(7, "weather", 2);
    BOOST_TEST(plans.size() == 4U);
}

BOOST_AUTO_TEST_CASE(seed_selects_every_kind_with_the_given_probability)
{
    chaos source(1, {.percent = 20, .max_delay = 5ms});
    std::set<fault_kind> kinds;
    std::size_t count = 0;
    for (std::uint64_t i = 1; i != 5001; ++i)
        if (auto const fault = source.decide("weather", 1, i, true)) {
            ++count;
            kinds.insert(fault->fault);
            BOOST_TEST(fault->delay_ms <= 5U);
        }
    BOOST_TEST(kinds.size() == 7U);
    BOOST_TEST(count > 900U);
    BOOST_TEST(count < 1100U);
    BOOST_TEST(source.faults().faults.size() == count);
}

BOOST_AUTO_TEST_CASE(options_out_of_their_range_are_rejected)
{
    auto const rejects = [](chaos_options options, std::string const& expected) {
        BOOST_CHECK_EXCEPTION(chaos(1, std::move(options)), std::invalid_argument, [&expected](auto const& failure) {
            BOOST_TEST(failure.what() == "linkspan: chaos: expected " + expected);
            return true;
        });
    };
    rejects({.kinds = {}}, "at least one kind of fault");
    rejects({.percent = 101}, "at most 100 percent, found 101");
    rejects({.max_delay = 0ms}, "a maximum delay of at least 1 ms, found 0 ms");
}

BOOST_AUTO_TEST_CASE(faults_of_a_world_replace_those_of_a_script)
{
    auto const script = mock_script::parse(R"({"mock":1,"chaos":{"percent":100,"kinds":["drop"]}})");
    for (bool const is_set_first : {true, false}) {
        world here;
        auto& weather = here.add_server("weather");
        weather.on(call("forecast")).then(text("sunny"));
        if (is_set_first)
            here.set_chaos(chaos(with_fault(1, fault_kind::delay, 5)));
        script.add_to(weather);
        if (!is_set_first)
            here.set_chaos(chaos(with_fault(1, fault_kind::delay, 5)));
        session client(here.executor, via<inproc>(weather));
        BOOST_TEST(here.await(call_repeatedly(client, 2)) == 2);
        BOOST_TEST(here.faults().faults.size() == 1u);
    }
}

BOOST_AUTO_TEST_CASE(plans_and_traces_have_the_name_of_the_server_in_its_world)
{
    world here;
    here.set_chaos(chaos(with_fault(2, fault_kind::delay, 5)));
    auto& weather = here.add_server("weather");
    weather.on(call("forecast")).then(text("sunny"));
    linkspan::inproc_config named = weather;
    named.on_named("primary"); // the name that a connector gives the server
    session client(here.executor, via<inproc>(std::move(named)));
    BOOST_TEST(here.await(call_repeatedly(client, 2)) == 2);
    BOOST_TEST_REQUIRE(here.faults().faults.size() == 1u);
    BOOST_TEST(here.faults().faults[0].server == "weather");
    for (auto const& line : here.events().lines())
        BOOST_TEST(!contains(line, "primary"), line);
}

BOOST_AUTO_TEST_CASE(messages_before_the_plan_are_counted)
{
    world here;
    auto& weather = here.add_server("weather");
    weather.on(call("forecast")).then(text("sunny"));
    session client(here.executor, via<inproc>(weather));
    here.await(call_repeatedly(client, 2));
    auto const& lines = here.events().lines();
    auto const sent = std::ranges::count_if(lines, [](auto const& line) { return contains(line, "-> "); });
    here.set_chaos(chaos(with_fault(static_cast<std::uint64_t>(sent) + 1, fault_kind::delay, 5)));
    here.await(client.async_call_tool("forecast", asio::use_awaitable));
    BOOST_TEST(here.faults().faults.size() == 1u);
}

// A plan with a longer delay could not be read.
BOOST_AUTO_TEST_CASE(delay_is_at_most_one_day)
{
    chaos_options drawn{.percent = 100, .kinds = {fault_kind::delay}};
    drawn.delay = [](double, double, linkspan::duration) { return 25h; };
    for (auto const& options :
         {drawn, chaos_options{.percent = 100, .max_delay = 1000h, .kinds = {fault_kind::delay}}}) {
        chaos source(1, options);
        for (std::uint64_t i = 1; i != 101; ++i)
            source.decide("weather", 1, i, true);
        BOOST_TEST_REQUIRE(source.faults().faults.size() == 100U);
        BOOST_TEST((parse_chaos_plan(to_json(source.faults())) == source.faults()));
    }
}

BOOST_AUTO_TEST_CASE(rpc_error_applies_to_responses_only)
{
    chaos source(with_fault(1, fault_kind::rpc_error));
    BOOST_TEST(!source.decide("weather", 1, 1, false).has_value());
    BOOST_TEST(source.decide("weather", 1, 1, true).has_value());
}

BOOST_AUTO_TEST_CASE(kind_of_fault_applies_to_its_carriers_only)
{
    using enum linkspan::test::fault_carrier;
    auto const occurs = [](fault_kind kind, linkspan::test::fault_carrier carrier) {
        chaos source(1, {.percent = 100, .kinds = {kind}});
        source.decide("weather", 1, 1, true, "tools/call", carrier);
        return source.faults().faults.size() == 1;
    };
    struct row {
        fault_kind kind;
        bool in_process, over_stdio, over_http, over_http_sse;
    };
    for (auto const& one :
         {row{fault_kind::delay, true, true, true, true}, row{fault_kind::exit, true, true, true, true},
          row{fault_kind::half_close, true, true, false, false},
          row{fault_kind::stdout_closed, false, true, false, false},
          row{fault_kind::grandchild, false, true, false, false}, row{fault_kind::zombie, false, true, false, false},
          row{fault_kind::http_500, false, false, true, false},
          row{fault_kind::unauthorized, false, false, true, false}, row{fault_kind::skew, false, false, true, false}})
        BOOST_TEST_CONTEXT(name_of(one.kind)) {
            BOOST_TEST(occurs(one.kind, inproc) == one.in_process);
            BOOST_TEST(occurs(one.kind, stdio) == one.over_stdio);
            BOOST_TEST(occurs(one.kind, http) == one.over_http);
            BOOST_TEST(occurs(one.kind, http_sse) == one.over_http_sse);
        }
}

// Faults of a server

BOOST_AUTO_TEST_CASE(faults_of_a_process_do_not_occur_in_the_same_process)
{
    for (auto const kind : {fault_kind::stdout_closed, fault_kind::grandchild, fault_kind::stderr_binary}) {
        world here;
        here.set_chaos(chaos(1, {.percent = 100, .kinds = {kind}}));
        BOOST_TEST(results_of(here) == 10);
        BOOST_TEST(here.faults().faults.empty());
    }
    world here;
    auto& weather = here.add_server("weather");
    weather.on(call("forecast")).then(fault(fault_kind::stdout_closed), text("sunny"));
    session client(here.executor, via<inproc>(weather));
    BOOST_TEST(here.await(call_repeatedly(client, 2)) == 2);
}

// Message 1 is the response to server/discover; message 2 is the response to the first call, after 10 ms.
BOOST_AUTO_TEST_CASE(each_fault_changes_the_messages_of_the_server)
{
    auto const plain = sent_with({});
    BOOST_TEST_REQUIRE(plain.size() == 11U);
    BOOST_TEST(plain[1] == "t=+0.010s weather#1 -> result id=2");

    BOOST_TEST(sent_with(with_fault(2, fault_kind::delay, 500))[1] == "t=+0.510s weather#1 -> result id=2");
    auto const dropped = sent_with(with_fault(2, fault_kind::drop));
    BOOST_TEST(std::ranges::count(dropped, plain[1]) == 0);
    auto const twice = sent_with(with_fault(2, fault_kind::duplicate));
    BOOST_TEST(std::ranges::count(twice, plain[1]) == 2);
    auto const late = sent_with(with_fault(2, fault_kind::reorder, 700)); // no message follows before the delay
    BOOST_TEST(late[1] == "t=+0.710s weather#1 -> result id=2");
    auto const error = sent_with(with_fault(2, fault_kind::rpc_error));
    BOOST_TEST(error[1] == "t=+0.010s weather#1 -> error -32603 id=2");
    BOOST_TEST(error[2] == "t=+0.020s weather#1 -> result id=3");
    auto const cut = sent_with(with_fault(2, fault_kind::cut));
    BOOST_TEST(contains(cut[1], "bytes that are no message"), cut[1]);
    BOOST_TEST(contains(cut[2], "t=+0.010s weather#1 ended"), cut[2]);
    auto seven_bytes = with_fault(2, fault_kind::cut);
    seven_bytes.faults[0].amount = 7;
    auto const shorter = sent_with(seven_bytes);
    BOOST_TEST(shorter[1] == "t=+0.010s weather#1 -> 7 bytes that are no message");
    auto const ended = sent_with(with_fault(2, fault_kind::disconnect));
    BOOST_TEST(contains(ended[1], "t=+0.010s weather#1 ended"), ended[1]);
}

// Plans

BOOST_AUTO_TEST_CASE(plan_is_read_as_it_was_written)
{
    chaos source(3, {.percent = 30});
    for (std::uint64_t i = 1; i != 100; ++i)
        source.decide("weather", i % 3 + 1, i, true);
    auto const& plan = source.faults();
    BOOST_TEST((parse_chaos_plan(to_json(plan)) == plan));
    BOOST_TEST(
        to_json(with_fault(2, fault_kind::rpc_error)) ==
        R"({"faults":[{"server":"weather","connection":1,"message":2,"fault":"rpc-error","delay_ms":0,"amount":0}]})");
    auto const edited = R"({"faults":[{"server":"weather","connection":1,"message":2,"fault":"drop"}]})";
    BOOST_TEST((parse_chaos_plan(edited) == with_fault(2, fault_kind::drop)));
}

BOOST_AUTO_TEST_CASE(invalid_plan_is_rejected_with_the_location)
{
    auto const problem = [](std::string_view json) -> std::string {
        try {
            parse_chaos_plan(json);
        } catch (std::invalid_argument const& e) {
            return e.what();
        }
        return "accepted";
    };
    auto const kind = R"({"faults":[{"server":"weather","connection":1,"message":2,"fault":"explode"}]})";
    auto const key = R"({"faults":[{"server":"weather","connection":1,"message":2,"fault":"drop","times":2}]})";
    auto const zero = R"({"faults":[{"server":"weather","connection":1,"message":0,"fault":"drop"}]})";
    auto const missing = R"({"faults":[{"server":"weather","connection":1,"message":2}]})";
    BOOST_TEST(contains(problem(kind), "/faults/0/fault: expected "), problem(kind));
    BOOST_TEST(contains(problem(key), "/faults/0/times: expected "), problem(key));
    BOOST_TEST(contains(problem(zero), "/faults/0/message: expected "), problem(zero));
    BOOST_TEST(contains(problem(missing), "/faults/0/fault: expected "), problem(missing));
    BOOST_TEST(contains(problem("{"), "expected JSON"), problem("{"));
}

BOOST_AUTO_TEST_CASE(plan_of_a_run_repeats_the_run)
{
    world here(5), again(5);
    here.set_chaos(chaos(5, {.percent = 40}));
    auto const results = results_of(here);
    BOOST_TEST(!here.faults().faults.empty());
    again.set_chaos(chaos(here.faults()));
    BOOST_TEST(results_of(again) == results);
    BOOST_TEST(again.events().hash() == here.events().hash());
}

// Shrinking

BOOST_AUTO_TEST_CASE(shrinking_keeps_exactly_the_faults_that_are_necessary)
{
    chaos_plan all;
    for (std::uint64_t i = 1; i != 65; ++i)
        all.faults.push_back({.server = "weather", .message = i, .fault = fault_kind::delay, .delay_ms = 1000});
    for (std::uint64_t const other : {2U, 33U, 64U}) {
        std::size_t runs = 0;
        auto const fails = [&](chaos_plan const& plan) {
            ++runs;
            auto const has = [&](std::uint64_t message, std::uint64_t least) {
                return std::ranges::any_of(plan.faults, [&](chaos_fault const& one) {
                    return one.message == message && one.delay_ms >= least;
                });
            };
            return has(1, 200) && has(other, 0);
        };
        auto const minimal = shrink(all, fails);
        BOOST_TEST_REQUIRE(minimal.faults.size() == 2U);
        BOOST_TEST(minimal.faults[0].message == 1U);
        BOOST_TEST(minimal.faults[0].delay_ms == 250U);
        BOOST_TEST(minimal.faults[1].message == other);
        BOOST_TEST(minimal.faults[1].delay_ms == 1U);
        BOOST_TEST(runs < 200U);
    }
    BOOST_TEST(shrink(all, [](auto const&) { return true; }).faults.empty());
    BOOST_TEST((shrink(all, [](auto const&) { return false; }) == all));
}

BOOST_AUTO_TEST_CASE(failing_seed_is_reported_with_the_faults_that_are_necessary)
{
    chaos_options options{.percent = 40, .kinds = {fault_kind::delay, fault_kind::duplicate, fault_kind::rpc_error}};
    auto const failure = explore(100, one_error_at_most, options);
    BOOST_TEST_REQUIRE(failure.has_value());
    BOOST_TEST(failure->reason == "two errors");
    BOOST_TEST_REQUIRE(failure->plan.faults.size() == 2U);
    for (auto const& fault : failure->plan.faults)
        BOOST_TEST((fault.fault == fault_kind::rpc_error));
    BOOST_TEST(replay(failure->seed, failure->plan, one_error_at_most).has_value());
    auto part = failure->plan;
    part.faults.pop_back();
    BOOST_TEST(!replay(failure->seed, part, one_error_at_most).has_value());
}

BOOST_AUTO_TEST_CASE(report_has_the_plan_and_the_command_that_repeats_the_run)
{
    chaos_failure failure{.seed = 7, .plan = with_fault(2, fault_kind::drop), .reason = "a call has no result"};
    failure.plan.faults[0].server = "tom's";
    auto const report = to_string(failure, "./tests", "chaos_test/all_calls");
    auto const command = R"(LINKSPAN_CHAOS_SEED=7 LINKSPAN_CHAOS_PLAN='{"faults":[{"server":"tom'\''s",)";
    BOOST_TEST(contains(report, "seed 7 fails with 1 fault: a call has no result\n  plan: {"), report);
    BOOST_TEST(contains(report, command), report);
    BOOST_TEST(report.ends_with("}]}' ./tests --run_test=chaos_test/all_calls"), report);
    auto const quoted = to_string(failure, "./my tests", "chaos_test/*");
    BOOST_TEST(quoted.ends_with("}]}' './my tests' --run_test='chaos_test/*'"), quoted);
}

BOOST_AUTO_TEST_CASE(program_without_faults_fails_with_an_empty_plan)
{
    auto const failure = explore(3, [](world&) { throw std::runtime_error("always"); });
    BOOST_TEST_REQUIRE(failure.has_value());
    BOOST_TEST(failure->seed == 1U);
    BOOST_TEST(failure->plan.faults.empty());
    auto const other = explore(3, [](world&) { throw 5; });
    BOOST_TEST_REQUIRE(other.has_value());
    BOOST_TEST(other->reason == "an exception that is not derived from std::exception");
}

BOOST_AUTO_TEST_CASE(defect_of_a_program_is_found_with_necessary_faults_only)
{
    auto const failure = explore(100, all_calls_have_results);
    BOOST_TEST_REQUIRE(failure.has_value());
    auto const& plan = failure->plan;
    BOOST_TEST_REQUIRE(!plan.faults.empty());
    BOOST_TEST(replay(failure->seed, plan, all_calls_have_results).has_value());
    for (std::size_t i = 0; i != plan.faults.size(); ++i) {
        auto fewer = plan;
        fewer.faults.erase(fewer.faults.begin() + static_cast<std::ptrdiff_t>(i));
        BOOST_TEST(!replay(failure->seed, fewer, all_calls_have_results).has_value(), to_json(plan));
    }
}

// A lost response is sufficient.
BOOST_AUTO_TEST_CASE(defect_of_a_program_is_found_with_one_lost_message)
{
    auto const failure = explore(100, all_calls_have_results, {.kinds = {fault_kind::delay, fault_kind::drop}});
    BOOST_TEST_REQUIRE(failure.has_value());
    BOOST_TEST(failure->plan.faults.size() == 1U, to_json(failure->plan));
}

BOOST_AUTO_TEST_CASE(environment_selects_the_seed_and_the_faults)
{
    auto const failure = explore(100, one_error_at_most, {.percent = 40, .kinds = {fault_kind::rpc_error}});
    BOOST_TEST_REQUIRE(failure.has_value());
    int runs = 0;
    auto const counted = [&runs](world& here) {
        ++runs;
        one_error_at_most(here);
    };
    {
        set_variable const seed("LINKSPAN_CHAOS_SEED", std::to_string(failure->seed));
        set_variable const plan("LINKSPAN_CHAOS_PLAN", to_json(failure->plan));
        auto const again = explore_or_replay(100, counted);
        BOOST_TEST_REQUIRE(again.has_value());
        BOOST_TEST(runs == 1);
        BOOST_TEST(again->seed == failure->seed);
        BOOST_TEST(again->reason == failure->reason);
    }
    {
        set_variable const plan("LINKSPAN_CHAOS_PLAN", R"({"faults":[]})");
        BOOST_TEST(!explore_or_replay(100, counted).has_value());
        BOOST_TEST(runs == 2);
    }
    {
        set_variable const seed("LINKSPAN_CHAOS_SEED", std::to_string(failure->seed));
        BOOST_TEST(!explore_or_replay(100, counted, {.percent = 40, .kinds = {fault_kind::delay}}).has_value());
        BOOST_TEST(explore_or_replay(100, counted, {.percent = 40, .kinds = {fault_kind::rpc_error}}).has_value());
    }
    {
        set_variable const seed("LINKSPAN_CHAOS_SEED", "7");
        runs = 0;
        explore_or_replay(100, [&runs](world&) { ++runs; });
        BOOST_TEST(runs == 1);
    }
    for (auto const* const name : {"LINKSPAN_CHAOS_SEED", "LINKSPAN_CHAOS_PLAN"}) {
        set_variable const invalid(name, "x");
        BOOST_CHECK_EXCEPTION(explore_or_replay(1, counted), std::invalid_argument,
                              [name](auto const& e) { return contains(e.what(), name); });
    }
}

LINKSPAN_CHAOS_CASE(each_result_has_an_execution_with_default_kinds, 100, each_result_has_an_execution)

BOOST_AUTO_TEST_SUITE_END()
