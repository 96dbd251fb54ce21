#ifndef LINKSPAN_DESCRIBE_DECODE_HPP
#define LINKSPAN_DESCRIBE_DECODE_HPP

#include <linkspan/describe/detail/read_value.hpp>
#include <linkspan/describe/detail/text_source.hpp>
#include <linkspan/describe/detail/value_source.hpp>
#include <linkspan/describe/mismatch.hpp>
#include <linkspan/json/json_scan.hpp>

#include <boost/json/value.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace linkspan {

/// How much JSON is read.
struct decode_limits {
    std::size_t max_size = std::size_t{64} << 20;      ///< bytes of text
    unsigned max_depth = unsigned{detail::max_levels}; ///< values in each other; bounds the stack
    std::size_t max_memory = std::size_t{512} << 20;   ///< bytes of the elements of lists and maps, by their `sizeof`
};

/// Reads a value from JSON text, without building a tree of it. True when it is a `T` in all its parts; else `problems`
/// has a line for each place that is not, and `out` has the others.
///
/// Members that the struct does not name are passed over, unless it is closed; optionals may be missing, and `null`
/// leaves them empty; the last of several members of one name counts, and each has to fit. `3.0` is an integer, and
/// 64-bit integers are exact. The constraints in notes are enforced, those of numbers on what is stored: a `float` may
/// round. Strings are UTF-8, with control characters as escapes.
///
/// Requires: structs can be made without arguments. `out` is fresh: an optional that is missing keeps what it had.
/// Nothing of `json` is kept.
/// Thread safety: distinct objects, safe.
/// Specification: RFC 8259.
template<class T>
bool decode(T& out, std::string_view json, mismatches& problems, decode_limits const& limits = {})
{
    detail::require_json_form<T>();
    auto const before = problems.size();
    if (json.size() > limits.max_size) {
        problems.push_back({"", "at most " + std::to_string(limits.max_size) + " bytes", std::to_string(json.size())});
        return false;
    }
    detail::findings found(problems, limits.max_depth, limits.max_memory);
    found.whole_is(json.size());
    auto reader = json_scan::reader::at_value(json);
    detail::read_value(out, detail::text_source(reader), detail::constraints(), found, detail::place());
    if (reader.in_item())
        reader.skip();
    if (!reader.ok()) {
        problems.resize(before);
        problems.push_back(
            {"", "JSON", "what is none, from byte " + std::to_string(json.size() - reader.rest().size())});
        return false;
    }
    return !found.any();
}

/// The same from a value that was parsed already, which has one member of each name.
template<class T, std::same_as<boost::json::value> Value>
bool decode(T& out, Value const& from, mismatches& problems, decode_limits const& limits = {})
{
    detail::require_json_form<T>();
    detail::value_source const source(from);
    detail::findings found(problems, limits.max_depth, limits.max_memory);
    found.whole_is(&from, &detail::value_source::cost_of);
    detail::read_value(out, source, detail::constraints(), found, detail::place());
    return !found.any();
}

} // namespace linkspan

#endif
