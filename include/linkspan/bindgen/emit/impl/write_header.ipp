#ifndef LINKSPAN_BINDGEN_EMIT_IMPL_WRITE_HEADER_IPP
#define LINKSPAN_BINDGEN_EMIT_IMPL_WRITE_HEADER_IPP

#include <linkspan/bindgen/emit/cpp_text.hpp>
#include <linkspan/bindgen/emit/write_header.hpp>
#include <linkspan/bindgen/mapping/identifiers.hpp>
#include <linkspan/core/detail/sha256.hpp>
#include <linkspan/core/version.hpp>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::bindgen {
namespace detail {

class header_writer {
public:
    explicit header_writer(std::vector<tool_binding> const& tools)
    {
        for (auto const& tool : tools) {
            names_.insert(tool.arguments.name);
            for (auto const& type : tool.types) {
                auto const& name = std::visit([](auto const& made) -> auto const& { return made.name; }, type);
                names_.insert(name);
                if (std::holds_alternative<enum_binding>(type))
                    scalars_.insert(name);
            }
        }
    }

    void write(tool_binding const& tool)
    {
        for (auto const& name : tool.forward)
            line("struct " + name + ";");
        out_ += tool.forward.empty() ? "" : "\n";
        // A struct is described after all types that it may contain are complete.
        bool const describes_last = !tool.forward.empty();
        std::string descriptions;
        for (auto const& type : tool.types) {
            std::visit([&](auto const& made) { write_type(made, describes_last ? &descriptions : nullptr); }, type);
            out_ += '\n';
        }
        write_tool(tool);
        out_ += descriptions;
        describe(out_, tool.arguments);
        out_ += '\n';
    }

    void write_pins(std::vector<tool_binding> const& tools)
    {
        line("// Pins of the tools from which these types were generated, for `async_verify_pins`.");
        auto const type = "std::array<linkspan::tool_pin, " + std::to_string(tools.size()) + ">";
        line("inline constexpr " + type + " pins{" + (tools.empty() ? "};" : "{"));
        for (auto const& tool : tools)
            line("    {" + tool.arguments.name + "::tool, " + tool.arguments.name + "::fingerprint},");
        if (!tools.empty())
            line("}};");
    }

    std::string take() { return std::exchange(out_, {}); }

private:
    void line(std::string_view text) { (out_ += text) += '\n'; }

    void remarks(std::vector<std::string> const& texts, std::size_t indentation)
    {
        for (auto const& text : texts)
            out_ += comment_lines(text, indentation);
    }

    // Returns the text with indented line breaks.
    static std::string indented(std::string_view text, std::size_t indentation)
    {
        std::string out;
        for (char const c : text) {
            out += c;
            if (c == '\n')
                out.append(indentation, ' ');
        }
        return out;
    }

    void write_type(enum_binding const& made, std::string*)
    {
        out_ += comment_lines(made.text);
        line("enum class " + made.name + " {");
        for (auto const& value : made.values)
            line("    " + value.name + ",");
        line("};");
        line("constexpr auto linkspan_names(" + made.name + ")");
        line("{");
        line("    return std::to_array<linkspan::enum_name<" + made.name + ">>({");
        for (auto const& value : made.values)
            line("        {" + made.name + "::" + value.name + ", " + view_literal(value.wire) + "},");
        line("    });");
        line("}");
    }

    void write_type(alias_binding const& made, std::string*)
    {
        remarks(made.remarks, 0);
        line("using " + made.name + " = " + made.type + ";");
    }

    void write_type(struct_binding const& made, std::string* descriptions)
    {
        out_ += comment_lines(made.text);
        remarks(made.remarks, 0);
        line("struct " + made.name + " {");
        write_members(made);
        line("};");
        describe(descriptions ? *descriptions : out_, made);
    }

    void write_tool(tool_binding const& tool)
    {
        auto const& name = tool.arguments.name;
        out_ += comment_lines(tool.tool.description);
        remarks(tool.remarks, 0);
        remarks(tool.arguments.remarks, 0);
        line("struct " + name + " {");
        line("    static constexpr std::string_view tool = " + view_literal(tool.tool.name) + ";");
        line("    static constexpr std::string_view fingerprint = \"" + tool.fingerprint + "\";");
        if (auto const& hints = tool.tool.annotations; tool.tool.has_hints) {
            auto const word = [](bool flag) { return flag ? "true" : "false"; };
            line("    static constexpr linkspan::tool_annotations hints{");
            line(std::string("        .read_only = ") + word(hints.read_only) +
                 ", .destructive = " + word(hints.destructive) + ", .idempotent = " + word(hints.idempotent) +
                 ", .open_world = " + word(hints.open_world) + "};");
        }
        line("    using result_type = " + tool.result_type + ";");
        write_schema("input_schema", tool.input_schema);
        write_schema("output_schema", tool.output_schema);
        out_ += '\n';
        write_members(tool.arguments);
        line("};");
    }

