#ifndef LINKSPAN_SCHEMA_DETAIL_PATTERN_READER_HPP
#define LINKSPAN_SCHEMA_DETAIL_PATTERN_READER_HPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/schema/detail/categories.hpp>
#include <linkspan/schema/pattern.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Functions that decode the tables in categories.hpp.

inline unsigned digit_of_category(char c) noexcept
{
    if (c >= '0' && c <= '9')
        return static_cast<unsigned>(c - '0');
    if (c >= 'A' && c <= 'Z')
        return static_cast<unsigned>(c - 'A') + 10;
    if (c >= 'a' && c <= 'z')
        return static_cast<unsigned>(c - 'a') + 36;
    return c == '-' ? 62 : 63;
}

inline unsigned take_number_of_category(std::string_view& table) noexcept
{
    for (unsigned number = 0;;) {
        unsigned const digit = digit_of_category(table.front());
        table.remove_prefix(1);
        number = number << 5 | (digit & 31);
        if (digit >= 32)
            return number;
    }
}

// Returns the table of a category, or an empty text for an unsupported category.
inline std::string_view find_category(std::string_view name) noexcept
{
    constexpr std::pair<std::string_view, std::string_view> names[] = {
        {"L", categories::letters},     {"Letter", categories::letters},
        {"Lu", categories::upper_case}, {"Uppercase_Letter", categories::upper_case},
        {"Ll", categories::lower_case}, {"Lowercase_Letter", categories::lower_case},
        {"N", categories::numbers},     {"Number", categories::numbers},
        {"Nd", categories::digits},     {"Decimal_Number", categories::digits},
        {"digit", categories::digits},
    };
    for (std::string_view const prefix : {"General_Category=", "gc="})
        if (name.starts_with(prefix))
            name.remove_prefix(prefix.size());
    auto const* const found = std::ranges::find(names, name, &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(names) ? std::string_view() : found->second;
}

} // namespace detail

// Parser of patterns, which creates a syntax tree with the depth of the groups.
//
// The tree omits empty sequences. A group, or a repetition with the count 1, is represented by the node that it
// contains. The size of the tree is therefore bounded in proportion to the size of the program. The first fault is
// stored in the pattern and ends the parsing, because `reject` removes the rest of the text.
class schema_pattern::reader {
public:
    enum class kind : std::uint8_t { sequence, choice, repeat, one, set, begin, end, word_edge, no_word_edge };

    struct node {
        kind what;
        std::uint32_t value = 0; // code point (`one`) or index of the set (`set`)
        std::uint32_t min = 0, max = 0;
        std::vector<std::uint32_t> children{};
    };

    // Maximum of a repetition without a limit.
    static constexpr std::uint32_t no_max = std::numeric_limits<std::uint32_t>::max();

    reader(std::string_view text, schema_pattern& owner, std::size_t max_total)
        : text_(text), owner_(owner), ranges_left_(std::min(max_total, max_ranges))
    {}

    // Parses the pattern. Returns the index of the root.
    std::uint32_t read()
    {
        auto const root = read_choice(0);
        if (!text_.empty())
            reject(fault::malformed, "unmatched ')'");
        return root;
    }

    std::vector<node> const& nodes() const noexcept { return nodes_; }

private:
    using ranges = std::vector<range>;

    static constexpr char32_t last_code_point = 0x10ffff;

    // The tree of a program within the size limit has at most this number of nodes, apart from nodes that are repeated
    // zero times.
    static constexpr std::size_t max_nodes = 4 * max_size;

    bool failed() const noexcept { return owner_.fault_ != fault::none; }

    void reject(fault why, std::string_view reason)
    {
        if (!failed()) {
            owner_.fault_ = why;
            owner_.fault_text_ = reason;
        }
        text_ = {};
    }

    bool take(std::string_view prefix)
    {
        bool const is_there = text_.starts_with(prefix);
        if (is_there)
            text_.remove_prefix(prefix.size());
        return is_there;
    }

    std::uint32_t add(node made)
    {
        if (nodes_.size() >= max_nodes)
            reject(fault::too_large, "the pattern is too large");
        nodes_.push_back(std::move(made));
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }

    std::uint32_t read_choice(unsigned depth)
    {
        if (depth > max_depth)
            reject(fault::too_large, "groups are nested too deeply");
        node choice{kind::choice};
        do
            choice.children.push_back(read_sequence(depth));
        while (take("|"));
        return choice.children.size() == 1 ? choice.children.front() : add(std::move(choice));
    }

