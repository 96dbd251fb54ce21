#ifndef LINKSPAN_PROTOCOL_SERVER_IMPL_OFFER_IPP
#define LINKSPAN_PROTOCOL_SERVER_IMPL_OFFER_IPP

#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/json/json_writer.hpp>
#include <linkspan/protocol/server/offer.hpp>

#include <algorithm>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail::offering {

// The text that identifies an entry in its list.
inline std::string const& name_of(tool const& entry) noexcept { return entry.name; }
inline std::string const& name_of(resource const& entry) noexcept { return entry.uri; }
inline std::string const& name_of(resource_template const& entry) noexcept { return entry.uri_template; }
inline std::string const& name_of(prompt const& entry) noexcept { return entry.name; }

template<class Entry>
auto find(std::vector<Entry> const& entries, std::string_view name) noexcept
{
    return std::ranges::find_if(entries, [name](Entry const& entry) { return name_of(entry) == name; });
}

inline bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// Specification: MCP 2025-11-25, server/tools, "Tool Names".
inline bool is_tool_name(std::string_view name) noexcept
{
    constexpr std::size_t max_length = 128;
    return !name.empty() && name.size() <= max_length && std::ranges::all_of(name, [](char c) {
        return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.';
    });
}

// Returns whether a text begins with a scheme and a colon. Specification: RFC 3986, section 3.1.
inline bool has_scheme(std::string_view uri) noexcept
{
    auto const colon = uri.find(':');
    if (colon == uri.npos || colon == 0 || !is_letter(uri.front()))
        return false;
    return std::ranges::all_of(uri.substr(0, colon),
                               [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; });
}

// The text becomes a part of each page. json_scan::is_value() does not suffice, because it does not check the escapes
// of strings, such as `\d` in a pattern.
inline bool is_object(std::string_view json)
{
    if (!json.starts_with('{'))
        return false;
    error_code ec;
    static_cast<void>(parse_json(json, ec));
    return !ec;
}

inline std::string rejected(std::string_view kind, std::string_view name, std::string_view why)
{
    std::string out(kind);
    append_quoted(out += ' ', name);
    return (out += ' ') += why;
}

} // namespace detail::offering

template<class Entry>
void offer::append(listed<Entry>& to, offer_list which, Entry&& entry)
{
    to.entries.push_back(std::forward<Entry>(entry));
    for (auto& pages : to.pages)
        pages.clear();
    ++to.changes;
    offered_[static_cast<std::size_t>(which)] = true;
}

template<class Entry>
bool offer::erase(listed<Entry>& from, std::string_view name) noexcept
{
    auto const found = detail::offering::find(from.entries, name);
    if (found == from.entries.end())
        return false;
    from.entries.erase(found);
    for (auto& pages : from.pages)
        pages.clear();
    ++from.changes;
    return true;
}

LINKSPAN_DECL std::string offer::add(tool entry)
{
    using namespace detail::offering;
    if (!is_tool_name(entry.name))
        return rejected("tool", entry.name,
                        "has an illegal name: 1 to 128 characters of A-Z a-z 0-9 _ - . are expected");
    if (find(tools_.entries, entry.name) != tools_.entries.end())
        return rejected("tool", entry.name, "exists already");
    if (!is_object(entry.input_schema))
        return rejected("tool", entry.name, "has an input schema that is not a JSON object");
    if (!entry.output_schema.empty() && !is_object(entry.output_schema))
        return rejected("tool", entry.name, "has an output schema that is not a JSON object");
    append(tools_, offer_list::tools, std::move(entry));
    return {};
}

LINKSPAN_DECL std::string offer::add(resource entry)
{
    using namespace detail::offering;
    if (!has_scheme(entry.uri))
        return rejected("resource", entry.uri, "has a URI without a scheme");
    if (find(resources_.entries, entry.uri) != resources_.entries.end())
        return rejected("resource", entry.uri, "exists already");
    if (entry.name.empty())
        entry.name = entry.uri;
    append(resources_, offer_list::resources, std::move(entry));
    return {};
}

LINKSPAN_DECL std::string offer::add(resource_template entry)
{
    using namespace detail::offering;
    std::string problem;
    auto parsed = uri_template::parse(entry.uri_template, problem);
    if (!parsed)
        return rejected("resource template", entry.uri_template, "is invalid: " + problem);
    if (find(templates_.entries, entry.uri_template) != templates_.entries.end())
        return rejected("resource template", entry.uri_template, "exists already");
    if (entry.name.empty())
        entry.name = entry.uri_template;
    matchers_.reserve(matchers_.size() + 1);
    append(templates_, offer_list::templates, std::move(entry));
    matchers_.push_back(std::move(*parsed));
    return {};
}

