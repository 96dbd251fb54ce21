#include "json_text.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

namespace cli {

namespace json = boost::json;

json::value parse_json(std::string_view text, boost::system::error_code& ec)
{
    json::parse_options options;
    options.max_depth = 1000;
    return json::parse({text.data(), text.size()}, ec, {}, options);
}

json::value parse_json(std::string_view text)
{
    boost::system::error_code ec;
    return parse_json(text, ec);
}

std::string text_at(json::value const& of, std::string_view key)
{
    return of.is_object() ? text_at(of.get_object(), key) : std::string();
}

std::string text_at(json::object const& of, std::string_view key)
{
    auto const* const found = of.if_contains(key);
    auto const* const text = found ? found->if_string() : nullptr;
    return text ? std::string(text->data(), text->size()) : std::string();
}

std::string_view kind_of(json::value const& value)
{
    switch (value.kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "boolean";
    case json::kind::int64:
    case json::kind::uint64: return "integer";
    case json::kind::double_: return "number";
    case json::kind::string: return "string";
    case json::kind::array: return "array";
    case json::kind::object: break;
    }
    return "object";
}

} // namespace cli
