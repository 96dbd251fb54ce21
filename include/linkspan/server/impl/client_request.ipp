#ifndef LINKSPAN_SERVER_IMPL_CLIENT_REQUEST_IPP
#define LINKSPAN_SERVER_IMPL_CLIENT_REQUEST_IPP

#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/wire_members.hpp>
#include <linkspan/server/detail/client_request.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL std::optional<client_request::task_terms> task_terms_of(std::string_view method, protocol_version version,
                                                                      client_capabilities const& declared,
                                                                      client_task_options const& wanted)
{
    if (!declared.tasks || !has_member(version, wire_member::task_support))
        return std::nullopt;
    bool const is_offered = (method == "sampling/createMessage" && declared.tasks->sampling) ||
                            (method == "elicitation/create" && declared.tasks->elicitation);
    return is_offered ? std::optional(client_request::task_terms{wanted.timeout, declared.tasks->cancel})
                      : std::nullopt;
}

LINKSPAN_DECL void add_task_member(std::string& params, client_task_options const& wanted)
{
    params.pop_back(); // the brace
    params += params.back() == '{' ? R"("task":{)" : R"(,"task":{)";
    if (wanted.ttl)
        append_number(params += R"("ttl":)", std::max(wanted.ttl->count(), std::chrono::milliseconds::rep(0)));
    params += "}}";
}

LINKSPAN_DECL void add_input_request(object_writer& to, std::string_view key, std::string_view method,
                                     std::string_view params)
{
    object_writer request(to.key(key));
    request.text("method", method);
    request.raw("params", params);
    request.close();
}

} // namespace linkspan::detail

#endif
