#ifndef LINKSPAN_SERVER_IMPL_REQUIRE_ELICITATIONS_IPP
#define LINKSPAN_SERVER_IMPL_REQUIRE_ELICITATIONS_IPP

#include <linkspan/model/required_elicitations.hpp>
#include <linkspan/model/wire_members.hpp>
#include <linkspan/server/detail/served_request.hpp>
#include <linkspan/server/require_elicitations.hpp>

#include <stdexcept>
#include <string>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL void require_elicitations(server_request& request, std::span<elicit_request const> pages)
{
    if (pages.empty())
        throw std::invalid_argument("linkspan: require_elicitations needs at least one elicitation");
    auto const id = request.protocol_version();
    auto const declared = request.client().declared();
    bool is_possible = has_member(id, wire_member::elicitation_id); // false: no such error
    std::string data = R"({"elicitations":[)";
    for (auto const& page : pages) {
        if (page.mode != elicit_mode::url || page.url.empty() || page.elicitation_id.empty())
            throw std::invalid_argument("linkspan: a required elicitation has the mode url, a URL and an id");
        is_possible = is_possible && elicitation::is_declared(declared, page, id);
        if (data.back() != '[')
            data += ',';
        data += elicitation::params_of(page, id);
    }
    if (!is_possible)
        return detail::pointer_of(request)->fail_undeclared(elicitation::required(pages.front(), id));
    request.fail(url_elicitation_required, "URL elicitation required", raw_json(data += "]}"));
}

} // namespace linkspan

#endif
