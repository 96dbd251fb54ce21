#ifndef LINKSPAN_MODEL_IMPL_REQUIRED_ELICITATIONS_IPP
#define LINKSPAN_MODEL_IMPL_REQUIRED_ELICITATIONS_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/required_elicitations.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::vector<elicit_request> required_elicitations(error_code ec, call_result const& result)
{
    std::vector<elicit_request> out;
    if (ec != error_code(url_elicitation_required, rpc_category()) || result.attempts().empty())
        return out;
    auto const& last = result.attempts().back();
    json_scan::reader pages(json_scan::member(last.data, "elicitations"));
    if (!pages.is_array())
        return out;
    while (auto const page = pages.next()) {
        elicit_request one;
        bool const is_valid = elicitation::read(one, page->value, {.form = false, .url = true}).empty();
        if (!is_valid || one.url.empty())
            continue;
        one.server = last.server;
        out.push_back(std::move(one));
    }
    return out;
}

} // namespace linkspan

#endif
