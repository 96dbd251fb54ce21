#ifndef LINKSPAN_TEST_SAMPLE_DETAIL_SAMPLE_KINDS_HPP
#define LINKSPAN_TEST_SAMPLE_DETAIL_SAMPLE_KINDS_HPP

#include <linkspan/json/json_number.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Kinds of JSON values as bits of a set.
enum sample_kind : unsigned {
    is_null = 1,
    is_boolean = 2,
    is_whole = 4,
    is_fraction = 8,
    is_string = 16,
    is_array = 32,
    is_object = 64,
    is_anything = 127,
};

// Returns the kinds that a name in `type` permits; 0 for other values.
inline unsigned kind_of_name(boost::json::value const& name)
{
    constexpr std::array<std::pair<std::string_view, unsigned>, 7> names{{{"null", is_null},
                                                                          {"boolean", is_boolean},
                                                                          {"integer", is_whole},
                                                                          {"number", is_whole | is_fraction},
                                                                          {"string", is_string},
                                                                          {"array", is_array},
                                                                          {"object", is_object}}};
    for (auto const& [known, kind] : names)
        if (name.is_string() && name.get_string() == known)
            return kind;
    return 0;
}

// Returns the kinds that a value of `type` permits, a name or an array of names.
inline unsigned kinds_of_type(boost::json::value const& type)
{
    if (!type.is_array())
        return kind_of_name(type);
    unsigned kinds = 0;
    for (auto const& name : type.get_array())
        kinds |= kind_of_name(name);
    return kinds;
}

// Returns the kind of a value. A number without a fraction is `is_whole`, whatever its representation.
inline unsigned kind_of_value(boost::json::value const& value)
{
    switch (value.kind()) {
    case boost::json::kind::null: return is_null;
    case boost::json::kind::bool_: return is_boolean;
    case boost::json::kind::string: return is_string;
    case boost::json::kind::array: return is_array;
    case boost::json::kind::object: return is_object;
    default: return is_integer(value) ? is_whole : is_fraction;
    }
}

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
        if (schema.contains(keyword))
            kinds |= kind;
    return kinds;
}

} // namespace linkspan::test::detail

#endif
