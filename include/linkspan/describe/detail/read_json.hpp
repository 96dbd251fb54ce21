#ifndef LINKSPAN_DESCRIBE_DETAIL_READ_JSON_HPP
#define LINKSPAN_DESCRIBE_DETAIL_READ_JSON_HPP

#include <linkspan/describe/detail/findings.hpp>
#include <linkspan/json/detail/json_kind.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

inline boost::json::string_view json_view(std::string_view text) noexcept { return {text.data(), text.size()}; }

// The finding for a string that is not valid.
inline constexpr char const* invalid_string = "a string with an invalid escape, a control character or invalid UTF-8";

template<class Source>
void read_json_text(boost::json::value& out, Source from, findings& to, place const& at)
{
    std::string_view text;
    std::string scratch;
    if (from.text(text, scratch))
        out = json_view(text);
    else
        to.add(at, "a string", invalid_string);
}

template<class Source>
void read_json_number(boost::json::value& out, Source from, findings& to, place const& at)
{
    auto const number = from.number();
    if (number.is_infinite())
        to.add(at, "a number that a double can hold", "a larger number");
    else
        out = number.to_json();
}

// Reads any JSON value. Replaces the parser of Boost.JSON, which before 1.85 rounds about one in eight doubles
// incorrectly.
template<class Source>
void read_json(boost::json::value& out, Source from, findings& to, place const& at)
{
    auto const kind = from.kind();
    if (kind == json_kind::object || kind == json_kind::array) {
        findings::level const level(to);
        if (!level)
            return to.give_up_too_deep(at);
        if (kind == json_kind::array) {
            auto& array = out.emplace_array();
            from.elements([&](std::size_t index, Source element) {
                place const here{&at, {}, index};
                if (!to.is_full() && to.take_memory(sizeof(boost::json::value), here))
                    read_json(array.emplace_back(nullptr), element, to, here);
            });
        } else {
            auto& object = out.emplace_object();
            from.members([&](std::string_view key, Source member) {
                place const here{&at, key};
                if (!to.is_full() && to.take_memory(sizeof(boost::json::key_value_pair) + key.size(), here))
                    read_json(object[json_view(key)], member, to, here);
            });
        }
    } else if (kind == json_kind::text) {
        read_json_text(out, from, to, at);
    } else if (kind == json_kind::number) {
        read_json_number(out, from, to, at);
    } else if (kind == json_kind::boolean) {
        out = from.boolean();
    } else {
        out = nullptr;
        from.skip();
    }
}

} // namespace linkspan::detail

#endif
