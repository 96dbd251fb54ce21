#ifndef LINKSPAN_PROTOCOL_IMPL_MIRRORED_ARGUMENTS_IPP
#define LINKSPAN_PROTOCOL_IMPL_MIRRORED_ARGUMENTS_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/detail/keyword_view.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/header_value.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Reads the annotations of a schema recursively, and stops at the first invalid one. `path_` and `pointer_` are the
// location of the current schema.
class mirror_reader {
public:
    explicit mirror_reader(mirrored_arguments& out) : out_(out) {}

    // `is_reachable`: the schema is reachable through `properties` only, so that `path_` leads to its value in the
    // arguments.
    void read_schema(boost::json::value const& schema, bool is_reachable)
    {
        auto const* const object = schema.if_object();
        if (!object || !out_.fault.empty())
            return;
        if (auto const name = keyword_view(*object)["x-mcp-header"])
            read_annotation(*object, name, is_reachable);
        for (auto const& member : *object) {
            std::string_view const key = member.key();
            auto const& value = member.value();
            if (key == "properties")
                read_named(key, value, is_reachable);
            else if (std::ranges::find(named, key) != named.end())
                read_named(key, value, false);
            else if (std::ranges::find(values, key) == values.end())
                read_subschemas(key, value);
        }
    }

private:
    // named: keywords whose members are schemas; values: keywords that contain values and no schemas.
    static constexpr std::array<std::string_view, 4> named{"patternProperties", "$defs", "definitions",
                                                           "dependentSchemas"};
    static constexpr std::array<std::string_view, 5> values{"enum", "const", "default", "examples", "x-mcp-header"};

    void fail(std::string why)
    {
        if (out_.fault.empty())
            out_.fault = (pointer_.empty() ? "the schema" : pointer_) + ": " + std::move(why);
    }

    void read_annotation(boost::json::object const& schema, keyword_value name, bool is_reachable)
    {
        constexpr std::array<std::string_view, 3> types{"integer", "string", "boolean"};
        auto const text = name.text();
        auto const type = keyword_view(schema)["type"].text();
        if (!text || !is_http_token(*text))
            return fail("x-mcp-header is not an HTTP token");
        if (!is_reachable || path_.empty())
            return fail("schema with x-mcp-header is not reachable through 'properties' only");
        if (!type || std::ranges::find(types, *type) == types.end())
            return fail("x-mcp-header requires type 'integer', 'string' or 'boolean'");
        auto header = "Mcp-Param-" + std::string(*text);
        auto const has_same_name = [&](mirrored_argument const& other) {
            return equal_ignoring_case(other.header, header);
        };
        if (std::ranges::any_of(out_.all, has_same_name))
            return fail("x-mcp-header '" + std::string(*text) + "' is not unique");
        out_.all.push_back({std::move(header), path_});
    }

    void read_named(std::string_view keyword, boost::json::value const& schemas, bool is_reachable)
    {
        auto const* const object = keyword_value(&schemas).object();
        if (!object)
            return;
        auto const before = pointer_.size();
        for (auto const& [key, schema] : *object) {
            ((pointer_ += '/') += keyword) += '/';
            pointer_ += pointer_token(key);
            path_.emplace_back(key);
            read_schema(schema, is_reachable);
            path_.pop_back();
            pointer_.resize(before);
        }
    }

    // Reads the value of a keyword that is a schema or an array of schemas.
    void read_subschemas(std::string_view keyword, boost::json::value const& value)
    {
        auto const before = pointer_.size();
        (pointer_ += '/') += pointer_token(keyword);
        keyword_value(&value).for_one_or_each([this](keyword_value schema) { read_schema(*schema, false); });
        pointer_.resize(before);
    }

    mirrored_arguments& out_;       // receives the arguments, or the first fault; set by the constructor
    std::string pointer_;           // JSON Pointer of the current schema
    std::vector<std::string> path_; // keys from the arguments to the value of the current schema
};

// Returns the member with that key, also if the key is written with escapes; empty: none.
inline std::string_view find_member(std::string_view object, std::string_view key)
{
    std::string decoded;
    json_scan::reader members(object);
    if (!members.is_object())
        return {};
    while (auto const member = members.next()) {
        if (member->key == key)
            return member->value;
        if (member->key.find('\\') == member->key.npos)
            continue;
        decoded.clear();
        if (json_scan::append_string(decoded, {member->key.data() - 1, member->key.size() + 2}) && decoded == key)
            return member->value;
    }
    return {};
}

} // namespace detail

LINKSPAN_DECL mirrored_arguments read_mirrored_arguments(std::string_view input_schema)
{
    mirrored_arguments out;
    if (input_schema.find("x-mcp-header") == input_schema.npos)
        return out;
    boost::system::error_code ec;
    boost::json::parse_options options;
    options.max_depth = json_scan::max_depth;
    auto const schema = boost::json::parse({input_schema.data(), input_schema.size()}, ec, {}, options);
    if (ec)
        return out; // text that is not JSON has no annotations
    detail::mirror_reader(out).read_schema(schema, true);
    if (!out.fault.empty())
        out.all.clear();
    return out;
}

LINKSPAN_DECL std::optional<std::string> mirrored_value(std::string_view arguments, mirrored_argument const& argument)
{
    auto value = arguments;
    for (auto const& key : argument.path)
        value = detail::find_member(value, key);
    if (value == "true" || value == "false")
        return std::string(value);
    if (auto const text = json_scan::string(value))
        return encode_header_value(*text);
    // Larger integers are not represented exactly by every JSON implementation.
    constexpr std::int64_t max_exact = (std::int64_t{1} << 53) - 1;
    auto integer = json_scan::integer(value);
    if (auto const number = json_scan::number(value);
        !integer && number && std::abs(*number) <= static_cast<double>(max_exact) && std::trunc(*number) == *number)
        integer = static_cast<std::int64_t>(*number); // 42.0 is the integer 42
    return integer && *integer >= -max_exact && *integer <= max_exact ? std::optional(std::to_string(*integer))
                                                                      : std::nullopt;
}

} // namespace linkspan

#endif
