#ifndef LINKSPAN_SESSION_IMPL_TYPED_REQUEST_IPP
#define LINKSPAN_SESSION_IMPL_TYPED_REQUEST_IPP

#include <linkspan/core/detail/append_quoted.hpp>
#include <linkspan/session/detail/typed_request.hpp>
#include <linkspan/session/session_core.hpp>
#include <linkspan/session/session_ops.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL request_pointer prepare_text_request(session_ref const& on, std::string_view method, std::string_view key,
                                                   std::string_view text)
{
    return session_request::prepare_text(session_access::core(on), session_access::origin(on), method, key, text);
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
    auto const negotiated = session_access::core(on)->version();
    append_members(params_text(*out), what, negotiated.value_or(newest(era::stateless)));
    return out;
}

} // namespace linkspan::detail

#endif
