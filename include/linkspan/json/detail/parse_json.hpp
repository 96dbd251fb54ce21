#ifndef LINKSPAN_JSON_DETAIL_PARSE_JSON_HPP
#define LINKSPAN_JSON_DETAIL_PARSE_JSON_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/json/json_scan.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Parses JSON of a server with the maximum depth of messages. The default maximum of Boost.JSON is 32 levels.
inline boost::json::value parse_json(std::string_view text, error_code& ec)
{
    boost::json::parse_options options;
    options.max_depth = json_scan::max_depth;
    return boost::json::parse({text.data(), text.size()}, ec, {}, options);
}

} // namespace linkspan::detail

#endif
