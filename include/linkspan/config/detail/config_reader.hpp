#ifndef LINKSPAN_CONFIG_DETAIL_CONFIG_READER_HPP
#define LINKSPAN_CONFIG_DETAIL_CONFIG_READER_HPP

#include <linkspan/core/config_problem.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>

#include <boost/json/value.hpp>

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

namespace json = boost::json;

// Unit of a number that represents a duration.
enum class time_unit { seconds, milliseconds };

// Lower bounds of durations in documents.
inline constexpr std::chrono::milliseconds min_pause{0}, min_timeout{1};

// Reads values at one place of a document. A value that cannot be read is reported as a problem with its place, and the
// function returns false.
//
// Invariant: `pointer_` is the place of all problems that this object reports. Copies report to the same list.
class config_reader {
public:
    config_reader(std::vector<config_problem>& out, std::string origin) : out_(&out), origin_(std::move(origin)) {}

    // Returns a reader of a member or element at this place.
    LINKSPAN_DECL config_reader at(std::string_view key) const;
    // Returns a reader of a server at this place. Problems are attributed to the server.
    LINKSPAN_DECL config_reader for_server(std::string_view name) const;

    std::string const& origin() const noexcept { return origin_; }
    std::string const& pointer() const noexcept { return pointer_; }

    // Reports an error, and returns false.
    LINKSPAN_DECL bool fail(std::string message) const;
    // Reports a warning.
    LINKSPAN_DECL void warn(std::string message) const;
    // Reports that `actual` is not of the kind `what`, and returns false.
    LINKSPAN_DECL bool expected(std::string_view what, json::value const& actual) const;

    // These functions read a value of the type of `to`. Text with a NUL byte is an error, because it cannot be passed
    // to a program.
    LINKSPAN_DECL bool read(json::value const& from, std::string& to) const;
    LINKSPAN_DECL bool read(json::value const& from, bool& to) const;
    LINKSPAN_DECL bool read(json::value const& from, std::vector<std::string>& to) const;
    LINKSPAN_DECL bool read(json::value const& from, std::map<std::string, std::string>& to) const;

    // Reads a number of `unit`, that represents a duration from `lowest` to 1000000 s. `lowest`: `min_pause` or
    // `min_timeout`.
    LINKSPAN_DECL bool read(json::value const& from, duration& to, std::chrono::milliseconds lowest,
                            time_unit unit = time_unit::seconds) const;

    // Reads an integer within a range.
    template<std::integral Number>
    bool read(json::value const& from, Number& to, std::int64_t lowest, std::int64_t highest) const
    {
        std::int64_t number = 0;
        if (!read_integer(from, number, lowest, highest))
            return false;
        to = static_cast<Number>(number);
        return true;
    }

    // Reads a text that is one of several names.
    template<class Value, std::size_t N>
    bool read_choice(json::value const& from, Value& to,
                     std::array<std::pair<std::string_view, Value>, N> const& choices) const
    {
        std::string text, all;
        if (!read(from, text))
            return false;
        for (auto const& [name, value] : choices) {
            if (name == text) {
                to = value;
                return true;
            }
            all += (all.empty() ? "'" : ", '") + std::string(name) + "'";
        }
        return fail("expected one of " + all + ", found '" + text + "'");
    }

    // Reports a warning that suggests a similar known key.
    LINKSPAN_DECL void unknown_key(std::string_view key, std::span<std::string_view const> known) const;

private:
    LINKSPAN_DECL bool read_integer(json::value const& from, std::int64_t& to, std::int64_t lowest,
                                    std::int64_t highest) const;

    // receives the problems; not owned, never null
    std::vector<config_problem>* out_;
    // origin: name of the document; server: name of the server, empty outside of servers; pointer: JSON Pointer of the
    // place
    std::string origin_, server_, pointer_;
};

// Key of an object, with the function that reads its value.
template<class To>
struct key_rule {
    std::string_view key;
    bool (*read)(config_reader const& where, json::value const& value, To& to);
};

// Reads the members of an object by their rules. A member that is null is ignored; an unknown key is a warning.
template<class To, std::size_t N>
bool read_members(config_reader const& where, json::value const& from, To& to, key_rule<To> const (&rules)[N])
{
    if (!from.is_object())
        return where.expected("an object", from);
    bool good = true;
    for (auto const& [key, value] : from.get_object()) {
        std::array<std::string_view, N> known;
        std::size_t i = 0, found = N;
        for (auto const& rule : rules) {
            found = rule.key == std::string_view(key) ? i : found;
            known[i++] = rule.key;
        }
        if (found == N)
            where.unknown_key(key, known);
        else if (!value.is_null())
            good = rules[found].read(where.at(key), value, to) && good;
    }
    return good;
}

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/config_reader.ipp>
#endif

#endif
