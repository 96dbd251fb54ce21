#include <linkspan/schema/validator.hpp>

#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>

#include "support/tool_corpus.hpp"

namespace real_schemas_test {

namespace json = boost::json;

} // namespace real_schemas_test

BOOST_FIXTURE_TEST_SUITE(real_schemas_test, tool_corpus)

// One of the schemas has a pattern with a look-around assertion, which causes a warning.
BOOST_AUTO_TEST_CASE(schemas_of_real_tools_compile)
{
    std::size_t schemas = 0;
    std::size_t warnings = 0;
    for_schemas([&](json::value const& schema) {
        linkspan::schema_validator const check(schema);
        ++schemas;
        warnings += check.problems().size();
        BOOST_TEST(check.ok());
        if (auto const* const type = schema.get_object().if_contains("type"); type && *type == "object")
            BOOST_TEST(!check.accepts("no object"));
    });
    BOOST_TEST(schemas > 400U);
    BOOST_TEST(warnings <= 1U);
}

BOOST_AUTO_TEST_SUITE_END()
