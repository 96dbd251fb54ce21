#include <linkspan/model/client_capabilities.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(client_capabilities_test)

using namespace linkspan;

namespace {

constexpr std::string_view whole =
    R"({"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true},"sampling":{"tools":{},"context":{}},)"
    R"("tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}},)"
    R"("extensions":{"com.example/a":{"k":1}},"experimental":{"b":{}},"c":{}})";

std::string in(protocol_version version, std::string_view json)
{
    std::string out;
    append_json(out, read_client_capabilities(json), version);
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(all_members_are_read)
{
    auto const read = read_client_capabilities(whole);
    BOOST_TEST((read.roots == roots_capability{true}));
    BOOST_TEST((read.sampling == sampling_capability{true, true}));
    BOOST_TEST((read.elicitation == elicitation_capability{true, true}));
    BOOST_TEST((read.tasks == client_tasks_capability{true, true, true, true}));
    BOOST_TEST(read.extensions == R"({"com.example/a":{"k":1}})");
    BOOST_TEST(read.has_extension("com.example/a"));
    BOOST_TEST(!read.has_extension("com.example/b"));
    BOOST_TEST(read.experimental == R"({"b":{}})");
    BOOST_TEST(read.raw == whole);
}

BOOST_AUTO_TEST_CASE(each_part_is_read_on_its_own)
{
    BOOST_TEST((read_client_capabilities(R"({"roots":{}})").roots == roots_capability{false}));
    BOOST_TEST((read_client_capabilities(R"({"sampling":{"tools":{}}})").sampling == sampling_capability{true, false}));
    BOOST_TEST(
        (read_client_capabilities(R"({"sampling":{"context":{}}})").sampling == sampling_capability{false, true}));
    BOOST_TEST(
        (read_client_capabilities(R"({"elicitation":{"url":{}}})").elicitation == elicitation_capability{false, true}));
    auto const tasks = read_client_capabilities(R"({"tasks":{"cancel":{},"requests":{"elicitation":{"create":{}}}}})");
    BOOST_TEST((tasks.tasks == client_tasks_capability{false, true, false, true}));
    BOOST_TEST(!tasks.roots.has_value());
}

BOOST_AUTO_TEST_CASE(members_that_are_not_objects_declare_nothing)
{
    auto const read = read_client_capabilities(
        R"({"roots":true,"sampling":null,"elicitation":[],"tasks":1,"extensions":"x","experimental":null})");
    client_capabilities none;
    none.raw = read.raw;
    BOOST_TEST((read == none));
    BOOST_TEST((read_client_capabilities("[]").roots == none.roots));
    auto const inner = read_client_capabilities(R"({"sampling":{"tools":true,"context":null}})");
    BOOST_TEST((inner.sampling == sampling_capability{false, false}));
}

BOOST_AUTO_TEST_CASE(empty_elicitation_has_the_mode_form)
{
    BOOST_TEST(read_client_capabilities(R"({"elicitation":{}})").elicitation->has_form());
    BOOST_TEST(read_client_capabilities(R"({"elicitation":{"form":{},"url":{}}})").elicitation->has_form());
    BOOST_TEST(!read_client_capabilities(R"({"elicitation":{"url":{}}})").elicitation->has_form());
}

BOOST_AUTO_TEST_CASE(capabilities_are_written_in_the_form_of_the_protocol_version)
{
    constexpr std::string_view oldest = R"({"roots":{"listChanged":true},"sampling":{},"experimental":{"b":{}}})";
    BOOST_TEST(in(protocol_version::v2024_11_05, whole) == oldest);
    BOOST_TEST(in(protocol_version::v2025_03_26, whole) == oldest);
    BOOST_TEST(in(protocol_version::v2025_06_18, whole) ==
               R"({"elicitation":{},"roots":{"listChanged":true},"sampling":{},"experimental":{"b":{}}})");
    BOOST_TEST(
        in(protocol_version::v2025_11_25, whole) ==
        R"({"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true},"sampling":{"tools":{},"context":{}},)"
        R"("tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}},)"
        R"("experimental":{"b":{}}})");
    BOOST_TEST(in(protocol_version::v2026_07_28, whole) ==
               R"({"elicitation":{"form":{},"url":{}},"roots":{},"sampling":{"tools":{},"context":{}},)"
               R"("extensions":{"com.example/a":{"k":1}},"experimental":{"b":{}}})");
    BOOST_TEST(in(protocol_version::v2025_06_18, R"({"elicitation":{"url":{}}})") == "{}");
    BOOST_TEST(in(protocol_version::v2025_11_25, R"({"elicitation":{"url":{}}})") == R"({"elicitation":{"url":{}}})");
    BOOST_TEST(in(protocol_version::v2025_11_25, R"({"elicitation":{}})") == R"({"elicitation":{}})");
}

BOOST_AUTO_TEST_SUITE_END()
