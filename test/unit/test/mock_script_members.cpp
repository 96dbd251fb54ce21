// The tables of all members in doc/mock-script.md, which are generated from the JSON Schema of the format.

#include <linkspan/test/script/mock_script.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "support/document.hpp"

BOOST_AUTO_TEST_SUITE(mock_script_members_test)

using namespace linkspan::test;
namespace json = boost::json;

namespace {

json::value const* find(json::object const& schema, std::string_view keyword) { return schema.if_contains(keyword); }

std::string text_in(json::object const& schema, std::string_view keyword)
{
    auto const* const found = find(schema, keyword);
    return found ? std::string(found->as_string()) : std::string();
}

std::string as_code(json::value const& value)
{
    bool const is_word = value.is_string() && !value.as_string().empty();
    return "`" + (is_word ? std::string(value.as_string()) : json::serialize(value)) + "`";
}

// Writes the tables of a schema and of the objects in it, in the order of the schema.
class tables {
public:
    explicit tables(json::object const& schema)
    {
        add_object("script", schema);
        for (auto const& [name, part] : schema.at("$defs").as_object())
            add_object(name, part.as_object());
    }

    std::string const& text() const { return text_; }

private:
    // Adds the table of an object, and then those of the objects in it. `name`: the path of the object.
    void add_object(std::string const& name, json::object const& schema)
    {
        std::string const inside = name == "script" ? "" : name + ".";
        text_ += "\n### `" + name + "`\n\n" + sentence(schema) +
                 "| member | value | default | description |\n|---|---|---|---|\n";
        for (auto const& [member, value] : schema.at("properties").as_object()) {
            auto const& of = value.as_object();
            text_ += "| `" + std::string(member) + "` | " + type(of, inside + std::string(member)) + " | " +
                     standard(schema, member, of) + " | " + text_in(of, "description") + " |\n";
        }
        for (auto const& [member, value] : schema.at("properties").as_object())
            add_nested(inside + std::string(member), value.as_object());
    }

    // Adds the tables of the objects that a value has or is.
    void add_nested(std::string const& path, json::object const& schema)
    {
        if (find(schema, "properties"))
            add_object(path, schema);
        if (auto const* const items = find(schema, "items"); items && items->is_object())
            add_nested(path + "[]", items->as_object());
        if (auto const* const alternatives = find(schema, "oneOf"))
            for (auto const& one : alternatives->as_array())
                add_nested(path, one.as_object());
    }

    static std::string sentence(json::object const& schema)
    {
        auto const text = text_in(schema, "description");
        return text.empty() ? text : text + "\n\n";
    }

    static std::string standard(json::object const& schema, std::string_view member, json::object const& of)
    {
        auto const* const required = find(schema, "required");
        if (required && std::ranges::find(required->as_array(), json::value(member)) != required->as_array().end())
            return "required";
        auto const* const value = find(of, "default");
        return value ? as_code(*value) : "none";
    }

    static std::string bounds(json::object const& schema)
    {
        auto const *const low = find(schema, "minimum"), *const high = find(schema, "maximum");
        return (low ? " from " + json::serialize(*low) : "") + (high ? " to " + json::serialize(*high) : "");
    }

    static std::string names(json::array const& values)
    {
        constexpr std::size_t most = 20;
        if (values.size() > most)
            return "name of a kind of fault ([faults.md](faults.md))";
        std::string out;
        for (auto const& one : values)
            out += (out.empty() ? "" : ", ") + as_code(one);
        return out;
    }

    // Describes the values of a member. `path`: of the member, which is the name of the table of an object.
    static std::string type(json::object const& schema, std::string const& path)
    {
        if (auto const* const reference = find(schema, "$ref"))
            return "object `" + std::string(reference->as_string()).substr(8) + "`"; // "#/$defs/"
        if (auto const* const value = find(schema, "const"))
            return as_code(*value);
        if (auto const* const values = find(schema, "enum"))
            return names(values->as_array());
        if (auto const* const alternatives = find(schema, "oneOf")) {
            std::string out;
            for (auto const& one : alternatives->as_array())
                out += (out.empty() ? "" : ", or ") + type(one.as_object(), path);
            return out;
        }
        auto const kind = text_in(schema, "type");
        if (kind == "array") {
            if (auto const* const elements = find(schema, "prefixItems")) {
                std::string out;
                for (auto const& one : elements->as_array())
                    out += (out.empty() ? "array of: " : ", ") + type(one.as_object(), path);
                return out;
            }
            auto const* const items = find(schema, "items");
            return std::string(find(schema, "minItems") ? "array, not empty" : "array") +
                   (items ? " of: " + type(items->as_object(), path + "[]") : "");
        }
        if (kind == "object") {
            auto const* const values = find(schema, "additionalProperties");
            if (values && values->is_object())
                return "object of: " + type(values->as_object(), path);
            return find(schema, "properties") ? "object `" + path + "`" : "object";
        }
        if (kind == "string")
            return find(schema, "minLength") ? "text, not empty" : "text";
        return kind.empty() ? "any value" : kind + bounds(schema);
    }

    std::string text_;
};

} // namespace

BOOST_AUTO_TEST_CASE(document_has_all_members_of_the_format)
{
    expect_generated_part("doc/mock-script.md", "members",
                          tables(json::parse(mock_script::schema()).as_object()).text());
}

BOOST_AUTO_TEST_SUITE_END()
