#ifndef LINKSPAN_TEST_SAMPLE_DETAIL_SAMPLE_KINDS_HPP
#define LINKSPAN_TEST_SAMPLE_DETAIL_SAMPLE_KINDS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/detail/keyword_view.hpp>

#include <boost/json/object.hpp>

#include <array>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Kinds of JSON values as bits of a set. A number without a fraction is `is_whole`.
enum sample_kind : unsigned {
    is_null = linkspan::detail::value_kinds::null,
    is_boolean = linkspan::detail::value_kinds::boolean,
    is_whole = linkspan::detail::value_kinds::integer,
    is_fraction = linkspan::detail::value_kinds::fraction,
    is_string = linkspan::detail::value_kinds::string,
    is_array = linkspan::detail::value_kinds::array,
    is_object = linkspan::detail::value_kinds::object,
    is_anything = linkspan::detail::value_kinds::all,
};

// Returns the kinds to which the keywords of a schema apply: the probable intention of a schema without `type`.
inline unsigned kinds_of_keywords(boost::json::object const& schema)
{
    constexpr std::array<std::pair<std::string_view, unsigned>, 20> keywords{
        {{"properties", is_object},
         {"required", is_object},
         {"additionalProperties", is_object},
         {"patternProperties", is_object},
         {"propertyNames", is_object},
         {"minProperties", is_object},
         {"maxProperties", is_object},
         {"dependentRequired", is_object},
         {"items", is_array},
         {"prefixItems", is_array},
         {"contains", is_array},
         {"minItems", is_array},
         {"maxItems", is_array},
         {"minLength", is_string},
         {"maxLength", is_string},
         {"pattern", is_string},
         {"minimum", is_whole | is_fraction},
         {"maximum", is_whole | is_fraction},
         {"exclusiveMinimum", is_whole | is_fraction},
         {"multipleOf", is_whole | is_fraction}}};
    unsigned kinds = 0;
    for (auto const& [keyword, kind] : keywords)
        if (linkspan::detail::keyword_view(schema)[keyword])
            kinds |= kind;
    return kinds;
}

} // namespace linkspan::test::detail

#endif
