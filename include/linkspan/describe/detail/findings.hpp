#ifndef LINKSPAN_DESCRIBE_DETAIL_FINDINGS_HPP
#define LINKSPAN_DESCRIBE_DETAIL_FINDINGS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/detail/pattern_searches.hpp>
#include <linkspan/describe/mismatch.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Default limit of nested arrays and objects.
inline constexpr unsigned max_levels = 512;

// The place of a value: one step from an enclosing place. A linked list on the stack; the JSON Pointer is built only
// for mismatches.
struct place {
    static constexpr std::size_t no_index = std::numeric_limits<std::size_t>::max();

    place const* up = nullptr;    // the enclosing place, which outlives this; null: the root
    std::string_view key;         // name of a member; used if index is no_index
    std::size_t index = no_index; // index of an array element

    LINKSPAN_DECL std::string pointer() const;
    LINKSPAN_DECL void append_to(std::string& out) const;
};

// Collects the mismatches of one read or check, and enforces its limits of depth, memory and work.
//
// A trial of an alternative has its own object, which collects mismatches separately and shares the limits of memory
// and work with the root object. Invariant: no list of mismatches grows beyond the limit, but all are counted.
class findings {
public:
    static constexpr auto no_limit = std::numeric_limits<std::size_t>::max();

    findings(mismatches& all, unsigned max_depth, std::size_t max_memory = no_limit,
             std::size_t max_size = max_mismatches) noexcept
        : all_(&all), max_size_(max_size), levels_left_(max_depth), memory_left_(max_memory), root_(this)
    {}

    // Sets the size of the whole text in bytes, which raises the limit of work.
    void set_whole(std::size_t size) noexcept { work_left_ += work_per_byte * size; }

    // Sets a value whose size takes time to measure. `measure` is called when alternatives are first tried.
    void set_whole(void const* whole, std::size_t (*measure)(void const* whole)) noexcept
    {
        whole_ = whole;
        measure_ = measure;
    }

    // Constructs the findings of a trial. `trial_mismatches` receives its mismatches; `of` outlives this object.
    findings(mismatches& trial_mismatches, findings& of) noexcept
        : all_(&trial_mismatches),
          max_size_(of.max_size_),
          levels_left_(of.levels_left_),
          trials_(of.trials_ + 1),
          root_(of.root_)
    {}

    findings(findings const&) = delete;
    findings& operator=(findings const&) = delete;

    // Adds a mismatch.
    LINKSPAN_DECL void add(place const& at, std::string expected, std::string found);

    // Adds a mismatch of a member that the struct does not have. `names`: of its members, one of which may be meant.
    LINKSPAN_DECL void add_unknown(place const& at, std::span<std::string_view const> names, std::string_view found);

    // Adds a mismatch because a limit was reached. The limit ends the read before the result of the match is known, so
    // that an enclosing variant must not try another alternative.
    LINKSPAN_DECL void give_up(place const& at, std::string expected, std::string found);
    LINKSPAN_DECL void give_up_too_deep(place const& at);

    // Returns how often a limit was reached, in all trials.
    std::size_t given_up() const noexcept { return root_->given_up_; }

    // Adds the mismatches of a trial; their pointers are relative to `at`.
    LINKSPAN_DECL void add(place const& at, mismatches found);

    std::size_t count() const noexcept { return count_; }
    bool any() const noexcept { return count_ != 0; }

    // Returns whether further mismatches are discarded, so that further elements need not be read.
    bool is_full() const noexcept { return count_ >= max_size_; }

    // Limit of work for nested variants whose alternatives must be tried: without a limit, the time is exponential in
    // the depth. A trial that is not inside another trial reads each value at most once per alternative; only the
    // mismatches of such a trial are counted as work.
    bool may_read_again() noexcept { return root_->left() != 0; }
    void add_work_of_look(std::size_t bytes) noexcept { spend(bytes); }
    void add_work_of_trial(std::size_t bytes) noexcept // a trial takes more time than a `look`, and allocates texts
    {
        if (trials_ != 0)
            spend(256 + bytes * 16);
    }

    // Subtracts the memory for an element from the limit. Few bytes of JSON may require much memory, such as `{}` for a
    // large struct. Calls `give_up` and returns false if the limit is exceeded.
    bool take_memory(std::size_t bytes, place const& at)
    {
        bool const may = bytes <= root_->memory_left_;
        if (may)
            root_->memory_left_ -= bytes;
        else
            give_up_too_many(at);
        return may;
    }

    pattern_searches& patterns()
    {
        auto& all = root_->patterns_;
        return *(all ? all : all = std::make_unique<pattern_searches>());
    }

    // Occupies one level of depth until its destruction. Converts to false if the depth limit is exceeded. `nests`: the
    // value is an array or object; other values occupy no level.
    class level {
    public:
        explicit level(findings& of, bool nests = true) noexcept
            : of_(of), taken_(nests && of.levels_left_ != 0 ? 1 : 0), entered_(taken_ != 0 || !nests)
        {
            of_.levels_left_ -= taken_;
        }
        level(level const&) = delete;
        level& operator=(level const&) = delete;
        ~level() { of_.levels_left_ += taken_; }

        explicit operator bool() const noexcept { return entered_; }

    private:
        findings& of_;   // set by the constructor
        unsigned taken_; // levels that the destructor returns: 0 or 1
        bool entered_;   // false if the depth limit is exceeded
    };

private:
    LINKSPAN_DECL void give_up_too_many(place const& at);

    // Limit of work in bytes that are skipped: a constant, and a factor of the size of the whole text. A processor
    // skips some hundreds of bytes per microsecond.
    static constexpr std::size_t min_work = std::size_t{64} << 20;
    static constexpr std::size_t work_per_byte = 64;

    // Returns the remaining work of the root object; measures the whole value on the first call.
    std::size_t& left() noexcept
    {
        if (auto const measure = std::exchange(measure_, nullptr))
            work_left_ += work_per_byte * measure(whole_);
        return work_left_;
    }

    void spend(std::size_t cost) noexcept
    {
        auto& left = root_->left();
        left -= cost < left ? cost : left;
    }

    mismatches* all_;       // receives the mismatches; not owned
    std::size_t max_size_;  // of `*all_`; set by the constructor
    unsigned levels_left_;  // decremented by each level while it exists
    unsigned trials_ = 0;   // number of nested trials that contain this object; 0: root
    std::size_t count_ = 0; // mismatches that were added to this object, also discarded ones

    // The following members are used in the root object only.
    std::size_t work_left_ = min_work;              // remaining work; raised by set_whole(), decremented by spend()
    std::size_t memory_left_ = 0;                   // remaining memory; set by the constructor
    std::unique_ptr<pattern_searches> patterns_;    // created by the first search
    std::size_t given_up_ = 0;                      // incremented by give_up()
    void const* whole_ = nullptr;                   // argument of measure_
    std::size_t (*measure_)(void const*) = nullptr; // set by set_whole(), cleared by the first left()

    findings* root_; // the object outside of all trials; set by the constructor
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/describe/impl/findings.ipp>
#endif

#endif
