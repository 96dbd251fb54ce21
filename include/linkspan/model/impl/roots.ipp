#ifndef LINKSPAN_MODEL_IMPL_ROOTS_IPP
#define LINKSPAN_MODEL_IMPL_ROOTS_IPP

#include <linkspan/model/roots.hpp>

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

} // namespace linkspan

#endif
