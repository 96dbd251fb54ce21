#ifndef LINKSPAN_SESSION_IMPL_MESSAGE_WRITER_IPP
#define LINKSPAN_SESSION_IMPL_MESSAGE_WRITER_IPP

#include <linkspan/session/detail/message_writer.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL outbound message_writer::notification(std::string_view method, std::string_view params, message_kind kind,
                                                    version_type version)
{
    request_parts parts;
    parts.method = method;
    parts.params = params;
    composer_.request(text_, parts);
    outbound out;
    out.bytes = text_.view();
    out.kind = kind;
    out.method = method;
    out.version = version;
    return out;
}

LINKSPAN_DECL outbound message_writer::result(std::string_view raw_id, std::string_view result, version_type version)
{
    compose_result(text_, raw_id, result);
    return response(version);
}

LINKSPAN_DECL outbound message_writer::failure(std::string_view raw_id, int code, std::string_view message,
                                               version_type version)
{
    compose_failure(text_, raw_id, code, message);
    return response(version);
}

LINKSPAN_DECL outbound message_writer::response(version_type version) const noexcept
{
    outbound out;
    out.bytes = text_.view();
    out.kind = message_kind::response;
    out.version = version;
    return out;
}

} // namespace linkspan::detail

#endif
