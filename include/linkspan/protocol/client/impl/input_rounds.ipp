#ifndef LINKSPAN_PROTOCOL_CLIENT_IMPL_INPUT_ROUNDS_IPP
#define LINKSPAN_PROTOCOL_CLIENT_IMPL_INPUT_ROUNDS_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/client/input_rounds.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::optional<input_required_result> read_input_required(std::string_view result)
{
    input_required_result out;
    std::string_view requests;
    json_scan::reader members(result);
    while (auto const member = members.next())
        if (member->key == "inputRequests")
            requests = member->value;
        else if (member->key == "requestState")
            out.state = member->value;
    bool const is_string = json_scan::quoted(out.state).has_value();
    if (!out.state.empty() && !is_string)
        return std::nullopt;
    json_scan::reader entries(requests);
    if (!requests.empty() && !entries.is_object())
        return std::nullopt;
    while (auto const entry = requests.empty() ? std::nullopt : entries.next()) {
        auto const method = json_scan::quoted(json_scan::member(entry->value, "method"));
        if (!method)
            return std::nullopt;
        out.requests.push_back({entry->key, *method, json_scan::member(entry->value, "params")});
    }
    if (out.requests.empty() && out.state.empty())
        return std::nullopt;
    return out;
}

LINKSPAN_DECL void compose_input(std::string& out, std::span<input_response const> responses, std::string_view state)
{
    out.clear();
    if (!responses.empty()) {
        out = R"("inputResponses":{)";
        for (auto const& response : responses) {
            ((out += out.back() == '{' ? "\"" : ",\"") += response.key) += "\":";
            out += response.result;
        }
        out += '}';
    }
    if (!state.empty())
        ((out += out.empty() ? "" : ",") += R"("requestState":)") += state;
}

} // namespace linkspan

#endif
