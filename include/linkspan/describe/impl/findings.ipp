#ifndef LINKSPAN_DESCRIBE_IMPL_FINDINGS_IPP
#define LINKSPAN_DESCRIBE_IMPL_FINDINGS_IPP

#include <linkspan/core/similar_names.hpp>
#include <linkspan/describe/detail/findings.hpp>
#include <linkspan/json/detail/json_pointer.hpp>

#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL void place::append_to(std::string& out) const
{
    if (!up)
        return;
    up->append_to(out);
    (out += '/') += index == no_index ? shortened_key(key) : std::to_string(index);
}

LINKSPAN_DECL std::string place::pointer() const
{
    std::string out;
    append_to(out);
    return out;
}

LINKSPAN_DECL void findings::add(place const& at, std::string expected, std::string found)
{
    ++count_;
    if (all_->size() >= max_size_)
        return;
    all_->push_back({at.pointer(), std::move(expected), std::move(found)});
    if (trials_ != 0)
        spend(128 + 4 * all_->back().pointer.size() + all_->back().expected.size()); // wasted if the trial fails
}

// Returns the names that an unknown key may mean, for a message: a similar one, or all of a few. The names of one and
// two letters are similar to all others of their length.
inline std::string intended_names(std::string_view key, std::span<std::string_view const> names)
{
    constexpr std::size_t min_size = 3, max_size = 128, max_names = 16;
    if (key.size() >= min_size && key.size() <= max_size)
        if (auto const similar = similar_names(key, names, 1); !similar.empty())
            return " (similar: '" + similar.front() + "')";
    if (names.empty() || names.size() > max_names)
        return {};
    std::string out = " (known:";
    for (auto const& one : names)
        out.append(&one == &names.front() ? " '" : ", '").append(one).append("'");
    return out + ")";
}

LINKSPAN_DECL void findings::add_unknown(place const& at, std::span<std::string_view const> names,
                                         std::string_view found)
{
    add(at, "no member of this name" + intended_names(at.key, names), std::string(found));
}

LINKSPAN_DECL void findings::give_up(place const& at, std::string expected, std::string found)
{
    ++root_->given_up_;
    add(at, std::move(expected), std::move(found));
}

LINKSPAN_DECL void findings::give_up_too_deep(place const& at)
{
    give_up(at, "fewer nested values", "more levels than the limit");
}

LINKSPAN_DECL void findings::give_up_too_many(place const& at)
{
    give_up(at, "fewer elements", "more than max_memory bytes");
}

LINKSPAN_DECL void findings::add(place const& at, mismatches found)
{
    count_ += found.size();
    auto const before = at.pointer();
    for (auto& one : found)
        if (all_->size() < max_size_)
            all_->push_back({before + one.pointer, std::move(one.expected), std::move(one.found)});
    if (trials_ != 0)
        spend(found.size() * (128 + 4 * before.size()));
}

} // namespace linkspan::detail

#endif
