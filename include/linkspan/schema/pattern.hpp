#ifndef LINKSPAN_SCHEMA_PATTERN_HPP
#define LINKSPAN_SCHEMA_PATTERN_HPP

#include <linkspan/core/detail/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Compiled regular expression of a JSON Schema, with the syntax of ECMA-262 and its flag `u`. Some patterns that the
/// flag forbids are accepted, too: a brace that begins no quantifier, and a `-` beside a class such as in `[\d-x]`, are
/// literal characters, and each ASCII punctuation character may be escaped.
///
///     linkspan::schema_pattern const pattern("^[a-z]+$");
///     linkspan::schema_pattern::memory memory;
///     std::size_t steps = 1000;
///     bool const matches = pattern.search(text, memory, steps) == linkspan::schema_pattern::outcome::found;
///
/// The search follows all alternatives simultaneously. Its time is at most proportional to the product of the size of
/// the pattern and the length of the text, and the search does not recurse. Back-references and look-around assertions
/// are therefore not supported. `\p{...}` supports the general categories L, Lu, Ll, N and Nd of Unicode 14.0.0, with
/// their short or long names.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: safe while no thread assigns to them. A `memory` must be used by one search
/// at a time.
/// \par Specification
/// ECMA-262, "RegExp (Regular Expression) Objects"; K. Thompson, "Programming Techniques: Regular expression search
/// algorithm", CACM 11(6), 1968.
class schema_pattern {
public:
    /// Maximum number of instructions of a pattern. Repetitions are expanded: `a{1000}` has a thousand instructions.
    static constexpr std::size_t max_size = std::size_t{1} << 14;

    /// Maximum number of code point ranges that all `\p{...}` add to a pattern, and of ranges in one character class.
    /// `\p{L}` adds 648 ranges.
    static constexpr std::size_t max_ranges = std::size_t{1} << 15;

    /// Maximum of `size()`: the sum of the two limits above.
    static constexpr std::size_t max_total_size = max_size + max_ranges;

    /// Maximum number of nested groups.
    static constexpr unsigned max_depth = 100;

    /// Range of code points, both ends included.
    struct range {
        /// Lowest code point of the range.
        char32_t first;
        /// Highest code point of the range.
        char32_t last;
    };

    /// Set of code points.
    struct char_set {
        /// One bit for each ASCII character: bit `c % 64` of element `c / 64`.
        std::array<std::uint64_t, 2> ascii{};

        /// Code points from 128 on, as ascending ranges that do not touch each other.
        std::vector<range> ranges;

        /// Returns true if the set contains `c`.
        bool has(char32_t c) const noexcept;
    };

    /// Operation of an instruction.
    enum class op : std::uint8_t {
        /// Matches the code point `first`.
        one,
        /// Matches a code point of the set with the index `first`.
        set,
        /// Continues at the instructions `first` and `second`.
        either,
        /// Continues at the instruction `first`.
        jump,
        /// Matches the beginning of the text.
        begin,
        /// Matches the end of the text.
        end,
        /// Matches a position with a word character (`A-Za-z0-9_`) on one side, and another character or the beginning
        /// or end of the text on the other side.
        word_edge,
        /// Matches a position that `word_edge` does not match.
        no_word_edge,
        /// Ends the pattern: the text matches. This instruction has no next instruction.
        done
    };

    /// Instruction of a compiled pattern. The execution continues with the next instruction, except after `either`,
    /// `jump` and `done`.
    struct instruction {
        /// Operation.
        op what;

        /// Code point (`one`), index of the set (`set`), or index of the instruction at which the execution continues
        /// (`jump`, and the first of two for `either`).
        std::uint32_t first = 0;

        /// Index of the second of the two instructions at which the execution continues (`either`).
        std::uint32_t second = 0;
    };

    /// Reason why a pattern cannot be used for a search.
    enum class fault {
        /// The pattern can be used.
        none,
        /// The text is not a regular expression.
        malformed,
        /// The pattern has a back-reference, a look-around assertion, a group of another kind than `(...)`, `(?:...)`
        /// and `(?<name>...)`, or a `\p{...}` that is not one of the supported categories.
        unsupported,
        /// The pattern exceeds a limit.
        too_large
    };

    /// Result of a search.
    enum class outcome {
        /// The pattern matches a part of the text.
        found,
        /// The pattern matches no part of the text.
        not_found,
        /// The maximum number of steps was reached before the result was known.
        gave_up
    };

    /// Working memory of a search. An object may be used for any number of searches, one after another; its size is
    /// proportional to the size of the largest pattern.
    class memory {
        friend class schema_pattern;

        // Sparse set of states. The states are the first `size` elements of `members`; `slots[s]` is the position of
        // the state `s` in `members`. Emptied by `size = 0`.
        struct set {
            std::vector<std::uint32_t> members, slots;
            std::uint32_t size = 0;

            LINKSPAN_DECL bool add(std::uint32_t state) noexcept;
        };
        set now_, next_;                   // states before and after the current character
        std::vector<std::uint32_t> stack_; // states that reach() has still to follow; empty between its calls
    };

    /// Compiles a pattern.
    ///
    /// A fault of the pattern is not reported by an exception, but by `fault_kind()`.
    /// \param text Regular expression, without delimiters, in UTF-8.
    /// \param max_total Maximum of `size()`. Values above `max_total_size` have the effect of `max_total_size`.
    /// \par Exception safety
    /// Throws `std::bad_alloc`.
    LINKSPAN_DECL explicit schema_pattern(std::string_view text, std::size_t max_total = max_total_size);

    /// Returns the reason why the pattern cannot be used for a search, or `fault::none`.
    fault fault_kind() const noexcept { return fault_; }

    /// Returns a human-readable description of the fault. Empty if `fault_kind()` is `fault::none`.
    std::string_view fault_text() const noexcept { return fault_text_; }

    /// Returns the sum of the instructions and of the ranges that `\p{...}` has added.
    std::size_t size() const noexcept { return program_.size() + ranges_; }

    /// Returns the instructions of the pattern, for example to generate matching texts. Empty if the pattern has a
    /// fault.
    std::vector<instruction> const& program() const noexcept { return program_; }

    /// Returns the sets that the instructions refer to.
    std::vector<char_set> const& sets() const noexcept { return sets_; }

    /// Searches for the pattern anywhere in a text.
    ///
    /// \param text Text in UTF-8. A byte that is not UTF-8 is read as U+FFFD.
    /// \param work Working memory, which the search overwrites.
    /// \param steps Maximum number of steps, from which the search subtracts the steps that it took. A step is the
    /// visit of one instruction at one position of the text.
    /// \par Preconditions
    /// `fault_kind() == fault::none`.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    LINKSPAN_DECL outcome search(std::string_view text, memory& work, std::size_t& steps) const;

private:
    class reader;
    class writer;

    bool takes(instruction const& now, char32_t c) const noexcept;
    bool reach(std::uint32_t at, std::string_view text, std::size_t position, memory& work, memory::set& states,
               std::size_t& steps) const;

    std::vector<instruction> program_;
    std::vector<char_set> sets_;
    std::size_t ranges_ = 0;      // added by `\p{...}`
    std::string_view fault_text_; // refers to a literal; empty unless `fault_` is set
    fault fault_ = fault::none;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/pattern.ipp>
#endif

#endif
