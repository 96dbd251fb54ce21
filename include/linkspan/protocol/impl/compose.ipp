#ifndef LINKSPAN_PROTOCOL_IMPL_COMPOSE_IPP
#define LINKSPAN_PROTOCOL_IMPL_COMPOSE_IPP

#include <linkspan/json/json_writer.hpp>
#include <linkspan/protocol/compose.hpp>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>

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

// Writes texts one after another to memory that is large enough for all of them.
class text_writer {
public:
    explicit text_writer(char* to) noexcept : at_(to) {}

    void add(std::string_view text) noexcept
    {
        if (text.empty()) // its pointer may be null
            return;
        std::memcpy(at_, text.data(), text.size());
        at_ += text.size();
    }

    void add(char c) noexcept { *at_++ = c; }

    // Adds the members of an object, after a comma if they are not the first ones.
    void add_members(std::string_view members) noexcept
    {
        if (members.empty())
            return;
        if (at_[-1] != '{')
            add(',');
        add(members);
    }

    char const* end() const noexcept { return at_; }

private:
    char* at_; // position after the last text
};

} // namespace detail

LINKSPAN_DECL void composer::set_protocol_version(protocol_version id, client_identity const& self)
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

LINKSPAN_DECL void composer::request(text_buffer& out, request_parts const& parts) const
{
    using namespace std::string_view_literals; // literals with known sizes: this function is on the path of every call
    constexpr std::size_t max_constants = 128; // characters that are not part of `parts`, without the id
    constexpr std::size_t max_digits = 20;
    std::array<char, max_digits> digits;
    auto const* const end_of_id = std::to_chars(digits.data(), digits.data() + digits.size(), parts.id).ptr;
    std::string_view const id(digits.data(), static_cast<std::size_t>(end_of_id - digits.data()));
    out.clear();
    detail::text_writer to(out.prepare(max_constants + 2 * max_digits + parts.method.size() + parts.params.size() +
                                       parts.more.size() + parts.meta.size() + envelope_.size()));
    to.add(R"({"jsonrpc":"2.0",)"sv);
    if (parts.id != 0) {
        to.add(R"("id":)"sv);
        to.add(id);
        to.add(',');
    }
    to.add(R"("method":")"sv);
    to.add(parts.method);
    to.add('"');
    bool const has_envelope = parts.id != 0 && !envelope_.empty();
    bool const has_meta = has_envelope || parts.wants_progress || !parts.meta.empty();
    if (has_meta || !parts.params.empty() || !parts.more.empty()) {
        to.add(R"(,"params":{)"sv);
        to.add(parts.params);
        to.add_members(parts.more);
        if (has_meta) {
            to.add_members(R"("_meta":{)"sv);
            if (parts.wants_progress) {
                to.add(R"("progressToken":)"sv);
                to.add(id);
            }
            if (has_envelope)
                to.add_members(envelope_);
            to.add_members(parts.meta);
            to.add('}');
        }
        to.add('}');
    }
    to.add('}');
    out.commit(to.end());
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