    bool is_empty(std::uint32_t at) const noexcept
    {
        return nodes_[at].what == kind::sequence && nodes_[at].children.empty();
    }

    std::uint32_t read_sequence(unsigned depth)
    {
        node sequence{kind::sequence};
        while (!text_.empty() && text_.front() != '|' && text_.front() != ')')
            if (auto const term = read_term(depth); term && !is_empty(*term))
                sequence.children.push_back(*term);
        return sequence.children.size() == 1 ? sequence.children.front() : add(std::move(sequence));
    }

    std::optional<std::uint32_t> read_term(unsigned depth)
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

    // Reads {2}, {2,} or {2,3}. Other text after a brace is literal.
    bool read_counts(node& repeat)
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

    // Reads a number. Numbers above 100,000,000, which exceed every size limit, become 100,000,000.
    std::optional<std::uint32_t> read_number()
    {
        std::optional<std::uint32_t> number;
        for (; !text_.empty() && text_.front() >= '0' && text_.front() <= '9'; text_.remove_prefix(1))
            number = std::min<std::uint32_t>(number.value_or(0) * 10 + static_cast<std::uint32_t>(text_.front() - '0'),
                                             100'000'000);
        return number;
    }

    std::uint32_t read_atom(unsigned depth, bool& is_edge)
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

    std::uint32_t read_group(unsigned depth)
    {
        if (take("?:"))
            ;
        else if (text_.starts_with("?=") || text_.starts_with("?!") || text_.starts_with("?<=") ||
                 text_.starts_with("?<!"))
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

    std::uint32_t read_escape_atom()
    {
        if (!text_.empty() && ((text_.front() >= '1' && text_.front() <= '9') || text_.front() == 'k'))
            reject(fault::unsupported, "back-references are not supported");
        ranges some;
        if (read_set_escape(some))
            return add_set(std::move(some));
        return add({kind::one, read_escape()});
    }

    // Reads a class up to its closing bracket. The opening bracket has been read.
    std::uint32_t read_class()
    {
        bool const is_negated = take("^");
        ranges some;
        while (!text_.empty() && text_.front() != ']') {
            if (some.size() > max_ranges) {
                reject(fault::too_large, "the pattern is too large");
                break;
            }
            auto const first = read_class_member(some);
            if (!first || text_.size() < 2 || text_[0] != '-' || text_[1] == ']') {
                if (first)
                    some.push_back({*first, *first});
                continue;
            }
            text_.remove_prefix(1);
            auto const last = read_class_member(some);
            if (!last)
                some.insert(some.end(), {{*first, *first}, {'-', '-'}});
            else if (*last < *first)
                reject(fault::malformed, "the bounds of a range are in the wrong order");
            else
                some.push_back({*first, *last});
        }
        if (!take("]"))
            reject(fault::malformed, "a '[' is not closed");
        if (is_negated)
            negate(some);
        return add_set(std::move(some));
    }

    // Returns the code point of a member, or `std::nullopt` for a set, which is added to `some`.
    std::optional<char32_t> read_class_member(ranges& some)
    {
        if (!take("\\"))
            return detail::pop_code_point(text_);
        if (take("b"))
            return U'\b';
        if (take("-"))
            return U'-';
        if (read_set_escape(some))
            return std::nullopt;
        return read_escape();
    }

    // Reads one of \d \s \w \p{...} and their opposites. Returns false for another escape.
    bool read_set_escape(ranges& some)
    {
        if (text_.empty())
            return false;
        ranges named;
        switch (text_.front()) {
        case 'd':
        case 'D': named = {{'0', '9'}}; break;
        case 'w':
        case 'W': named = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}; break;
        case 's':
        case 'S':
            named = {{9, 13},          {' ', ' '},       {0xa0, 0xa0},     {0x1680, 0x1680}, {0x2000, 0x200a},
                     {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff}};
            break;
        case 'p':
        case 'P': return read_category(some);
        default: return false;
        }
        if (text_.front() < 'a')
            negate(named);
        text_.remove_prefix(1);
        some.insert(some.end(), named.begin(), named.end());
        return true;
    }

