#ifndef LINKSPAN_DESCRIBE_DETAIL_READ_UNION_HPP
#define LINKSPAN_DESCRIBE_DETAIL_READ_UNION_HPP

#include <linkspan/describe/detail/constraints.hpp>
#include <linkspan/describe/detail/findings.hpp>
#include <linkspan/describe/detail/union_choice.hpp>
#include <linkspan/json/detail/json_kind.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

// Selection of the alternative of a std::variant for a JSON value: the only alternative of its kind; the struct whose
// literals the object has; or the first alternative that matches, by trial.
namespace linkspan::inline LINKSPAN_ABI::detail {

template<class T, class Source>
void read_value(T& out, Source from, constraints const& with, findings& to, place const& at);

// Returns the number of literals of a struct that must be present.
template<class T>
constexpr std::size_t literal_count()
{
    std::size_t count = 0;
    if constexpr (kind_of<T> == type_kind::structure)
        for_each_member<T>([&]<std::size_t Index>() {
            count += kind_of<member_type<T, Index>> == type_kind::literal && !may_be_missing<T, Index> ? 1 : 0;
        });
    return count;
}

// Maximum number of members of a struct that a mismatch names.
inline constexpr std::size_t max_named_members = 3;

// Returns a noun phrase that distinguishes a struct from the other alternatives. The phrase names all literals of the
// struct with their values, such as `an object of kind "circle"`, because alternatives may have a literal in common. If
// the struct has no literals, the phrase names its required members, such as `an object with "radius"`.
template<class T>
std::string structure_words()
{
    std::string literals, required;
    std::size_t count = 0;
    for_each_member<T>([&]<std::size_t Index>() {
        auto const& name = notes_of<T>[Index].name;
        if constexpr (kind_of<member_type<T, Index>> == type_kind::literal)
            literals.append(literals.empty() ? "" : " and ")
                .append(name)
                .append(" \"")
                .append(member_type<T, Index>::value) += '"';
        else if constexpr (!may_be_missing<T, Index>)
            if (++count <= max_named_members)
                required.append(count == 1 ? "\"" : ", \"").append(name) += '"';
    });
    if (!literals.empty())
        return "an object of " + literals;
    if (!required.empty())
        return "an object with " + required + (count > max_named_members ? " and other members" : "");
    return std::string(to_string(json_kind::object));
}

// Returns a noun phrase for an alternative in a mismatch.
template<class T>
std::string alternative_words()
{
    using type = typename unboxed<T>::type;
    if constexpr (kind_of<type> == type_kind::structure)
        return structure_words<type>();
    constexpr auto kinds = kinds_of<T>();
    for (auto const kind :
         {json_kind::object, json_kind::array, json_kind::text, json_kind::number, json_kind::boolean})
        if (kinds.has(kind))
            return std::string(to_string(kind));
    return "null";
}

template<class... Ts>
std::string expected_alternatives()
{
    std::string out;
    ((out.append(out.empty() ? "" : " or ").append(alternative_words<Ts>())), ...);
    return out;
}

// Clears `matches` for structs whose literals the object does not have. Reads the members of the object once.
template<class... Ts, class Source>
void keep_matching_literals(std::array<bool, sizeof...(Ts)>& matches, Source const& from, findings& to)
{
    std::array<std::size_t, sizeof...(Ts)> found{};
    typename Source::look look(from);
    look.source().members([&](std::string_view key, Source value) {
        std::array const literals{literal_of<typename unboxed<Ts>::type>(key)...};
        bool const is_literal = std::ranges::any_of(literals, [](auto const& literal) { return literal.has_value(); });
        if (!is_literal || value.kind() != json_kind::text)
            return;
        std::string_view text;
        std::string scratch;
        if (!value.text(text, scratch))
            return;
        for (std::size_t i = 0; i != literals.size(); ++i)
            found[i] += literals[i] == text ? 1 : 0;
    });
    std::array const wanted{literal_count<typename unboxed<Ts>::type>()...};
    to.add_work_of_look(look.cost_of_members());
    for (std::size_t i = 0; i != wanted.size(); ++i)
        matches[i] = matches[i] && found[i] >= wanted[i];
}

// The mismatches of the failed trial that matched best: the one with the deepest outermost mismatch; among equals, the
// one with the fewest mismatches.
struct best_trial {
    std::optional<mismatches> found; // empty until the first failed trial
    std::size_t depth = 0;           // depth of the outermost mismatch in `found`

    void offer(mismatches other)
    {
        auto const depth_of = [](mismatch const& one) { return std::ranges::count(one.pointer, '/'); };
        auto const other_depth = static_cast<std::size_t>(depth_of(*std::ranges::min_element(other, {}, depth_of)));
        if (found && (other_depth < depth || (other_depth == depth && other.size() >= found->size())))
            return;
        depth = other_depth;
        found = std::move(other);
    }
};

// Reads the value as one alternative. Returns true if no further alternative is to be tried: the alternative matches,
// the text is not JSON, or a limit was reached.
template<std::size_t Index, class Variant, class Source>
bool try_alternative(Variant& out, Source const& from, constraints const& with, findings& to, place const& at,
                     best_trial& best)
{
    std::variant_alternative_t<Index, Variant> value{};
    mismatches trial_mismatches;
    findings found(trial_mismatches, to);
    typename Source::look look(from);
    auto const given_up_before = to.given_up();
    read_value(value, look.source(), with, found, place());
    if (look.failed()) {
        from.adopt(look);
        return true; // the caller replaces all mismatches by the JSON error
    }
    if (!found.any()) {
        out.template emplace<Index>(std::move(value));
        return true;
    }
    if (to.given_up() != given_up_before) {
        to.add(at, std::move(trial_mismatches));
        return true;
    }
    to.add_work_of_trial(look.cost());
    best.offer(std::move(trial_mismatches));
    return false;
}

template<class... Ts, class Source>
void read_union(std::variant<Ts...>& out, Source from, constraints const& with, findings& to, place const& at)
{
    auto const kind = from.kind();
    if (!to.may_read_again())
        return to.give_up(at, expected_alternatives<Ts...>(), "a value that takes too many steps to match");
    std::array matches{kinds_of<Ts>().has(kind)...};
    if (kind == json_kind::object && std::ranges::count(matches, true) > 1 &&
        (... || (literal_count<typename unboxed<Ts>::type>() != 0)))
        keep_matching_literals<Ts...>(matches, from, to);
    auto const left = std::ranges::count(matches, true);
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        if (left == 0)
            return to.add(at, expected_alternatives<Ts...>(), std::string(to_string(kind)));
        if (left == 1)
            return ((matches[Index] ? read_value(out.template emplace<Index>(), from, with, to, at) : void()), ...);
        best_trial best;
        bool const is_over = (... || (matches[Index] && try_alternative<Index>(out, from, with, to, at, best)));
        from.skip();
        if (is_over)
            return;
        to.add(at, expected_alternatives<Ts...>(), "a value that matches none of them");
        if (best.found)
            to.add(at, *std::move(best.found));
    }(std::index_sequence_for<Ts...>());
}

} // namespace linkspan::detail

#endif
