#ifndef LINKSPAN_TEST_SCRIPT_IMPL_MATCHER_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_MATCHER_IPP

#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/matcher_reader.hpp>
#include <linkspan/test/script/matcher.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

LINKSPAN_DECL matcher matcher::read(boost::json::value const& definition, std::string_view pointer,
                                    std::vector<diagnostic>& problems)
{
    auto const before = problems.size();
    detail::matcher_reader reader(problems);
    auto const read = reader.read(definition, std::string(pointer));
    if (problems.size() != before)
        return {definition, schema_validator(false), false, {}};
    schema_validator check(read.schema);
    if (check.ok())
        return {definition, std::move(check), read.accepts_absent, reader.capture()};
    auto const error = std::ranges::find(check.problems(), diagnostic::severity::error, &diagnostic::level);
    problems.push_back(
        {.pointer = std::string(pointer),
         .message = detail::expected_but_found("a matcher that can be compiled" +
                                                   (error == check.problems().end() ? "" : " (" + error->message + ")"),
                                               &definition)});
    return {definition, schema_validator(false), false, {}};
}

LINKSPAN_DECL bool matcher::matches(boost::json::value const* value) const
{
    return value ? check_.accepts(*value) : accepts_absent_;
}

} // namespace linkspan::test

#endif