    // Some compilers refuse a literal of more than 64 KiB, even in several parts.
    void write_schema(std::string const& name, std::string const& schema)
    {
        if (schema.empty())
            return;
        auto literal = json_literal(schema);
        if (literal.size() <= 60'000) {
            line("    static constexpr std::string_view " + name + " =");
            line("        " + indented(literal, 8) + ";");
            return;
        }
        for (auto at = literal.find("\"\nR\""); at != literal.npos; at = literal.find("\"\nR\"", at + 2))
            literal.insert(at + 1, ",");
        line("    static constexpr auto " + name + "_parts = linkspan::joined_literals(");
        line("        " + indented(literal, 8) + ");");
        line("    static constexpr std::string_view " + name + "{" + name + "_parts.data(), " + name +
             "_parts.size()};");
    }

    bool is_scalar(std::string const& type) const
    {
        return type == "bool" || type == "double" || type == "std::int64_t" || scalars_.contains(type);
    }

    void write_members(struct_binding const& made)
    {
        for (auto const& member : made.members) {
            out_ += comment_lines(member.text, 4);
            remarks(member.remarks, 4);
            line("    " + member.type + ' ' + member.name + (is_scalar(member.type) ? "{};" : ";"));
        }
        out_ += made.members.empty() ? "" : "\n";
        line("    " + made.name + "() = default;");
        write_constructor(made);
    }

    void write_constructor(struct_binding const& made)
    {
        std::set<std::string> used;
        for (auto const& member : made.members)
            used.insert(member.name);
        std::string parameters;
        std::string initializers;
        std::size_t count = 0;
        for (auto const& member : made.members) {
            if (!member.in_constructor)
                continue;
            auto const longer = [](std::string const& name) {
                return safe_identifier(name + (name.ends_with('_') ? "arg" : "_"));
            };
            auto parameter = longer(member.name);
            while (names_.contains(parameter) || !used.insert(parameter).second)
                parameter = longer(parameter);
            ((parameters += count == 0 ? "" : ", ") += member.type + ' ') += parameter;
            initializers += count == 0 ? "" : ", ";
            initializers +=
                member.name + (is_scalar(member.type) ? "(" + parameter : "(std::move(" + parameter + ")") + ")";
            ++count;
        }
        if (count == 0)
            return;
        auto const head = (count == 1 ? "    explicit " : "    ") + made.name + "(" + parameters + ")";
        if (head.size() + initializers.size() + 6 <= columns) {
            line(head + " : " + initializers + " {}");
        } else {
            line(head);
            line("        : " + initializers);
            line("    {}");
        }
    }

    static void describe(std::string& out, struct_binding const& made)
    {
        out += "LINKSPAN_STRUCT(";
        if (made.notes.empty()) {
            out += made.name;
        } else {
            out += '(' + made.name;
            for (auto const& note : made.notes)
                out += ", " + indented(note, 8);
            out += ')';
        }
        for (auto const& member : made.members) {
            out += ",\n    (" + member.name;
            for (auto const& note : member.notes)
                out += ", " + indented(note, 8);
            out += ')';
        }
        out += ")\n";
    }

    std::string out_;               // the header so far
    std::set<std::string> names_;   // names of all types; set by the constructor
    std::set<std::string> scalars_; // names of enumerations; set by the constructor
};

} // namespace detail

LINKSPAN_DECL std::string write_header(std::vector<tool_binding> const& tools, header_options const& options)
{
    detail::header_writer writer(tools);
    for (auto const& tool : tools)
        writer.write(tool);
    writer.write_pins(tools);
    auto body =
        "namespace " + options.name_space + " {\n\n" + writer.take() + "\n} // namespace " + options.name_space + '\n';
    auto const guard = "LINKSPAN_BINDINGS_" + linkspan::detail::sha256_text(body).substr(0, 16) + "_HPP";
    std::string out = "// Generated by linkspan-bindgen " + std::string(version) + "; do not edit.\n";
    out += "// SHA-256 of the lock file: " + options.lock_digest + '\n';
    if (!visible_text(options.server).empty())
        out += comment_lines("Server: " + options.server);
    out += "\n#ifndef " + guard + "\n#define " + guard + "\n\n#include <linkspan/describe/bindings.hpp>\n\n";
    return out + body + "\n#endif\n";
}

} // namespace linkspan::bindgen

#endif
