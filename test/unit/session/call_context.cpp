#include <linkspan/session/call_context.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(call_context_test)

using namespace linkspan;
namespace data = boost::unit_test::data;

namespace {

constexpr char const* bad_traces[] = {
    "",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
    "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
};

std::string hops_of(std::string_view meta, std::string_view own)
{
    call_options options;
    auto const ec = pass_hops(options, meta, own);
    return ec ? ec.message() : options.meta;
}

} // namespace

BOOST_AUTO_TEST_CASE(meta_members_are_added_and_existing_ones_are_kept)
{
    call_options options;
    pass_meta(options, "a", "1");
    BOOST_TEST(options.meta == R"({"a":1})");
    pass_meta(options, "b\"", R"({"x":[]})");
    BOOST_TEST(options.meta == R"({"a":1,"b\"":{"x":[]}})");
    pass_meta(options, "a", "2");
    BOOST_TEST(options.meta == R"({"a":1,"b\"":{"x":[]}})");
    options.meta = " { } ";
    pass_meta(options, "c", "null");
    BOOST_TEST(options.meta == R"( { "c":null})");
}

BOOST_DATA_TEST_CASE(invalid_trace_context_is_rejected, data::make(bad_traces))
{
    call_options options;
    trace_context trace;
    trace.traceparent = sample;
    trace.baggage = "a=b";
    BOOST_TEST(pass_trace(options, trace) == make_error_code(error::malformed_context));
    BOOST_TEST(options.meta.empty());
}

BOOST_AUTO_TEST_CASE(trace_context_of_a_later_version_can_have_more_fields)
{
    call_options options;
    trace_context trace;
    trace.traceparent = "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more";
    BOOST_TEST(!pass_trace(options, trace));
}

// A request that was already forwarded by the same connector is rejected with `routing_loop`.
BOOST_AUTO_TEST_CASE(request_with_own_hop_or_too_many_hops_is_routing_loop)
{
    std::string const circle = make_error_code(error::routing_loop).message();
    BOOST_TEST(hops_of("", "a") == R"({"linkspan/hops":["a"]})");
    BOOST_TEST(hops_of(R"({"linkspan/hops":["a","b"]})", "c") == R"({"linkspan/hops":["a","b","c"]})");
    BOOST_TEST(hops_of(R"({"linkspan/hops":["a","b"]})", "a") == circle);
    BOOST_TEST(hops_of(R"({"linkspan/hops":["1","2","3","4","5","6","7"]})", "8") ==
               R"({"linkspan/hops":["1","2","3","4","5","6","7","8"]})");
    BOOST_TEST(hops_of(R"({"linkspan/hops":["1","2","3","4","5","6","7","8"]})", "9") == circle);
    BOOST_TEST(hops_of(R"({"linkspan/hops":"nonsense"})", "a") == R"({"linkspan/hops":["a"]})");
}

BOOST_AUTO_TEST_SUITE_END()
