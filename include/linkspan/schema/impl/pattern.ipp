#ifndef LINKSPAN_SCHEMA_IMPL_PATTERN_IPP
#define LINKSPAN_SCHEMA_IMPL_PATTERN_IPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/schema/detail/pattern_reader.hpp>
#include <linkspan/schema/pattern.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

inline bool is_word_byte(std::string_view text, std::size_t at) noexcept
{
    if (at >= text.size())
        return false;
    char const c = text[at];
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

inline bool is_word_edge(std::string_view text, std::size_t at) noexcept
{
    return (at != 0 && is_word_byte(text, at - 1)) != is_word_byte(text, at);
}

} // namespace detail

// Code generator: translates the syntax tree of a pattern to instructions.
class schema_pattern::writer {
public:
    writer(std::vector<reader::node> const& nodes, std::vector<instruction>& out, std::size_t max_total)
        : nodes_(nodes), out_(out), max_size_(std::min(max_total, max_size))
    {}

    // Appends the instructions of a node. Returns false if the program would exceed its limit.
    bool write(std::uint32_t at)
    {
        auto const& node = nodes_[at];
        using kind = reader::kind;
        switch (node.what) {
        case kind::sequence:
            return std::ranges::all_of(node.children, [this](std::uint32_t child) { return write(child); });
        case kind::choice: return write_choice(node);
        case kind::repeat: return write_repeat(node);
        case kind::one: return add({op::one, node.value});
        case kind::set: return add({op::set, node.value});
        case kind::begin: return add({op::begin});
        case kind::end: return add({op::end});
        case kind::word_edge: return add({op::word_edge});
        case kind::no_word_edge: return add({op::no_word_edge});
        }
        return false;
    }

    // Appends an instruction. Returns false if the program would exceed its limit.
    bool add(instruction made)
    {
        if (out_.size() == max_size_)
            return false;
        out_.push_back(made);
        return true;
    }

private:
    // Returns the index of the next instruction.
    std::uint32_t here() const noexcept { return static_cast<std::uint32_t>(out_.size()); }

    bool write_choice(reader::node const& node)
    {
        std::vector<std::uint32_t> jumps;
        for (auto const& child : node.children) {
            bool const is_last = &child == &node.children.back();
            auto const fork = here();
            if (!is_last && !add({op::either, fork + 1}))
                return false;
            if (!write(child))
                return false;
            if (is_last)
                break;
            jumps.push_back(here());
            if (!add({op::jump}))
                return false;
            out_[fork].second = here();
        }
        for (auto const jump : jumps)
            out_[jump].first = here();
        return true;
    }

    bool write_repeat(reader::node const& node)
    {
        auto const child = node.children.front();
        for (std::uint32_t i = 0; i != node.min; ++i)
            if (!write(child))
                return false;
        if (node.max == reader::no_max) {
            auto const fork = here();
            if (!add({op::either, fork + 1}) || !write(child) || !add({op::jump, fork}))
                return false;
            out_[fork].second = here();
            return true;
        }
        std::vector<std::uint32_t> forks;
        for (auto i = node.min; i != node.max; ++i) {
            forks.push_back(here());
            if (!add({op::either, here() + 1}) || !write(child))
                return false;
        }
        for (auto const fork : forks)
            out_[fork].second = here();
        return true;
    }

    std::vector<reader::node> const& nodes_;
    std::vector<instruction>& out_;
    std::size_t max_size_;
};

LINKSPAN_DECL schema_pattern::schema_pattern(std::string_view text, std::size_t max_total)
{
    reader in(text, *this, max_total);
    auto const root = in.read();
    if (fault_ != fault::none)
        return;
    writer out(in.nodes(), program_, max_total - ranges_);
    if (!out.write(root) || !out.add({op::done})) {
        fault_ = fault::too_large;
        fault_text_ = "the pattern is too large";
        program_.clear();
    }
}

LINKSPAN_DECL bool schema_pattern::char_set::has(char32_t c) const noexcept
{
    if (c < 128)
        return ascii[c / 64] >> c % 64 & 1;
    auto const after = std::ranges::upper_bound(ranges, c, {}, &range::first);
    return after != ranges.begin() && c <= std::prev(after)->last;
}

// Returns true if the instruction matches the code point.
LINKSPAN_DECL bool schema_pattern::takes(instruction const& now, char32_t c) const noexcept
{
    return now.what == op::one ? now.first == c : now.what == op::set && sets_[now.first].has(c);
}

// Adds a state. Returns false if the set already contains the state.
LINKSPAN_DECL bool schema_pattern::memory::set::add(std::uint32_t state) noexcept
{
    auto& slot = slots[state];
    if (slot < size && members[slot] == state)
        return false;
    slot = size;
    members[size++] = state;
    return true;
}

// Adds to `states` all states that are reachable from `at` without reading a character. Each added state is one step.
// Returns true if the end of the pattern is reachable, and false if it is not or if no steps are left.
LINKSPAN_DECL bool schema_pattern::reach(std::uint32_t at, std::string_view text, std::size_t position, memory& work,
                                         memory::set& states, std::size_t& steps) const
{
    work.stack_.clear();
    for (auto state = at; steps != 0;) {
        bool continues = false;
        if (states.add(state)) {
            --steps;
            auto const& now = program_[state];
            switch (now.what) {
            case op::one:
            case op::set: break;
            case op::either: work.stack_.push_back(now.second); [[fallthrough]];
            case op::jump: state = now.first; continue;
            case op::begin: continues = position == 0; break;
            case op::end: continues = position == text.size(); break;
            case op::word_edge: continues = detail::is_word_edge(text, position); break;
            case op::no_word_edge: continues = !detail::is_word_edge(text, position); break;
            case op::done: return true;
            }
        }
        if (continues) {
            ++state;
        } else if (work.stack_.empty()) {
            return false;
        } else {
            state = work.stack_.back();
            work.stack_.pop_back();
        }
    }
    return false;
}

LINKSPAN_DECL schema_pattern::outcome schema_pattern::search(std::string_view text, memory& work,
                                                             std::size_t& steps) const
{
    for (auto* const states : {&work.now_, &work.next_}) {
        if (states->members.size() < program_.size()) {
            states->members.resize(program_.size());
            states->slots.resize(program_.size());
        }
        states->size = 0;
    }
    bool const begins = program_.front().what == op::begin; // the pattern matches at the beginning of the text only
    auto rest = text;
    for (std::size_t position = 0;; position = text.size() - rest.size()) {
        if ((position == 0 || !begins) && reach(0, text, position, work, work.now_, steps))
            return outcome::found;
        if (steps == 0)
            return outcome::gave_up;
        if (rest.empty() || (begins && work.now_.size == 0))
            return outcome::not_found;
        auto const c = detail::pop_code_point(rest);
        work.next_.size = 0;
        for (std::uint32_t i = 0; i != work.now_.size; ++i) {
            auto const state = work.now_.members[i];
            if (takes(program_[state], c) && reach(state + 1, text, text.size() - rest.size(), work, work.next_, steps))
                return outcome::found;
        }
        std::swap(work.now_, work.next_);
    }
}

} // namespace linkspan

#endif
