#ifndef LINKSPAN_PROTOCOL_IMPL_COMPOSE_IPP
#define LINKSPAN_PROTOCOL_IMPL_COMPOSE_IPP

#include <linkspan/core/detail/text_writer.hpp>
#include <linkspan/json/detail/with_member.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/model/task.hpp>
#include <linkspan/protocol/compose.hpp>

#include <array>
#include <charconv>
#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {

inline void append_identity(std::string& out, client_identity const& self)
{
    out += R"({"name":)";
    append_quoted(out, self.name);
    out += R"(,"version":)";
    append_quoted(out, self.version);
    out += '}';
}

// Adds the members of an object, after a comma if they are not the first ones.
inline void add_members(text_writer& to, std::string_view members) noexcept
{
    if (members.empty())
        return;
    if (to.last() != '{')
        to.add(',');
    to.add(members);
}

} // namespace detail

LINKSPAN_DECL void composer::set_protocol_version(protocol_version id, client_identity const& self)
{
    auto& out = meta_members_;
    out.clear();
    if (traits_of(id).era != era::stateless)
        return;
    out += R"("io.modelcontextprotocol/protocolVersion":")";
    out += to_string(id);
    out += R"(","io.modelcontextprotocol/clientCapabilities":)";
    capabilities_begin_ = out.size();
    capabilities_size_ = self.capabilities.size();
    out += self.capabilities;
    out += R"(,"io.modelcontextprotocol/clientInfo":)";
    detail::append_identity(out, self);
    if (!self.min_level)
        return;
    out += R"(,"io.modelcontextprotocol/logLevel":)";
    append_quoted(out, to_string(*self.min_level));
}

// Returns the members of `_meta` with the extension for tasks in the capabilities; empty in the era `handshake`.
LINKSPAN_DECL std::string composer::members_with_tasks() const
{
    auto out = meta_members_;
    if (out.empty())
        return out;
    auto const capabilities = out.substr(capabilities_begin_, capabilities_size_);
    return out.replace(capabilities_begin_, capabilities_size_,
                       detail::with_member(capabilities, "extensions", tasks_extension, "{}"));
}

LINKSPAN_DECL void composer::request(text_buffer& out, request_parts const& parts) const
{
    out.clear();
    auto const message = write_after(out, parts);
    out.commit(message.data() + message.size());
}

LINKSPAN_DECL std::string_view composer::write_after(text_buffer& to, request_parts const& parts) const
{
    if (parts.declares_tasks)
        return write(to, parts, members_with_tasks());
    return write(to, parts, meta_members_);
}

// `meta_members`: members of `_meta` that the protocol version requires in requests; empty: none.
LINKSPAN_DECL std::string_view composer::write(text_buffer& out, request_parts const& parts,
                                               std::string_view meta_members) const
{
    using namespace std::string_view_literals; // literals with known sizes: this function is on the path of every call
    constexpr std::size_t max_constants = 128; // characters that are not part of `parts`, without the id; the line end
    constexpr auto max_digits = detail::text_writer::max_digits;
    std::array<char, max_digits> digits;
    auto const* const end_of_id = std::to_chars(digits.data(), digits.data() + digits.size(), parts.id).ptr;
    std::string_view const id(digits.data(), static_cast<std::size_t>(end_of_id - digits.data()));
    char* const begin = out.prepare(max_constants + 2 * max_digits + parts.method.size() + parts.params.size() +
                                    parts.more.size() + parts.meta.size() + meta_members.size());
    detail::text_writer to(begin);
    to.add(R"({"jsonrpc":"2.0",)"sv);
    if (parts.id != 0) {
        to.add(R"("id":)"sv);
        to.add(id);
        to.add(',');
    }
    to.add(R"("method":")"sv);
    to.add(parts.method);
    to.add('"');
    bool const has_meta_members = parts.id != 0 && !meta_members.empty();
    bool const has_meta = has_meta_members || parts.requests_progress || !parts.meta.empty();
    if (has_meta || !parts.params.empty() || !parts.more.empty()) {
        to.add(R"(,"params":{)"sv);
        to.add(parts.params);
        detail::add_members(to, parts.more);
        if (has_meta) {
            detail::add_members(to, R"("_meta":{)"sv);
            if (parts.requests_progress) {
                to.add(R"("progressToken":)"sv);
                to.add(id);
            }
            if (has_meta_members)
                detail::add_members(to, meta_members);
            detail::add_members(to, parts.meta);
            to.add('}');
        }
        to.add('}');
    }
    to.add('}');
    return {begin, static_cast<std::size_t>(to.end() - begin)};
}

LINKSPAN_DECL void compose_result(text_buffer& out, std::string_view raw_id, std::string_view result)
{
    out.clear();
    detail::text_writer to(out.prepare(64 + raw_id.size() + result.size()));
    to.add(R"({"jsonrpc":"2.0","id":)");
    to.add(raw_id);
    to.add(R"(,"result":)");
    to.add(result);
    to.add('}');
    out.commit(to.end());
}

LINKSPAN_DECL void compose_failure(text_buffer& out, std::string_view raw_id, int code, std::string_view message)
{
    std::string failure = R"({"code":)";
    append_number(failure, code);
    failure += R"(,"message":)";
    append_quoted(failure, message);
    failure += '}';
    out.clear();
    detail::text_writer to(out.prepare(64 + raw_id.size() + failure.size()));
    to.add(R"({"jsonrpc":"2.0","id":)");
    to.add(raw_id);
    to.add(R"(,"error":)");
    to.add(failure);
    to.add('}');
    out.commit(to.end());
}

LINKSPAN_DECL std::string initialize_params(protocol_version proposed, client_identity const& self)
{
    std::string out = R"("protocolVersion":")";
    out += to_string(proposed);
    out += R"(","capabilities":)";
    out += self.capabilities;
    out += R"(,"clientInfo":)";
    detail::append_identity(out, self);
    return out;
}

LINKSPAN_DECL void append_call(std::string& out, std::string_view tool, std::string_view arguments)
{
    out += R"("name":)";
    append_quoted(out, tool);
    out += R"(,"arguments":)";
    out += arguments;
}

} // namespace linkspan

#endif
