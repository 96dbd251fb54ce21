#ifndef LINKSPAN_PROTOCOL_IMPL_COMPOSE_IPP
#define LINKSPAN_PROTOCOL_IMPL_COMPOSE_IPP

#include <linkspan/json/json_writer.hpp>
#include <linkspan/protocol/compose.hpp>

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

inline void append_separated(std::string& out, std::string_view members)
{
    if (members.empty())
        return;
    if (out.back() != '{')
        out += ',';
    out += members;
}

} // namespace detail

LINKSPAN_DECL void composer::speak(protocol_version id, client_identity const& self)
{
    envelope_.clear();
    if (traits_of(id).opening != era::stateless)
        return;
    envelope_ += R"("io.modelcontextprotocol/protocolVersion":")";
    envelope_ += to_string(id);
    envelope_ += R"(","io.modelcontextprotocol/clientCapabilities":)";
    envelope_ += self.capabilities;
    envelope_ += R"(,"io.modelcontextprotocol/clientInfo":)";
    detail::append_identity(envelope_, self);
}

LINKSPAN_DECL void composer::request(std::string& out, request_parts const& parts) const
{
    using namespace std::string_view_literals; // literals with known sizes: this function is on the path of every call
    out.assign(R"({"jsonrpc":"2.0",)"sv);
    if (parts.id != 0) {
        out += R"("id":)"sv;
        append_number(out, parts.id);
        out += ',';
    }
    out += R"("method":")"sv;
    out += parts.method;
    out += '"';
    bool const has_envelope = parts.id != 0 && !envelope_.empty();
    bool const has_meta = has_envelope || parts.wants_progress || !parts.meta.empty();
    if (has_meta || !parts.params.empty() || !parts.more.empty()) {
        out += R"(,"params":{)"sv;
        out += parts.params;
        detail::append_separated(out, parts.more);
        if (has_meta) {
            detail::append_separated(out, R"("_meta":{)"sv);
            if (parts.wants_progress) {
                out += R"("progressToken":)"sv;
                append_number(out, parts.id);
            }
            if (has_envelope)
                detail::append_separated(out, envelope_);
            detail::append_separated(out, parts.meta);
            out += '}';
        }
        out += '}';
    }
    out += '}';
}

LINKSPAN_DECL void compose_result(std::string& out, std::string_view raw_id, std::string_view result)
{
    out.assign(R"({"jsonrpc":"2.0","id":)");
    out += raw_id;
    out += R"(,"result":)";
    out += result;
    out += '}';
}

LINKSPAN_DECL void compose_failure(std::string& out, std::string_view raw_id, int code, std::string_view message)
{
    out.assign(R"({"jsonrpc":"2.0","id":)");
    out += raw_id;
    out += R"(,"error":{"code":)";
    append_number(out, code);
    out += R"(,"message":)";
    append_quoted(out, message);
    out += "}}";
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
