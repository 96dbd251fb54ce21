// Results that report an error of the tool without `isError`, and `server_options::result_classifier`.

#include <linkspan/connector/interceptor.hpp>
#include <linkspan/describe/call_result_as.hpp>
#include <linkspan/observe/metrics.hpp>
#include <linkspan/observe/observe_all.hpp>

#include <boost/json/parse.hpp>

#include <stdexcept>

#include "support/connector_case.hpp"
#include "support/event_lines.hpp"

BOOST_AUTO_TEST_SUITE(classified_results_test)

using namespace linkspan::test;
namespace asio = boost::asio;
using linkspan::call_result;
using linkspan::error;
using linkspan::inproc;
using linkspan::replay_class;
using linkspan::server_options;

namespace {

constexpr std::string_view quota = R"({"status":"error","error":"quota","code":42})";

constexpr linkspan::typed_tool<"pay", boost::json::object, int> pay;

using observers = linkspan::observe_all<event_lines, linkspan::metrics>;

// Two servers with a read-only tool "pay", with the classifier of errors by status, and an observer.
struct classified_world : world {
    scripted_server a, b;
    event_lines events{"classifier_failed"};
    linkspan::metrics counted;
    std::optional<linkspan::connector<linkspan::transports<inproc>, observers>> hub;

    asio::awaitable<void> open(server_options one) { co_await open(std::move(one), options()); }

    asio::awaitable<void> open(server_options one, server_options two)
    {
        hub.emplace(executor, observers(events, counted));
        hub->add<inproc>("a", a, std::move(one)).add<inproc>("b", b, std::move(two));
        co_await hub->async_open();
    }

    static server_options options(int priority = 1)
    {
        auto out = with(priority, replay_class::read_only);
        out.result_classifier = linkspan::find_status_error;
        return out;
    }

    std::uint64_t count(std::string const& server, std::string const& why) const
    {
        auto const snapshot = counted.snapshot();
        auto const found = snapshot.attempts.find({server, "pay", why, linkspan::certainty::completed});
        return found == snapshot.attempts.end() ? 0 : found->second.count;
    }
};

} // namespace

LINKSPAN_CASE_IN(classified_world, in_band_error_is_tool_error_without_failover)
{
    a.on(call("pay")).then(text(quota));
    co_await open(options(9));
    auto const result = co_await hub->async_call("pay");
    BOOST_TEST(result.is_error());
    BOOST_TEST(result.text() == "quota");
    BOOST_TEST(result.structured() == quota);
    BOOST_TEST(result.server() == "a");
    BOOST_TEST(result.attempts().empty());
    BOOST_TEST(a.received("\"tools/call\"") == 1u);
    BOOST_TEST(b.received("\"tools/call\"") == 0u);
    BOOST_TEST(count("a", "tool_error") == 1u);
    BOOST_TEST(count("a", "") == 0u);
}

LINKSPAN_CASE_IN(classified_world, in_band_error_fails_typed_call_with_its_message)
{
    a.on(call("pay")).then(text(quota));
    co_await open(options(9));
    boost::json::object const nothing;
    auto const [ec, result] = co_await hub->async_call(pay, nothing, in_tuple);
    BOOST_TEST((ec == error::tool_failed));
    BOOST_TEST(result.result().detail() == "quota");
}

LINKSPAN_CASE_IN(classified_world, result_without_in_band_error_is_unchanged)
{
    constexpr std::string_view success = R"({"status":"success","error":"none"})";
    a.on(call("pay")).once(text(success)).then(tool_error(quota));
    co_await open(options(9));
    auto const good = co_await hub->async_call("pay");
    BOOST_TEST(!good.is_error());
    BOOST_TEST(good.text() == success);
    auto const failed = co_await hub->async_call("pay");
    BOOST_TEST(failed.is_error());
    BOOST_TEST(failed.text() == quota); // the server set `isError`
    BOOST_TEST(count("a", "") == 1u);
}

LINKSPAN_CASE_IN(classified_world, server_without_classifier_returns_result_unchanged)
{
    a.on(call("pay")).then(text(quota));
    co_await open(with(9, replay_class::read_only));
    auto const result = co_await hub->async_call("pay");
    BOOST_TEST(!result.is_error());
    BOOST_TEST(result.text() == quota);
    BOOST_TEST(count("a", "") == 1u);
}

LINKSPAN_CASE_IN(classified_world, exception_of_classifier_keeps_result_and_is_reported)
{
    a.on(call("pay")).then(text(quota));
    auto broken = options(9);
    broken.secrets.add("hunter2");
    broken.result_classifier = [](std::string_view, call_result const&) -> std::optional<std::string> {
        throw std::runtime_error("no rule for hunter2");
    };
    co_await open(broken);
    for (int i = 0; i != 2; ++i) {
        auto const result = co_await hub->async_call("pay");
        BOOST_TEST(!result.is_error());
        BOOST_TEST(result.text() == quota);
    }
    BOOST_TEST_REQUIRE(events.all().size() == 2u);
    BOOST_TEST(contains(events.all().at(0), "a: pay: no rule for "), events.all().at(0));
    BOOST_TEST(!contains(events.all().at(0), "hunter2"), events.all().at(0));
    BOOST_TEST(count("a", "") == 2u);
}

LINKSPAN_CASE_IN(classified_world, in_band_error_is_not_validated_against_output_schema)
{
    a.on(request("tools/list"))
        .then(result(R"("tools":[{"name":"pay","inputSchema":{"type":"object"},"outputSchema":)"
                     R"({"type":"object","required":["receipt"]}}])"));
    a.on(call("pay")).then(structured(boost::json::parse(std::string(quota)).as_object()));
    auto checked = options(9);
    checked.validate_results = true;
    co_await open(checked);
    auto const [ec, result] = co_await hub->async_call("pay", {}, in_tuple);
    BOOST_TEST(!ec, ec.message());
    BOOST_TEST(result.is_error());
    BOOST_TEST(result.text() == "quota");
}

LINKSPAN_CASE_IN(classified_world, classifier_sees_result_of_server_interceptors_and_precedes_those_of_connector)
{
    a.on(call("pay")).then(text("unreadable"));
    auto wrapped = options(9);
    std::string seen_tool;
    wrapped.result_classifier = [&](std::string_view tool, call_result const& result) {
        seen_tool = tool;
        return linkspan::find_status_error(tool, result);
    };
    linkspan::interceptor const convert = [](linkspan::tool_request request,
                                             linkspan::next_call next) -> asio::awaitable<call_result> {
        co_await next(std::move(request));
        std::string const members = R"({"structuredContent":)" + std::string(quota) + '}';
        co_return call_result(linkspan::detail::shared_text(members), {});
    };
    wrapped.interceptors.push_back(convert);
    co_await open(wrapped);
    bool is_seen = false;
    hub->add_interceptor([&](linkspan::tool_request request, linkspan::next_call next) -> asio::awaitable<call_result> {
        auto out = co_await next(std::move(request));
        is_seen = out.is_error();
        co_return out;
    });
    auto const result = co_await hub->async_call("pay");
    BOOST_TEST(is_seen);
    BOOST_TEST(seen_tool == "pay");
    BOOST_TEST(result.text() == "quota");
    BOOST_TEST(count("a", "tool_error") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
