#ifndef LINKSPAN_BINDGEN_MAPPING_MODEL_HPP
#define LINKSPAN_BINDGEN_MAPPING_MODEL_HPP

#include <linkspan/model/tool.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

// Model of a generated header. Members named `name`, `type` and `notes` are valid C++ that is safe to write; members
// named `text` and `wire` are text of the server.

namespace linkspan::inline LINKSPAN_ABI::bindgen {

/// Member of a struct.
struct member_binding {
    /// Identifier of the member.
    std::string name;

    /// Name of the member in JSON. Empty optional: the member receives all JSON members that have no data member of
    /// their own.
    std::optional<std::string> wire;

    /// C++ type of the member.
    std::string type;

    /// Notes of the member for `LINKSPAN_STRUCT`, such as `linkspan::note::min{1}`.
    std::vector<std::string> notes;

    /// Description of the member by the server. May be empty.
    std::string text;

    /// Human-readable remarks of the generator: why the member is free-form JSON, or which rules the type does not
    /// check.
    std::vector<std::string> remarks;

    /// Whether the member is a parameter of the constructor: it is required and has more than one valid value.
    bool in_constructor = false;
};

/// Struct of a generated header.
struct struct_binding {
    /// Identifier of the struct.
    std::string name;

    /// Description by the server. May be empty.
    std::string text;

    /// Notes of the struct itself for `LINKSPAN_STRUCT`.
    std::vector<std::string> notes;

    /// Human-readable remarks of the generator.
    std::vector<std::string> remarks;

    /// Members: first the required ones in the order of `required`, then the optional ones sorted by name, then the one
    /// for additional JSON members, if any.
    std::vector<member_binding> members;
};

/// Enumerator of a generated header.
struct enumerator_binding {
    /// Identifier of the enumerator.
    std::string name;
    /// Text of the enumerator in JSON.
    std::string wire;
};

/// Enumeration of a generated header.
struct enum_binding {
    /// Identifier of the enumeration.
    std::string name;

    /// Description by the server. May be empty.
    std::string text;

    /// Enumerators.
    std::vector<enumerator_binding> values;
};

/// Type alias of a generated header.
struct alias_binding {
    /// Identifier of the alias.
    std::string name;
    /// C++ type that the alias names.
    std::string type;

    /// Human-readable remarks of the generator.
    std::vector<std::string> remarks;
};

/// Type of a generated header.
using type_binding = std::variant<struct_binding, enum_binding, alias_binding>;

/// Tool with the types that only this tool uses.
struct tool_binding {
    /// Tool as the server listed it.
    linkspan::tool tool;

    /// Fingerprint of the tool, for pins.
    std::string fingerprint;

    /// Input schema as canonical JSON of visible characters, without trigraphs. Empty: the schema is not valid JSON, or
    /// is too large to be embedded.
    std::string input_schema;

    /// Output schema as canonical JSON of visible characters, without trigraphs. Empty: there is none, or it is not
    /// valid JSON, or it is too large.
    std::string output_schema;

    /// Names of structs that are used before their definitions, and therefore need forward declarations.
    std::vector<std::string> forward;

    /// Types of the tool. Each type follows the types that it contains.
    std::vector<type_binding> types;

    /// Struct that describes the tool. Its members are the arguments.
    struct_binding arguments;

    /// Name of the type of the result, or `linkspan::call_result`.
    std::string result_type;

    /// Human-readable remarks of the generator.
    std::vector<std::string> remarks;
};

} // namespace linkspan::bindgen

#endif
