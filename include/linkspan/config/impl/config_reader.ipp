#ifndef LINKSPAN_CONFIG_IMPL_CONFIG_READER_IPP
#define LINKSPAN_CONFIG_IMPL_CONFIG_READER_IPP

#include <linkspan/config/detail/config_reader.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/similar_names.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/json_writer.hpp>

#include <chrono>
#include <cmath>
#include <limits>
#include <ratio>

namespace linkspan::inline LINKSPAN_ABI::detail {

inline std::string_view kind_name(json::value const& value) noexcept
{
    switch (value.kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "a boolean";
    case json::kind::int64:
    case json::kind::uint64:
    case json::kind::double_: return "a number";
    case json::kind::string: return "a string";
    case json::kind::array: return "an array";
    case json::kind::object: return "an object";
    }
    return "?";
}

LINKSPAN_DECL config_reader config_reader::at(std::string_view key) const
{
    auto inner = *this;
    inner.pointer_ += "/" + pointer_token(key);
    return inner;
}

LINKSPAN_DECL config_reader config_reader::for_server(std::string_view name) const
{
    auto inner = at(name);
    inner.server_ = name;
    return inner;
}

LINKSPAN_DECL bool config_reader::fail(std::string message) const
{
    out_->push_back({{config_problem::severity::error, server_, pointer_, std::move(message)}, origin_});
    return false;
}

LINKSPAN_DECL void config_reader::warn(std::string message) const
{
    out_->push_back({{config_problem::severity::warning, server_, pointer_, std::move(message)}, origin_});
}

LINKSPAN_DECL bool config_reader::expected(std::string_view what, json::value const& actual) const
{
    return fail("expected " + std::string(what) + ", found " + std::string(kind_name(actual)));
}

LINKSPAN_DECL bool config_reader::read(json::value const& from, std::string& to) const
{
    if (!from.is_string())
        return expected("a string", from);
    to.assign(from.get_string().data(), from.get_string().size());
    return to.find('\0') == to.npos || fail("expected a string without NUL characters");
}

LINKSPAN_DECL bool config_reader::read(json::value const& from, bool& to) const
{
    if (!from.is_bool())
        return expected("a boolean", from);
    to = from.get_bool();
    return true;
}

LINKSPAN_DECL bool config_reader::read(json::value const& from, std::vector<std::string>& to) const
{
    if (!from.is_array())
        return expected("an array of strings", from);
    bool good = true;
    for (std::size_t i = 0; i != from.get_array().size(); ++i)
        good = at(std::to_string(i)).read(from.get_array()[i], to.emplace_back()) && good;
    return good;
}

LINKSPAN_DECL bool config_reader::read(json::value const& from, std::map<std::string, std::string>& to) const
{
    if (!from.is_object())
        return expected("an object with strings as values", from);
    bool good = true;
    for (auto const& [key, value] : from.get_object())
        good = at(key).read(value, to[std::string(key)]) && good;
    return good;
}

LINKSPAN_DECL bool config_reader::read(json::value const& from, duration& to, std::chrono::milliseconds lowest,
                                       time_unit unit) const
{
    bool const is_seconds = unit == time_unit::seconds;
    double const factor = is_seconds ? 1000 : 1; // of milliseconds
    double const min_number = static_cast<double>(lowest.count()) / factor;
    double const max_number = 1e9 / factor;
    auto range = std::string("a number of ") + (is_seconds ? "seconds" : "milliseconds") + " from ";
    range += lowest.count() == 0 ? "0 to " : is_seconds ? "0.001 to " : "1 to ";
    range += is_seconds ? "1000000" : "1000000000";
    auto const number = from.is_number() ? from.to_number<double>() : std::numeric_limits<double>::infinity();
    if (!std::isfinite(number))
        return expected(range, from);
    if (!(number >= min_number && number <= max_number)) {
        range.insert(0, "expected ") += ", found ";
        linkspan::append_json(range, from);
        return fail(range);
    }
    to = std::chrono::duration_cast<duration>(std::chrono::duration<double, std::milli>(number * factor));
    return true;
}

LINKSPAN_DECL bool config_reader::read_integer(json::value const& from, std::int64_t& to, std::int64_t lowest,
                                               std::int64_t highest) const
{
    auto const range = std::to_string(lowest) + " to " + std::to_string(highest);
    if (!from.is_int64())
        return expected("an integer from " + range, from);
    to = from.get_int64();
    return (to >= lowest && to <= highest) ||
           fail("expected an integer from " + range + ", found " + std::to_string(to));
}

LINKSPAN_DECL void config_reader::unknown_key(std::string_view key, std::span<std::string_view const> known) const
{
    auto const similar = similar_names(key, known, 1);
    at(key).warn(similar.empty() ? "unknown key" : "unknown key; did you mean '" + similar.front() + "'?");
}

} // namespace linkspan::detail

#endif
