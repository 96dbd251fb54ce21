#ifndef LINKSPAN_MODEL_IMPL_ROOTS_IPP
#define LINKSPAN_MODEL_IMPL_ROOTS_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/roots.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string roots::write(roots_result const& result, std::string_view)
{
    std::string out = R"({"roots":[)";
    for (auto const& one : result.roots) {
        append_quoted(out += out.back() == '[' ? R"({"uri":)" : R"(,{"uri":)", one.uri);
        if (!one.name.empty())
            append_quoted(out += R"(,"name":)", one.name);
        out += '}';
    }
    return out += "]}";
}

LINKSPAN_DECL std::optional<roots_result> roots::read_result(std::string_view json)
{
    json_scan::reader each(json_scan::member(json, "roots"));
    if (!each.is_array())
        return std::nullopt;
    roots_result out;
    while (auto const entry = each.next()) {
        auto uri = json_scan::string(json_scan::member(entry->value, "uri")).value_or("");
        auto name = json_scan::string(json_scan::member(entry->value, "name")).value_or("");
        if (!uri.empty())
            out.roots.push_back({std::move(uri), std::move(name)});
    }
    return out;
}

} // namespace linkspan

#endif
