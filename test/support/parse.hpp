#ifndef LINKSPAN_TEST_SUPPORT_PARSE_HPP
#define LINKSPAN_TEST_SUPPORT_PARSE_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test {

inline boost::json::value parse(std::string_view text) { return boost::json::parse({text.data(), text.size()}); }

} // namespace linkspan::test

#endif
