#ifndef LINKSPAN_SCHEMA_IMPL_PATTERN_READER_IPP
#define LINKSPAN_SCHEMA_IMPL_PATTERN_READER_IPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/schema/detail/pattern_reader.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL void schema_pattern::reader::reject(fault why, std::string_view reason)
{
    if (!failed()) {
        owner_.fault_ = why;
        owner_.fault_text_ = reason;
    }
    text_ = {};
}

LINKSPAN_DECL bool schema_pattern::reader::take(std::string_view prefix)
{
    bool const is_there = text_.starts_with(prefix);
    if (is_there)
        text_.remove_prefix(prefix.size());
    return is_there;
}

LINKSPAN_DECL std::uint32_t schema_pattern::reader::add(node made)
{
    if (nodes_.size() >= max_nodes)
        reject(fault::too_large, "the pattern is too large");
    nodes_.push_back(std::move(made));
    return static_cast<std::uint32_t>(nodes_.size() - 1);
}

LINKSPAN_DECL std::uint32_t schema_pattern::reader::read_choice(unsigned depth)
{
    if (depth > max_depth)
        reject(fault::too_large, "groups are nested too deeply");
    node choice{kind::choice};
    do
        choice.children.push_back(read_sequence(depth));
    while (take("|"));
    return choice.children.size() == 1 ? choice.children.front() : add(std::move(choice));
}

LINKSPAN_DECL std::uint32_t schema_pattern::reader::read_sequence(unsigned depth)
{
    node sequence{kind::sequence};
    while (!text_.empty() && text_.front() != '|' && text_.front() != ')')
        if (auto const term = read_term(depth); term && !is_empty(*term))
            sequence.children.push_back(*term);
    return sequence.children.size() == 1 ? sequence.children.front() : add(std::move(sequence));
}

LINKSPAN_DECL std::optional<std::uint32_t> schema_pattern::reader::read_term(unsigned depth)
{
    bool is_edge = false;
    auto const atom = read_atom(depth, is_edge);
    if (failed())
        return std::nullopt;
    node repeat{kind::repeat, 0, 0, no_max, {atom}};
    if (take("*"))
        ;
    else if (take("+"))
        repeat.min = 1;
    else if (take("?"))
        repeat.max = 1;
    else if (!read_counts(repeat))
        return atom;
    if (is_edge)
        reject(fault::malformed, "a quantifier has nothing to repeat");
    take("?"); // a lazy quantifier: the order of the alternatives has no effect on the result
    if (!text_.empty() && (text_.front() == '*' || text_.front() == '+' || text_.front() == '?'))
        reject(fault::malformed, "a quantifier has nothing to repeat");
    if (is_empty(atom) || repeat.max == 0)
        return add({kind::sequence});
    return repeat.min == 1 && repeat.max == 1 ? atom : add(std::move(repeat));
}

LINKSPAN_DECL bool schema_pattern::reader::read_counts(node& repeat)
{
    auto const before = text_;
    if (!take("{"))
        return false;
    auto const min = read_number();
    auto max = min;
    if (min && take(","))
        max = text_.starts_with('}') ? std::optional(no_max) : read_number();
    if (!min || !max || !take("}")) {
        text_ = before;
        return false;
    }
    if (*min > *max)
        reject(fault::malformed, "the minimum of a repetition exceeds its maximum");
    repeat.min = *min;
    repeat.max = *max;
    return true;
}

LINKSPAN_DECL std::optional<std::uint32_t> schema_pattern::reader::read_number()
{
    std::optional<std::uint32_t> number;
    for (; !text_.empty() && text_.front() >= '0' && text_.front() <= '9'; text_.remove_prefix(1))
        number = std::min<std::uint32_t>(number.value_or(0) * 10 + static_cast<std::uint32_t>(text_.front() - '0'),
                                         100'000'000);
    return number;
}

LINKSPAN_DECL std::uint32_t schema_pattern::reader::read_atom(unsigned depth, bool& is_edge)
{
    if (is_edge = take("^"); is_edge)
        return add({kind::begin});
    if (is_edge = take("$"); is_edge)
        return add({kind::end});
    if (is_edge = take("\\b"); is_edge)
        return add({kind::word_edge});
    if (is_edge = take("\\B"); is_edge)
        return add({kind::no_word_edge});
    if (take("("))
        return read_group(depth);
    if (take("["))
        return read_class();
    if (take("."))
        return add_set({{0, 9}, {11, 12}, {14, 0x2027}, {0x202a, last_code_point}});
    if (take("\\"))
        return read_escape_atom();
    if (text_.front() == '*' || text_.front() == '+' || text_.front() == '?')
        reject(fault::malformed, "a quantifier has nothing to repeat");
    return text_.empty() ? add({kind::sequence}) : add({kind::one, detail::pop_code_point(text_)});
}

LINKSPAN_DECL std::uint32_t schema_pattern::reader::read_group(unsigned depth)
{
    if (take("?:"))
        ;
    else if (text_.starts_with("?=") || text_.starts_with("?!") || text_.starts_with("?<=") || text_.starts_with("?<!"))
        reject(fault::unsupported, "look-around assertions are not supported");
    else if (take("?<"))
        text_.remove_prefix(std::min(text_.find('>'), text_.size() - 1) + 1);
    else if (text_.starts_with('?'))
        reject(fault::unsupported, "unknown kind of group");
    auto const inner = read_choice(depth + 1);
    if (!failed() && !take(")"))
        reject(fault::malformed, "a '(' is not closed");
    return inner;
}

LINKSPAN_DECL std::uint32_t schema_pattern::reader::read_escape_atom()
{
    if (!text_.empty() && ((text_.front() >= '1' && text_.front() <= '9') || text_.front() == 'k'))
        reject(fault::unsupported, "back-references are not supported");
    ranges some;
    if (read_set_escape(some))
        return add_set(std::move(some));
    return add({kind::one, read_escape()});
}

} // namespace linkspan

#endif
