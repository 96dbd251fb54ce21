#ifndef LINKSPAN_IMPL_CALL_RESULT_AS_IPP
#define LINKSPAN_IMPL_CALL_RESULT_AS_IPP

#include <linkspan/call_result_as.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <utility>

namespace linkspan::detail {

LINKSPAN_DECL boost::json::value value_of(call_result const& result, bool unwraps)
{
    error_code ec;
    if (auto const structured = result.structured(); !structured.empty()) {
        auto value = boost::json::parse({structured.data(), structured.size()}, ec);
        auto* const object = value.if_object();
        auto* const wrapped = unwraps && object && object->size() == 1 ? object->if_contains("result") : nullptr;
        if (wrapped)
            return std::exchange(*wrapped, nullptr);
        if (!ec)
            return value;
    }
    auto const text = result.text();
    auto value = boost::json::parse(text, ec);
    return ec ? boost::json::value(text) : value;
}

} // namespace linkspan::detail

#endif
