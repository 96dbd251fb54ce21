#ifndef LINKSPAN_SCHEMA_DETAIL_PATTERN_READER_HPP
#define LINKSPAN_SCHEMA_DETAIL_PATTERN_READER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/schema/pattern.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

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

    LINKSPAN_DECL void reject(fault why, std::string_view reason);
    LINKSPAN_DECL bool take(std::string_view prefix);
    LINKSPAN_DECL std::uint32_t add(node made);
    LINKSPAN_DECL std::uint32_t read_choice(unsigned depth);

    bool is_empty(std::uint32_t at) const noexcept
    {
        return nodes_[at].what == kind::sequence && nodes_[at].children.empty();
    }

    LINKSPAN_DECL std::uint32_t read_sequence(unsigned depth);
    LINKSPAN_DECL std::optional<std::uint32_t> read_term(unsigned depth);

    // Reads {2}, {2,} or {2,3}. Other text after a brace is literal.
    LINKSPAN_DECL bool read_counts(node& repeat);

    // Reads a number. Numbers above 100,000,000, which exceed every size limit, become 100,000,000.
    LINKSPAN_DECL std::optional<std::uint32_t> read_number();
    LINKSPAN_DECL std::uint32_t read_atom(unsigned depth, bool& is_edge);
    LINKSPAN_DECL std::uint32_t read_group(unsigned depth);
    LINKSPAN_DECL std::uint32_t read_escape_atom();

    // Reads a class up to its closing bracket. The opening bracket has been read.
    LINKSPAN_DECL std::uint32_t read_class();

    // Returns the code point of a member, or `std::nullopt` for a set, which is added to `some`.
    LINKSPAN_DECL std::optional<char32_t> read_class_member(ranges& some);

    // Reads one of \d \s \w \p{...} and their opposites. Returns false for another escape.
    LINKSPAN_DECL bool read_set_escape(ranges& some);
    LINKSPAN_DECL bool read_category(ranges& some);
    LINKSPAN_DECL char32_t read_escape();
    LINKSPAN_DECL char32_t read_control();
    LINKSPAN_DECL char32_t read_unicode();
    LINKSPAN_DECL char32_t read_hex(std::size_t digits);

    // Sorts the ranges and merges those that overlap or touch each other.
    LINKSPAN_DECL static void normalize(ranges& some);
    LINKSPAN_DECL static void negate(ranges& some);
    LINKSPAN_DECL std::uint32_t add_set(ranges some);

    std::string_view text_;   // part of the pattern that was not read yet
    schema_pattern& owner_;   // receives the character sets
    std::size_t ranges_left_; // ranges that categories may still add
    std::vector<node> nodes_; // syntax tree; only grows
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/pattern_reader.ipp>
#include <linkspan/schema/impl/pattern_reader.sets.ipp>
#endif

#endif
