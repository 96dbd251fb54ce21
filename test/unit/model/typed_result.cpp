#include <linkspan/connector/detail/typed_call.hpp>
#include <linkspan/core/detail/shared_redactor.hpp>
#include <linkspan/describe.hpp>
#include <linkspan/model/typed_result.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

BOOST_AUTO_TEST_SUITE(typed_result_test)

using linkspan::call_result;
using linkspan::error;
using linkspan::error_code;
using linkspan::typed_result;

namespace {

call_result of(std::string_view text) { return call_result(linkspan::detail::shared_text(text), "server"); }

// Returns the error code that a handler with parameters by value receives.
template<class T>
error_code error_of(call_result result, error_code ec = {})
{
    linkspan::detail::to_typed_result<T> const read{std::make_shared<linkspan::detail::shared_redactor>(), "tool"};
    error_code conversion_error;
    bool has_value = false;
    read(
        [&](error_code code, typed_result<T> value) {
            conversion_error = code;
            has_value = value.has_value();
        },
        ec, std::move(result));
    BOOST_TEST(has_value == !conversion_error);
    return conversion_error;
}

} // namespace

// The order of argument evaluation is unspecified: reading the result must not change a code that is already copied.
BOOST_AUTO_TEST_CASE(conversion_error_is_passed_to_handler_by_value)
{
    BOOST_TEST(error_of<int>(of(R"({"structuredContent":{"result":5}})")) == error_code());
    BOOST_TEST(error_of<int>(of(R"({"structuredContent":"five"})")) == make_error_code(error::unexpected_result));
    BOOST_TEST(error_of<int>(of(R"({"content":[],"isError":true})")) == make_error_code(error::tool_failed));
    BOOST_TEST(error_of<int>({}, error::not_connected) == make_error_code(error::not_connected));
}

BOOST_AUTO_TEST_CASE(typed_result_of_bool_is_not_implicitly_convertible_to_bool)
{
    typed_result<bool> const no(false, of("{}"));
    BOOST_TEST(no.has_value());
    BOOST_TEST(!*no);
    BOOST_TEST((no ? true : false)); // has_value() is true
    BOOST_TEST(!typed_result<bool>().has_value());
    static_assert(!std::is_convertible_v<typed_result<bool>, bool>);
    static_assert(std::is_convertible_v<typed_result<int>, int>);
    BOOST_TEST(error_of<bool>(of(R"({"structuredContent":{"result":false}})")) == error_code());
}

BOOST_AUTO_TEST_CASE(conversion_of_empty_typed_result_throws)
{
    typed_result<int> const none(of("{}"));
    BOOST_CHECK_THROW(static_cast<void>(static_cast<int>(none)), std::bad_optional_access);
    BOOST_TEST(static_cast<int>(typed_result<int>(7, of("{}"))) == 7);
}

BOOST_AUTO_TEST_SUITE_END()
