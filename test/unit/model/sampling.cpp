#include <linkspan/model/sampling.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(sampling_test)

using namespace linkspan;

BOOST_AUTO_TEST_CASE(sampling_request_is_read_and_kept)
{
    constexpr auto params = R"({"messages":[{"role":"user"}],"systemPrompt":"be \"brief\"","maxTokens":9,"x":1})";
    sampling_request request;
    BOOST_TEST(sampling::read(request, params, {}) == "");
    BOOST_TEST(request.messages == R"([{"role":"user"}])");
    BOOST_TEST(request.system_prompt == R"(be "brief")");
    BOOST_TEST((request.max_tokens == 9));
    BOOST_TEST(request.raw == params);
    BOOST_TEST(sampling::read(request, "{}", {}) == "sampling request has no 'messages'");
}

BOOST_AUTO_TEST_CASE(sampling_result_is_text_or_any_content)
{
    sampling_result result;
    result.text = "hi \"you\"";
    result.model = "m";
    BOOST_TEST(sampling::write(result, {}) ==
               R"({"role":"assistant","content":{"type":"text","text":"hi \"you\""},"model":"m"})");
    result.content = R"({"type":"image"})";
    result.stop_reason = "endTurn";
    BOOST_TEST(sampling::write(result, {}) ==
               R"({"role":"assistant","content":{"type":"image"},"model":"m","stopReason":"endTurn"})");
}

BOOST_AUTO_TEST_SUITE_END()
