#ifndef LINKSPAN_BINDGEN_MAPPING_MODEL_HPP
#define LINKSPAN_BINDGEN_MAPPING_MODEL_HPP

#include <linkspan/model/tool.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

// What a generated header has, before it is text. Identifiers, types and notes are C++ already, and harmless; texts are
// those of the server.

namespace linkspan::bindgen {

/// A member of a struct.
struct member_binding {
    std::string name;
    std::optional<std::string> wire; ///< in JSON; nothing: it takes the members that no other one is
    std::string type;
    std::vector<std::string> notes;   ///< C++, as `linkspan::note::min{1}`; the last part of `LINKSPAN_STRUCT`
    std::string text;                 ///< the server's description
    std::vector<std::string> remarks; ///< ours, for people: why it is free-form, what is not checked by the type
    bool in_constructor = false;      ///< it is required, and there is something to choose
};

struct struct_binding {
    std::string name;
    std::string text;
    std::vector<std::string> notes; ///< of the struct itself
    std::vector<std::string> remarks;
    std::vector<member_binding> members; ///< in the order of the constructor, then by name
};

struct enumerator_binding {
    std::string name, wire;
};

struct enum_binding {
    std::string name;
    std::string text;
    std::vector<enumerator_binding> values;
};

struct alias_binding {
    std::string name;
    std::string type;
    std::vector<std::string> remarks;
};

using type_binding = std::variant<struct_binding, enum_binding, alias_binding>;

/// A tool, and the types that only it uses.
struct tool_binding {
    linkspan::tool tool;
    std::string fingerprint;
    std::string input_schema;         ///< canonical, of visible characters, without trigraphs; empty: too large
    std::string output_schema;        ///< likewise; empty where there is none
    std::vector<std::string> forward; ///< types that are used before they are complete
    std::vector<type_binding> types;  ///< each after those that it holds
    struct_binding arguments;         ///< of the tool
    std::string result_type;          ///< its name, or `linkspan::call_result`
    std::vector<std::string> remarks;
};

/// A part of a schema that became free-form JSON, or a tool all of which did.
struct mapping_problem {
    std::string tool;
    std::string pointer; ///< JSON Pointer (RFC 6901) in the tool, such as "/inputSchema/properties/city"
    std::string reason;
};

/// "tool 'x': /inputSchema/properties/city: ..."
inline std::string to_string(mapping_problem const& problem)
{
    return "tool '" + problem.tool + "': " + problem.pointer + ": " + problem.reason;
}

} // namespace linkspan::bindgen

#endif
