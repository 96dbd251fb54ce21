#ifndef LINKSPAN_MODEL_IMPL_SAMPLING_MESSAGE_IPP
#define LINKSPAN_MODEL_IMPL_SAMPLING_MESSAGE_IPP

#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/sampling_message.hpp>
#include <linkspan/model/wire_members.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL std::vector<sampling_message> read_sampling_messages(std::string_view json)
{
    std::vector<sampling_message> out;
    json_scan::reader messages(json);
    if (!messages.is_array())
        return out;
    while (auto const one = messages.next()) {
        if (!one->value.starts_with('{'))
            continue;
        auto& message = out.emplace_back();
        message.role = json_scan::string(json_scan::member(one->value, "role")).value_or("");
        message.content = read_content(json_scan::member(one->value, "content"));
        if (auto const meta = json_scan::member(one->value, "_meta"); meta != "null")
            message.meta = meta;
    }
    return out;
}

LINKSPAN_DECL void append_json(std::string& out, std::vector<sampling_message> const& messages, protocol_version id)
{
    auto open = [&out, is_first = true](sampling_message const& message) mutable -> std::string& {
        append_quoted(out += std::exchange(is_first, false) ? R"({"role":)" : R"(,{"role":)", message.role);
        return out += R"(,"content":)";
    };
    out += '[';
    for (auto const& message : messages) {
        if (!has_member(id, wire_member::sampling_tools)) {
            for (auto const& block : message.content)
                (append_content(open(message), block, id), out += '}');
            continue;
        }
        if (message.content.size() == 1)
            append_content(open(message), message.content.front(), id);
        else
            append_content(open(message), message.content, id);
        if (!message.meta.empty())
            (out += R"(,"_meta":)") += message.meta;
        out += '}';
    }
    out += ']';
}

} // namespace linkspan

#endif
