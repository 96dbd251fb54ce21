#include <linkspan/connector/detail/call_request.hpp>
#include <linkspan/connector/detail/call_runner.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

BOOST_AUTO_TEST_SUITE(call_request_test)

using namespace linkspan;
using detail::call_request;

namespace {

void reset(call_request& request, std::string_view target, std::string_view tool, std::string_view arguments)
{
    request.reset(target, tool);
    request.arguments_text() += arguments;
    request.end_arguments();
}

} // namespace

BOOST_AUTO_TEST_CASE(request_has_the_given_names_and_arguments)
{
    call_request request;
    reset(request, "files", "read", R"({"path":"a"})");
    BOOST_TEST(request.target() == "files");
    BOOST_TEST(request.tool() == "read");
    BOOST_TEST(request.arguments() == R"({"path":"a"})");
    BOOST_TEST(!request.is_exposed());
    BOOST_TEST(!request.skips_interceptors());
    BOOST_TEST(!request.rejection());
    BOOST_TEST(!request.which());
    auto const query = request.query();
    BOOST_TEST(query.tool == "read");
    BOOST_TEST(query.target == "files");
    BOOST_TEST(!query.which);
    BOOST_TEST(!query.is_exposed);
}

BOOST_AUTO_TEST_CASE(params_have_the_arguments_and_the_own_name_on_the_server)
{
    call_request request;
    reset(request, {}, "a__read", R"({"path":"a"})");
    BOOST_TEST(request.params_for("read") == R"("arguments":{"path":"a"},"name":"read")");
    BOOST_TEST(request.own_name() == "read");
    BOOST_TEST(request.params_for("read") == R"("arguments":{"path":"a"},"name":"read")");
    BOOST_TEST(request.params_for("re\"ad") == R"("arguments":{"path":"a"},"name":"re\"ad")");
    BOOST_TEST(request.arguments() == R"({"path":"a"})");
    BOOST_TEST(request.tool() == "a__read");
}

BOOST_AUTO_TEST_CASE(own_name_of_the_last_request_is_composed_again)
{
    call_request request;
    for (auto const* const name : {"read", "read", "write", "read"}) {
        reset(request, {}, name, "{}");
        BOOST_TEST(request.params_for(name) == R"("arguments":{},"name":")" + std::string(name) + '"');
    }
}

BOOST_AUTO_TEST_CASE(arguments_of_the_last_request_are_replaced)
{
    call_request request;
    reset(request, {}, "read", R"({"path":"a"})");
    request.params_for("read");
    reset(request, {}, "read", R"({"path":"longer"})");
    BOOST_TEST(request.arguments() == R"({"path":"longer"})");
    BOOST_TEST(request.params_for("read") == R"("arguments":{"path":"longer"},"name":"read")");
}

BOOST_AUTO_TEST_CASE(reset_clears_the_restrictions_and_the_rejection)
{
    call_request request;
    reset(request, {}, "read", "{}");
    request.restrict_to_exposed_names();
    request.skip_interceptors();
    request.reject(error::invalid_arguments, "the reason");
    BOOST_TEST(request.is_exposed());
    BOOST_TEST(request.query().is_exposed);
    BOOST_TEST(request.skips_interceptors());
    BOOST_TEST((request.rejection() == error::invalid_arguments));
    BOOST_TEST(request.rejection_detail() == "the reason");
    reset(request, {}, "read", "{}");
    BOOST_TEST(!request.is_exposed());
    BOOST_TEST(!request.skips_interceptors());
    BOOST_TEST(!request.rejection());
    BOOST_TEST(request.rejection_detail() == "");
}

BOOST_AUTO_TEST_CASE(selector_is_part_of_the_query_until_it_is_taken_or_released)
{
    call_request request;
    reset(request, {}, "read", "{}");
    selector which;
    which.servers = {"a"};
    request.select(which);
    BOOST_TEST(request.query().has_order());
    BOOST_TEST(request.take_selector() != nullptr);
    BOOST_TEST(!request.which());
    request.select(which);
    request.release();
    BOOST_TEST(!request.which());
}

BOOST_AUTO_TEST_CASE(options_are_returned_on_release_if_they_were_given)
{
    call_request request;
    reset(request, {}, "read", "{}");
    BOOST_TEST(!request.release());
    call_options options;
    auto const owned = std::make_shared<int>(1);
    options.on_progress = [owned](progress_update const&) {};
    options.affinity = "key";
    request.set_options(std::move(options));
    BOOST_TEST(request.options().affinity == "key");
    {
        auto const given = request.release();
        BOOST_REQUIRE(given);
        BOOST_TEST(given->affinity == "key");
        BOOST_TEST(owned.use_count() == 2);
    }
    BOOST_TEST(owned.use_count() == 1);
    BOOST_TEST(request.options().affinity == "");
    BOOST_TEST(!request.release());
}

BOOST_AUTO_TEST_CASE(memory_of_long_arguments_is_released_with_the_request)
{
    call_request request;
    reset(request, {}, "read", std::string(detail::kept_text * 2, ' '));
    BOOST_TEST(!request.release());
    BOOST_TEST(request.arguments_text().capacity() <= detail::kept_text);
}

BOOST_AUTO_TEST_SUITE_END()
