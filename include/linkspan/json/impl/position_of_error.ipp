#ifndef LINKSPAN_JSON_IMPL_POSITION_OF_ERROR_IPP
#define LINKSPAN_JSON_IMPL_POSITION_OF_ERROR_IPP

#include <linkspan/core/error.hpp>
#include <linkspan/json/detail/position_of_error.hpp>

#include <boost/json/stream_parser.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL std::string position_of_error(std::string_view text)
{
    boost::json::stream_parser parser;
    error_code ec;
    auto const good = std::min(parser.write_some(text.data(), text.size(), ec), text.size());
    auto const before = text.substr(0, good);
    auto const line = std::ranges::count(before, '\n') + 1;
    auto const newline = before.rfind('\n');
    auto const column = newline == before.npos ? good + 1 : good - newline;
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

} // namespace linkspan::detail

#endif