    bool read_category(ranges& some)
    {
        bool const is_negated = text_.front() == 'P';
        auto const end = text_.find('}');
        if (text_.size() < 2 || text_[1] != '{' || end == text_.npos) {
            reject(fault::malformed, "the name of a category is missing");
            return true;
        }
        auto table = detail::find_category(text_.substr(2, end - 2));
        if (table.empty()) {
            reject(fault::unsupported, "unsupported category of Unicode");
            return true;
        }
        text_.remove_prefix(end + 1);
        ranges named;
        for (char32_t at = 0; !table.empty() && named.size() != ranges_left_;) {
            char32_t const first = at + detail::take_number_of_category(table);
            at = first + detail::take_number_of_category(table);
            named.push_back({first, at});
        }
        ranges_left_ -= named.size();
        owner_.ranges_ += named.size();
        if (!table.empty())
            reject(fault::too_large, "the pattern is too large");
        if (is_negated)
            negate(named);
        some.insert(some.end(), named.begin(), named.end());
        return true;
    }

    char32_t read_escape()
    {
        if (text_.empty()) {
            reject(fault::malformed, "incomplete escape sequence");
            return 0;
        }
        auto const c = detail::pop_code_point(text_);
        switch (c) {
        case 't': return '\t';
        case 'n': return '\n';
        case 'v': return '\v';
        case 'f': return '\f';
        case 'r': return '\r';
        case '0': return 0;
        case 'c': return read_control();
        case 'x': return read_hex(2);
        case 'u': return read_unicode();
        default: break;
        }
        if (c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
            reject(fault::malformed, "invalid escape sequence");
        return c;
    }

    char32_t read_control()
    {
        char const c = text_.empty() ? '\0' : text_.front();
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))) {
            reject(fault::malformed, "invalid escape sequence");
            return 0;
        }
        text_.remove_prefix(1);
        return static_cast<char32_t>(c) % 32;
    }

    char32_t read_unicode()
    {
        if (!take("{")) {
            auto const high = read_hex(4);
            bool const is_pair = high >= 0xd800 && high < 0xdc00 && text_.starts_with("\\u");
            if (!is_pair || text_.starts_with("\\u{"))
                return high;
            text_.remove_prefix(2);
            return 0x10000 + ((high & 0x3ff) << 10 | (read_hex(4) & 0x3ff));
        }
        auto const end = text_.find('}');
        if (end == 0 || end > 8) {
            reject(fault::malformed, "invalid escape sequence");
            return 0;
        }
        auto const c = read_hex(end);
        if (!take("}") || c > last_code_point)
            reject(fault::malformed, "invalid escape sequence");
        return c;
    }

    char32_t read_hex(std::size_t digits)
    {
        char32_t number = 0;
        for (; digits != 0; --digits) {
            constexpr std::string_view all = "0123456789abcdefABCDEF";
            auto const digit = text_.empty() ? all.npos : all.find(text_.front());
            if (digit == all.npos) {
                reject(fault::malformed, "invalid escape sequence");
                return 0;
            }
            number = number << 4 | static_cast<char32_t>(digit < 16 ? digit : digit - 6);
            text_.remove_prefix(1);
        }
        return number;
    }

    // Sorts the ranges and merges those that overlap or touch each other.
    static void normalize(ranges& some)
    {
        std::ranges::sort(some, {}, &range::first);
        ranges merged;
        for (auto const& next : some)
            if (!merged.empty() && next.first <= merged.back().last + 1)
                merged.back().last = std::max(merged.back().last, next.last);
            else
                merged.push_back(next);
        some = std::move(merged);
    }

    static void negate(ranges& some)
    {
        normalize(some);
        ranges others;
        char32_t from = 0;
        for (auto const& taken : some) {
            if (taken.first > from)
                others.push_back({from, taken.first - 1});
            from = taken.last + 1;
        }
        if (from <= last_code_point)
            others.push_back({from, last_code_point});
        some = std::move(others);
    }

    std::uint32_t add_set(ranges some)
    {
        normalize(some);
        char_set made;
        for (auto const& [first, last] : some) {
            for (auto c = first; c <= last && c < 128; ++c)
                made.ascii[c / 64] |= std::uint64_t{1} << c % 64;
            if (last >= 128)
                made.ranges.push_back({std::max<char32_t>(first, 128), last});
        }
        owner_.sets_.push_back(std::move(made));
        return add({kind::set, static_cast<std::uint32_t>(owner_.sets_.size() - 1)});
    }

    std::string_view text_;   // part of the pattern that was not read yet
    schema_pattern& owner_;   // receives the character sets
    std::size_t ranges_left_; // ranges that categories may still add
    std::vector<node> nodes_; // syntax tree; only grows
};

} // namespace linkspan

#endif
