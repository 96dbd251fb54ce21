#ifndef LINKSPAN_DESCRIBE_DETAIL_READ_MISSING_HPP
#define LINKSPAN_DESCRIBE_DETAIL_READ_MISSING_HPP

#include <linkspan/describe/detail/constant_text.hpp>
#include <linkspan/describe/detail/constraints.hpp>
#include <linkspan/describe/detail/findings.hpp>
#include <linkspan/describe/detail/members.hpp>
#include <linkspan/describe/detail/text_source.hpp>
#include <linkspan/describe/detail/union_choice.hpp>

namespace linkspan::inline LINKSPAN_ABI::detail {

template<class T, class Source>
void read_value(T& out, Source from, constraints const& with, findings& to, place const& at);

// Returns whether values of `T` can have the kind of a default. A default that is JSON text is not checked.
template<class T>
constexpr bool may_be(json_literal const& value)
{
    using kind = json_literal::kind;
    constexpr auto kinds = kinds_of<T>();
    switch (value.what()) {
    case kind::null: return kinds.has(json_kind::null);
    case kind::boolean: return kinds.has(json_kind::boolean);
    case kind::text: return kinds.has(json_kind::text);
    case kind::number: return kinds.has(json_kind::number) && kind_of<T> != type_kind::integer;
    default: return !value.is_number() || kinds.has(json_kind::number);
    }
}

// Sets a missing member to its default, or adds a mismatch if the member must be present. Optionals and nullables are
// not modified.
template<class T, std::size_t Index>
void read_missing(T& out, findings& to, place const& at)
{
    constexpr auto const& notes = notes_of<T>[Index];
    if constexpr (!may_be_missing<T, Index>) {
        to.add(place{&at, notes.name}, "a value", "nothing");
    } else if constexpr (kind_of<member_type<T, Index>> != type_kind::optional &&
                         kind_of<member_type<T, Index>> != type_kind::nullable) {
        static_assert(may_be<member_type<T, Index>>(notes.default_value),
                      "linkspan: the default value of a member must have the type of the member");
        constant_text text;
        put(text, notes.default_value);
        auto reader = json_scan::reader::at_value(text.view());
        read_value(out.*member_pointer<T, Index>, text_source(reader), constraints(), to, place{&at, notes.name});
    }
}

} // namespace linkspan::detail

#endif
