#ifndef LINKSPAN_SCHEMA_PATTERN_HPP
#define LINKSPAN_SCHEMA_PATTERN_HPP

#include <linkspan/core/detail/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace linkspan {

/// A regular expression of a JSON Schema: ECMA-262 with the flag `u`, of which it matches what is regular.
///
/// Matching takes time of size times length at most, and no stack, whatever the pattern: it runs all ways through the
/// pattern side by side (Thompson, "Regular expression search algorithm", 1968). So there are no back-references and no
/// look-around, and of `\p{...}` there are L, Lu, Ll, N and Nd only, by their short or long names.
///
/// Thread safety: it is immutable; a `memory` belongs to one search at a time.
class schema_pattern {
public:
    /// instructions that a pattern may become: `a{1000}` becomes a thousand.
    static constexpr std::size_t max_size = std::size_t{1} << 14;

    /// ranges of code points that it may name: \p{L} names 648.
    static constexpr std::size_t max_ranges = std::size_t{1} << 15;

    /// both together
    static constexpr std::size_t max_made = max_size + max_ranges;

    /// groups in groups
    static constexpr unsigned max_depth = 100;

    struct range {
        char32_t first, last;
    };

    /// Characters: those of ASCII by bits, others by ranges that ascend.
    struct char_set {
        std::array<std::uint64_t, 2> ascii{};
        std::vector<range> ranges;

        bool has(char32_t c) const noexcept;
    };

    enum class op : std::uint8_t { one, set, either, jump, begin, end, word_edge, no_word_edge, done };

    /// Behind all but `either`, `jump` and `done` the next one follows.
    struct instruction {
        op what;
        std::uint32_t first = 0;  ///< the character, the set, or where to go on
        std::uint32_t second = 0; ///< where else
    };

    enum class fault { none, malformed, unsupported, too_large };
    enum class outcome { found, not_found, gave_up };

    /// What a search works in; the same may serve many searches, and grows to the largest pattern.
    class memory {
        friend class schema_pattern;

        // The members of a set are the first `size` of `members`; `slots` says where each is.
        struct set {
            std::vector<std::uint32_t> members, slots;
            std::uint32_t size = 0;

            LINKSPAN_DECL bool add(std::uint32_t state) noexcept;
        };
        set now_, next_;
        std::vector<std::uint32_t> stack_;
    };

    /// It is too large when it would become more than `max_made` instructions and ranges, or less where `most` says so.
    LINKSPAN_DECL explicit schema_pattern(std::string_view text, std::size_t most = max_made);

    /// Why it cannot be searched for; `none`: it can.
    fault why() const noexcept { return fault_; }

    /// In words; empty when it can be searched for.
    std::string_view reason() const noexcept { return reason_; }

    /// instructions and ranges
    std::size_t size() const noexcept { return program_.size() + ranges_; }

    /// What the pattern became, for those who make texts of it. Empty when it cannot be searched for.
    std::vector<instruction> const& program() const noexcept { return program_; }
    std::vector<char_set> const& sets() const noexcept { return sets_; }

    /// Looks for the pattern anywhere in `text`, which is UTF-8. What it costs is taken from `steps`; it gives up where
    /// nothing is left. Precondition: `why()` is `none`.
    LINKSPAN_DECL outcome search(std::string_view text, memory& with, std::size_t& steps) const;

private:
    class reader;
    class writer;

    bool takes(instruction const& now, char32_t c) const noexcept;
    bool reach(std::uint32_t at, std::string_view text, std::size_t position, memory& with, memory::set& states,
               std::size_t& steps) const;

    std::vector<instruction> program_;
    std::vector<char_set> sets_;
    std::size_t ranges_ = 0; // named
    std::string_view reason_;
    fault fault_ = fault::none;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/pattern.ipp>
#endif

#endif