LINKSPAN_DECL std::string offer::add(prompt entry)
{
    using namespace detail::offering;
    if (entry.name.empty())
        return "prompt has no name";
    if (find(prompts_.entries, entry.name) != prompts_.entries.end())
        return rejected("prompt", entry.name, "exists already");
    for (auto argument = entry.arguments.begin(); argument != entry.arguments.end(); ++argument) {
        if (argument->name.empty())
            return rejected("prompt", entry.name, "has an argument without a name");
        auto const is_same = [argument](prompt_argument const& other) { return other.name == argument->name; };
        if (std::any_of(entry.arguments.begin(), argument, is_same))
            return rejected("prompt", entry.name, "has two arguments with the name '" + argument->name + "'");
    }
    append(prompts_, offer_list::prompts, std::move(entry));
    return {};
}

LINKSPAN_DECL bool offer::remove(offer_list from, std::string_view name) noexcept
{
    switch (from) {
    case offer_list::tools: return erase(tools_, name);
    case offer_list::resources: return erase(resources_, name);
    case offer_list::prompts: return erase(prompts_, name);
    case offer_list::templates: break;
    }
    std::erase_if(matchers_, [name](uri_template const& each) { return each.text() == name; });
    return erase(templates_, name);
}

// Returns whether the lists differ.
template<class Entry>
bool offer::continue_list(listed<Entry>& now, listed<Entry>& before) noexcept
{
    if (now.entries == before.entries) {
        now = std::move(before);
        return false;
    }
    for (auto& pages : now.pages)
        pages.clear();
    now.changes += before.changes + 1; // differs from that of each earlier cursor
    return true;
}

LINKSPAN_DECL std::array<bool, 4> offer::continue_from(offer& before) noexcept
{
    for (std::size_t list = 0; list != offered_.size(); ++list)
        offered_[list] |= before.offered_[list];
    return {continue_list(tools_, before.tools_), continue_list(resources_, before.resources_),
            continue_list(templates_, before.templates_), continue_list(prompts_, before.prompts_)};
}

LINKSPAN_DECL std::size_t offer::size(offer_list list) const noexcept
{
    switch (list) {
    case offer_list::tools: return tools_.entries.size();
    case offer_list::resources: return resources_.entries.size();
    case offer_list::templates: return templates_.entries.size();
    case offer_list::prompts: break;
    }
    return prompts_.entries.size();
}

LINKSPAN_DECL std::string const* offer::page(offer_list list, std::optional<std::string_view> cursor,
                                             protocol_version id)
{
    switch (list) {
    case offer_list::tools: return page_of(tools_, "tools", cursor, id);
    case offer_list::resources: return page_of(resources_, "resources", cursor, id);
    case offer_list::templates: return page_of(templates_, "resourceTemplates", cursor, id);
    case offer_list::prompts: break;
    }
    return page_of(prompts_, "prompts", cursor, id);
}

// A cursor is the number of changes of the list, and the number of the page: "3.1".
template<class Entry>
std::string const* offer::page_of(listed<Entry>& from, std::string_view key, std::optional<std::string_view> cursor,
                                  protocol_version id)
{
    auto& pages = from.pages[static_cast<std::size_t>(id)];
    if (pages.empty())
        compose(from, key, id);
    if (!cursor)
        return &pages.front();
    auto const dot = std::min(cursor->find('.'), cursor->size());
    auto const changes = json_scan::integer(cursor->substr(0, dot));
    auto const number = json_scan::integer(cursor->substr(std::min(dot + 1, cursor->size())));
    bool const is_valid = changes && number && *changes == static_cast<std::int64_t>(from.changes) && *number > 0 &&
                          *number < static_cast<std::int64_t>(pages.size());
    return is_valid ? &pages[static_cast<std::size_t>(*number)] : nullptr;
}

template<class Entry>
void offer::compose(listed<Entry>& from, std::string_view key, protocol_version id)
{
    std::vector<std::string> pages;
    auto const count = from.entries.size();
    auto const size = page_size_ == 0 ? std::max<std::size_t>(count, 1) : page_size_;
    std::size_t first = 0;
    do {
        auto const last = std::min(count, first + size);
        std::string text;
        append_quoted(text, key);
        text += ":[";
        for (auto index = first; index != last; ++index) {
            if (index != first)
                text += ',';
            append_json(text, from.entries[index], id);
        }
        text += ']';
        first = last;
        if (first != count) {
            append_number(text += R"(,"nextCursor":")", from.changes);
            append_number(text += '.', pages.size() + 1);
            text += '"';
        }
        pages.push_back(std::move(text));
    } while (first != count);
    from.pages[static_cast<std::size_t>(id)] = std::move(pages);
}

LINKSPAN_DECL std::optional<std::pair<std::size_t, uri_template::values>> offer::match(std::string_view uri) const
{
    for (std::size_t position = 0; position != matchers_.size(); ++position)
        if (auto values = matchers_[position].match(uri))
            return std::pair(position, std::move(*values));
    return std::nullopt;
}

LINKSPAN_DECL tool const* offer::find_tool(std::string_view name) const noexcept
{
    auto const found = detail::offering::find(tools_.entries, name);
    return found == tools_.entries.end() ? nullptr : &*found;
}

LINKSPAN_DECL prompt const* offer::find_prompt(std::string_view name) const noexcept
{
    auto const found = detail::offering::find(prompts_.entries, name);
    return found == prompts_.entries.end() ? nullptr : &*found;
}

} // namespace linkspan

#endif
