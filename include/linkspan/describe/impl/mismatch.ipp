#ifndef LINKSPAN_DESCRIBE_IMPL_MISMATCH_IPP
#define LINKSPAN_DESCRIBE_IMPL_MISMATCH_IPP

#include <linkspan/core/diagnostic.hpp>
#include <linkspan/describe/mismatch.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string to_string(mismatch const& where)
{
    std::string out;
    detail::append_diagnostic(out, {}, where.pointer, "expected " + where.expected + ", found " + where.found);
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
