#ifndef LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVER_MESSAGE_IPP
#define LINKSPAN_HTTP_SERVER_IMPL_HTTP_SERVER_MESSAGE_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/http/server/http_server_message.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::string_view http_server_request::header(std::string_view name) const noexcept
{
    for (auto const& field : fields)
        if (detail::equal_ignoring_case(field.name, name))
            return field.value;
    return {};
}

} // namespace linkspan

#endif
