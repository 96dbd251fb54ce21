#include <linkspan/core/detail/utf8_prefix.hpp>
#include <linkspan/core/similar_names.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>

#include "clean_text.hpp"
#include "exit_status.hpp"
#include "json_text.hpp"
#include "signature.hpp"

namespace cli {
namespace {

namespace json = boost::json;

// Adds the types that a schema allows. Empty: any type.
void collect_types(json::value const& schema, std::set<std::string>& out)
{
    if (!schema.is_object())
        return;
    auto const& object = schema.get_object();
    auto const add = [&](json::value const& type) {
        if (type.is_string())
            out.emplace(type.get_string().data(), type.get_string().size());
    };
    if (auto const* const type = object.if_contains("type")) {
        add(*type);
        if (type->is_array())
            for (auto const& each : type->get_array())
                add(each);
    }
    for (auto const* const key : {"anyOf", "oneOf"})
        if (auto const* const choices = object.if_contains(key); choices && choices->is_array())
            for (auto const& each : choices->get_array())
                collect_types(each, out);
    if (auto const* const values = object.if_contains("enum"); values && values->is_array() && out.empty())
        for (auto const& value : values->get_array())
            out.insert(value.is_string()   ? "string"
                       : value.is_number() ? "number"
                       : value.is_bool()   ? "boolean"
                                           : "any");
}

// Returns a value as JSON text; an empty optional if the schema allows neither its kind nor a string. Numbers keep
// their text, so that no digit is lost.
std::optional<std::string> typed(std::string const& value, std::set<std::string> const& types)
{
    boost::system::error_code ec;
    auto const parsed = parse_json(value, ec);
    bool const is_any = types.empty() || types.contains("any");
    if (!ec && !parsed.is_string()) {
        auto const kind = kind_of(parsed);
        bool const is_number = kind == "integer" && types.contains("number");
        if (is_any || types.contains(std::string(kind)) || is_number)
            return value;
    }
    if (is_any || types.contains("string"))
        return json_string(value);
    return std::nullopt;
}

std::string listed(std::set<std::string> const& types)
{
    std::string out;
    for (auto const& type : types)
        out += (out.empty() ? "" : " or ") + type;
    return out;
}

// Returns a word of the command line in quotes; a long word is cut.
std::string in_quotes(std::string_view word)
{
    constexpr std::size_t max_size = 60;
    auto const start = linkspan::detail::utf8_prefix(word, max_size);
    return "'" + std::string(start) + (start.size() < word.size() ? "...'" : "'");
}

class argument_reader {
public:
    explicit argument_reader(std::string_view input_schema) : schema_(parse_json(clean_json(input_schema)))
    {
        if (!schema_.is_object())
            schema_ = json::object();
    }

    void add(std::string const& word)
    {
        auto const at = word.find('=');
        if (at == word.npos || at == 0)
            throw usage_error("arguments: expected KEY=VALUE, a JSON object, or '-' for stdin, found " +
                              in_quotes(word));
        bool const is_json = word[at - 1] == ':';
        auto const key = word.substr(0, is_json ? at - 1 : at);
        auto const value = word.substr(at + 1);
        if (key.empty())
            throw usage_error("arguments: expected KEY=VALUE, found " + in_quotes(word) + " with an empty key");
        check_key(key);
        auto const& property = property_of(key);
        std::set<std::string> types;
        collect_types(property, types);
        bool const is_list =
            types.contains("array") && !is_json && !value.starts_with('[') && !types.contains("string");
        if (!is_list && (lists_.contains(key) || !seen_.insert(key).second))
            throw usage_error("arguments: key '" + key + "' is given twice");
        if (is_list)
            add_element(key, value, property);
        else
            members_[order_of(key)] = {key, is_json ? checked(key, value) : text_for(key, value, types)};
    }

    std::string object()
    {
        for (auto const& [key, elements] : lists_)
            members_[order_of(key)] = {key, "[" + elements + "]"};
        std::string out;
        for (auto const& [order, member] : members_)
            out += (out.empty() ? "" : ",") + json_string(member.first) + ":" + member.second;
        return "{" + out + "}";
    }

private:
    json::value const& property_of(std::string const& key) const
    {
        static json::value const none;
        auto const* const properties = schema_.get_object().if_contains("properties");
        auto const* const found =
            properties && properties->is_object() ? properties->get_object().if_contains(key) : nullptr;
        return found ? *found : none;
    }

    // Checks a key if the schema is closed.
    void check_key(std::string const& key) const
    {
        auto const* const others = schema_.get_object().if_contains("additionalProperties");
        auto const* const properties = schema_.get_object().if_contains("properties");
        if (!others || *others != false || !properties || !properties->is_object() ||
            properties->get_object().contains(key))
            return;
        std::vector<std::string> names;
        for (auto const& member : properties->get_object())
            names.emplace_back(member.key());
        auto const similar = linkspan::similar_names(key, names, 1);
        throw usage_error("arguments: the tool has no argument '" + key + "'" +
                          (similar.empty() ? "" : "; did you mean '" + similar.front() + "'?"));
    }

    static std::string checked(std::string const& key, std::string const& value)
    {
        boost::system::error_code ec;
        parse_json(value, ec);
        if (ec)
            throw usage_error("arguments: the value of '" + key + "' is not valid JSON: " + in_quotes(value));
        return value;
    }

    static std::string text_for(std::string const& key, std::string const& value, std::set<std::string> const& types)
    {
        auto text = typed(value, types);
        if (!text)
            throw usage_error("arguments: the value of '" + key + "': expected " + listed(types) + ", found " +
                              in_quotes(value));
        return *text;
    }

    void add_element(std::string const& key, std::string const& value, json::value const& property)
    {
        if (seen_.contains(key))
            throw usage_error("arguments: key '" + key + "' is given twice");
        auto const* const items = property.get_object().if_contains("items");
        std::set<std::string> types;
        collect_types(items ? *items : json::value(), types);
        auto& list = lists_[key];
        list += (list.empty() ? "" : ",") + text_for(key, value, types);
        order_of(key);
    }

    std::size_t order_of(std::string const& key) { return order_.emplace(key, order_.size()).first->second; }

    json::value schema_;
    std::set<std::string> seen_;
    std::map<std::string, std::size_t> order_;
    std::map<std::size_t, std::pair<std::string, std::string>> members_;
    std::map<std::string, std::string> lists_;
};

} // namespace

std::string typed_arguments(std::span<std::string const> words, std::string_view input_schema)
{
    argument_reader in(input_schema);
    for (auto const& word : words)
        in.add(word);
    return in.object();
}

} // namespace cli
