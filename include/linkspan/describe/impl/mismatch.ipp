#ifndef LINKSPAN_DESCRIBE_IMPL_MISMATCH_IPP
#define LINKSPAN_DESCRIBE_IMPL_MISMATCH_IPP

#include <linkspan/describe/mismatch.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string to_string(mismatch const& where)
{
    std::string out = where.pointer;
    if (!out.empty())
        out += ": ";
    out.append("expected ").append(where.expected).append(", found ").append(where.found);
    return out;
}

LINKSPAN_DECL std::string to_string(mismatches const& all)
{
    std::string out;
    for (auto const& one : all) {
        if (!out.empty())
            out += "; ";
        out += to_string(one);
    }
    return out;
}

} // namespace linkspan

#endif
