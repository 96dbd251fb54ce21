#ifndef LINKSPAN_SESSION_IMPL_TYPED_REQUEST_IPP
#define LINKSPAN_SESSION_IMPL_TYPED_REQUEST_IPP

#include <linkspan/core/detail/append_quoted.hpp>
#include <linkspan/session/detail/typed_request.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL request_pointer prepare_resource_request(session_ref const& on, std::string_view method,
                                                       std::string_view uri)
{
    auto out = session_access::prepare(on, method);
    auto& params = params_text(*out);
    append_quoted(params += R"({"uri":)", uri);
    params += '}';
    return out;
}

LINKSPAN_DECL request_pointer prepare_prompt(session_ref const& on, std::string_view name,
                                             argument_values const& arguments)
{
    auto out = session_access::prepare(on, "prompts/get");
    auto& params = params_text(*out);
    append_quoted(params += R"({"name":)", name);
    if (!arguments.empty()) {
        params += R"(,"arguments":)";
        char separator = '{';
        for (auto const& [key, value] : arguments) {
            append_quoted(params += std::exchange(separator, ','), key);
            append_quoted(params += ':', value);
        }
        params += '}';
    }
    params += '}';
    return out;
}

LINKSPAN_DECL request_pointer prepare_completion(session_ref const& on, completion_request const& what)
{
    auto out = session_access::prepare(on, "completion/complete");
    append_members(params_text(*out), what);
    return out;
}

} // namespace linkspan::detail

#endif
