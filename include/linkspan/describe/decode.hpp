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

namespace linkspan::inline LINKSPAN_ABI {

/// Limits of `decode`.
struct decode_limits {
    std::size_t max_size = std::size_t{64} << 20;      ///< size of the text, in bytes; default 64 MiB
    unsigned max_depth = unsigned{detail::max_levels}; ///< levels of nested arrays and objects; default 512
    /// Memory of the elements of lists, sets, maps, boxes and JSON values, computed with `sizeof`, in bytes; default
    /// 512 MiB.
    std::size_t max_memory = std::size_t{512} << 20;
    std::size_t max_mismatches = linkspan::max_mismatches; ///< entries of the list of mismatches; default 32
};

/// Reads a value from JSON text.
///
/// The text is read directly into the value, without an intermediate tree. Rules:
/// - Members that the struct does not describe are ignored, or reported if the struct has the note `closed`.
/// - A member with the note `required` must be present, and must not be `null` if the member is an optional.
/// - Without this note, an optional or nullable member may be missing, and is then not modified. Other members may be
///   missing only if they have a `default_value`, and are then set to the default.
/// - `null` makes an optional empty; a nullable has the state `is_null()`.
/// - If an object has several members of the same name, the last one is used; all of them must match.
/// - `3.0` is accepted as an integer. 64-bit integers are exact. A number out of the range of its type is reported.
/// - The kind of JSON value and the `literal` members determine which alternatives of a `std::variant` are tried. The
///   first of these alternatives that matches is used.
/// - Constraints of notes are enforced. Bounds of numbers apply to the stored value: for a member of type `float`, to
///   the value after rounding to `float`.
/// - Strings must be UTF-8, with control characters escaped.
///
/// A text that does not match produces a list of mismatches:
///
///     forecast_request request;
///     linkspan::mismatches problems;
///     if (!linkspan::decode(request, R"({"city":"Oslo","days":20})", problems))
///         std::cerr << to_string(problems); // "/days: expected an integer from 1 to 14, found 20"
///
/// \tparam T A described struct or another type with a JSON representation. Structs must be default-constructible.
/// \param out Receives the value. The caller should pass a default-constructed object, because missing optionals are
/// not modified. On failure, `out` contains the parts that match.
/// \param json The JSON text. No reference to the text is kept.
/// \param problems Receives the mismatches, of which a location may have several, until the list has
/// `limits.max_mismatches` entries; existing entries are kept. Text that is not valid JSON produces exactly one entry,
/// with the position of the error.
/// \param limits Limits of size, depth and memory.
/// \returns True if all parts of the text match `T`.
/// \par Exception safety
/// Basic: `out` and `problems` may be partially assigned. Throws `std::bad_alloc`, and exceptions of
/// `json_as<T>::from`.
/// \par Thread safety
/// Distinct objects: safe.
/// \par Specification
/// RFC 8259; RFC 6901 for the pointers in `problems`.
template<class T>
bool decode(T& out, std::string_view json, mismatches& problems, decode_limits const& limits = {})
{
    detail::require_json_form<T>();
    auto const before = problems.size();
    if (json.size() > limits.max_size) {
        if (before < limits.max_mismatches)
            problems.push_back(
                {"", "at most " + std::to_string(limits.max_size) + " bytes", std::to_string(json.size())});
        return false;
    }
    detail::findings found(problems, limits.max_depth, limits.max_memory, limits.max_mismatches);
    found.set_whole(json.size());
    auto reader = json_scan::reader::at_value(json);
    detail::read_value(out, detail::text_source(reader), detail::constraints(), found, detail::place());
    if (reader.in_item())
        reader.skip();
    if (!reader.ok()) {
        problems.resize(before);
        if (before < limits.max_mismatches)
            problems.push_back(
                {"", "JSON", "invalid text at byte " + std::to_string(json.size() - reader.rest().size())});
        return false;
    }
    return !found.any();
}

/// Reads a value from a `boost::json::value`.
///
/// The rules are those of `decode` from text. `limits.max_size` is not used.
///
/// \tparam T A described struct or another type with a JSON representation. Structs must be default-constructible.
/// \param out Receives the value. The caller should pass a default-constructed object, because missing optionals are
/// not modified. On failure, `out` contains the parts that match.
/// \param from The JSON value. No reference to the value is kept.
/// \param problems Receives the mismatches, of which a location may have several, until the list has
/// `limits.max_mismatches` entries; existing entries are kept.
/// \param limits Limits of depth and memory.
/// \returns True if all parts of the value match `T`.
/// \par Exception safety
/// Basic: `out` and `problems` may be partially assigned. Throws `std::bad_alloc`, and exceptions of
/// `json_as<T>::from`.
/// \par Thread safety
/// Distinct objects: safe.
template<class T, std::same_as<boost::json::value> Value>
bool decode(T& out, Value const& from, mismatches& problems, decode_limits const& limits = {})
{
    detail::require_json_form<T>();
    detail::value_source const source(from);
    detail::findings found(problems, limits.max_depth, limits.max_memory, limits.max_mismatches);
    found.set_whole(&from, &detail::value_source::cost_of);
    detail::read_value(out, source, detail::constraints(), found, detail::place());
    return !found.any();
}

} // namespace linkspan

#endif
