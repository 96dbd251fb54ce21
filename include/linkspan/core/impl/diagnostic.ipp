#ifndef LINKSPAN_CORE_IMPL_DIAGNOSTIC_IPP
#define LINKSPAN_CORE_IMPL_DIAGNOSTIC_IPP

#include <linkspan/core/diagnostic.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string to_string(diagnostic const& from)
{
    std::string out;
    detail::append_diagnostic(out, from.subject, from.pointer, from.message);
    return out;
}

LINKSPAN_DECL void detail::append_diagnostic(std::string& out, std::string_view subject, std::string_view pointer,
                                             std::string_view message, std::string_view separator)
{
    constexpr std::string_view end = ": ";
    if (!subject.empty())
        (out += subject) += pointer.empty() ? end : separator;
    if (!pointer.empty())
        (out += pointer) += end;
    out += message;
}

} // namespace linkspan

#endif
