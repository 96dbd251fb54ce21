#include <linkspan/schema/validator.hpp>
#include <linkspan/test/sample.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>

#include "support/tool_corpus.hpp"

namespace sample_real_test {

namespace json = boost::json;

} // namespace sample_real_test

BOOST_FIXTURE_TEST_SUITE(sample_real_test, tool_corpus)

BOOST_AUTO_TEST_CASE(all_schemas_of_real_tools_are_sampled)
{
    std::size_t schemas = 0;
    for_schemas([&](json::value const& schema) {
        ++schemas;
        linkspan::schema_validator const check(schema);
        linkspan::test::sampler from(schema, schemas);
        for (int i = 0; i != 20; ++i) {
            auto const value = from.next();
            BOOST_TEST(value.has_value(), from.reason());
            BOOST_TEST((value && check.accepts(*value)));
        }
    });
    BOOST_TEST(schemas > 400U);
}

BOOST_AUTO_TEST_SUITE_END()
