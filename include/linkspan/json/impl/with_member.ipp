#ifndef LINKSPAN_JSON_IMPL_WITH_MEMBER_IPP
#define LINKSPAN_JSON_IMPL_WITH_MEMBER_IPP

#include <linkspan/json/detail/with_member.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>

#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Appends the text of an object with one more member at its end.
inline void append_extended(std::string& out, std::string_view object, std::string_view key, std::string_view value)
{
    auto const members = object.substr(0, object.rfind('}'));
    bool const is_first = members.find_first_not_of(" \t\r\n", members.find('{') + 1) == members.npos;
    append_quoted((out += members) += is_first ? "" : ",", key);
    ((out += ':') += value) += '}';
}

LINKSPAN_DECL std::string with_member(std::string_view object, std::string_view outer, std::string_view key,
                                      std::string_view value)
{
    std::string out;
    auto const found = json_scan::member(object, outer);
    if (found.empty()) {
        std::string added;
        append_extended(added, "{}", key, value);
        append_extended(out, object, outer, added);
        return out;
    }
    if (!found.starts_with('{') || !json_scan::member(found, key).empty())
        return out += object;
    auto const begin = static_cast<std::size_t>(found.data() - object.data());
    out = object.substr(0, begin);
    append_extended(out, found, key, value);
    out += object.substr(begin + found.size());
    return out;
}

} // namespace linkspan::detail

#endif
