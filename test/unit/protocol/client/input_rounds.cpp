#include <linkspan/protocol/client/input_rounds.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(input_rounds_test)

using namespace linkspan;
namespace data = boost::unit_test::data;

namespace {

// Returns a result as text: "key=method(params)" for each request, then the state.
std::string read(std::string_view result)
{
    auto const required = read_input_required(result);
    if (!required)
        return "nothing";
    std::string out;
    for (auto const& one : required->requests)
        out += std::string(one.key) + "=" + std::string(one.method) + "(" + std::string(one.params) + ") ";
    return out + std::string(required->state);
}

struct row {
    std::string_view result, read;
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.result; }

constexpr row results[] = {
    {R"({"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}})", "a=roots/list() "},
    {R"({"inputRequests":{"b":{"method":"elicitation/create","params":{"message":"?"}},"a":{"method":"x"}}})",
     R"(b=elicitation/create({"message":"?"}) a=x() )"},
    {R"({"requestState":"s\u0041\"","inputRequests":{}})", R"("s\u0041\"")"},
    {R"({"requestState":""})", R"("")"},
    {R"({"inputRequests":{"q\"":{"method":"x"}},"requestState":"s"})", R"(q\"=x() "s")"},
    {R"({"inputRequests":{}})", "nothing"},
    {"{}", "nothing"},
    {R"({"inputRequests":[]})", "nothing"},
    {R"({"inputRequests":{"a":{}}})", "nothing"},
    {R"({"inputRequests":{"a":7},"requestState":"s"})", "nothing"},
    {R"({"requestState":7})", "nothing"},
    {R"({"requestState":null,"inputRequests":{"a":{"method":"x"}}})", "nothing"},
};

std::string composed(std::vector<input_response> const& responses, std::string_view state)
{
    std::string out = "what was there before";
    compose_input(out, responses, state);
    return out;
}

} // namespace

BOOST_DATA_TEST_CASE(input_required_result_is_read, data::make(results))
{
    BOOST_TEST(read(sample.result) == sample.read);
}

BOOST_AUTO_TEST_CASE(input_responses_have_request_keys_and_state_is_unchanged)
{
    BOOST_TEST(composed({{"a", R"({"roots":[]})"}, {R"(q\")", "{}"}}, R"("s\u0041")") ==
               R"("inputResponses":{"a":{"roots":[]},"q\"":{}},"requestState":"s\u0041")");
    BOOST_TEST(composed({{"a", "{}"}}, "") == R"("inputResponses":{"a":{}})");
    BOOST_TEST(composed({}, R"("")") == R"("requestState":"")");
}

BOOST_AUTO_TEST_CASE(three_methods_may_require_input)
{
    for (std::string_view const method : {"tools/call", "prompts/get", "resources/read"})
        BOOST_TEST(may_require_input(method), method);
    for (std::string_view const method : {"tools/list", "server/discover", "ping", ""})
        BOOST_TEST(!may_require_input(method), method);
}

BOOST_AUTO_TEST_CASE(input_requests_and_responses_are_repeated_after_a_failed_allocation)
{
    constexpr std::string_view text = R"({"inputRequests":{"a":{"method":"roots/list"},"b":{"method":"x"}}})";
    linkspan::test::fail_each_allocation([&](auto& failing) {
        std::optional<linkspan::input_required_result> read;
        if (!failing([&] { read = linkspan::read_input_required(text); }))
            read = linkspan::read_input_required(text);
        BOOST_TEST_REQUIRE(read.has_value());
        BOOST_TEST(read->requests.size() == 2u);
        std::vector<linkspan::input_response> const responses{{"a", "{}"}, {"b", "[]"}};
        std::string out;
        if (!failing([&] { linkspan::compose_input(out, responses, R"("s")"); }))
            linkspan::compose_input(out, responses, R"("s")");
        BOOST_TEST(out == R"("inputResponses":{"a":{},"b":[]},"requestState":"s")");
    });
}

BOOST_AUTO_TEST_SUITE_END()
