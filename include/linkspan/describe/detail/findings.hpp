#ifndef LINKSPAN_DESCRIBE_DETAIL_FINDINGS_HPP
#define LINKSPAN_DESCRIBE_DETAIL_FINDINGS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/detail/pattern_searches.hpp>
#include <linkspan/describe/mismatch.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::detail {

// Values in each other. What is deeper is refused.
inline constexpr unsigned max_levels = 512;

// Where a value stands: a step from another place. It costs nothing until it is told.
struct place {
    static constexpr std::size_t no_index = std::numeric_limits<std::size_t>::max();

    place const* up = nullptr; // null: the root
    std::string_view key;
    std::size_t index = no_index; // of an array

    LINKSPAN_DECL std::string pointer() const;
    LINKSPAN_DECL void append_to(std::string& out) const;
};

// What is found while a value is read or checked, and the limits of that.
class findings {
public:
    static constexpr auto no_limit = std::numeric_limits<std::size_t>::max();

    findings(mismatches& all, unsigned max_depth, std::size_t max_memory = no_limit) noexcept
        : all_(&all), levels_left_(max_depth), memory_left_(max_memory), root_(this)
    {}

    // Of what has so many bytes.
    void whole_is(std::size_t size) noexcept { cost_left_ += times * size; }

    // Of what costs time to measure: that is done when alternatives are first met.
    void whole_is(void const* whole, std::size_t (*measure)(void const* whole)) noexcept
    {
        whole_ = whole;
        measure_ = measure;
    }

    // Of a trial, whose outcome is not known yet: what it finds stands aside.
    findings(mismatches& aside, findings& of) noexcept
        : all_(&aside), levels_left_(of.levels_left_), trials_(of.trials_ + 1), root_(of.root_)
    {}

    findings(findings const&) = delete;
    findings& operator=(findings const&) = delete;

    LINKSPAN_DECL void add(place const& at, std::string expected, std::string found);

    // A limit was reached: whether the value is right nobody knows, and so no other alternative may be taken for it.
    LINKSPAN_DECL void give_up(place const& at, std::string expected, std::string found);
    LINKSPAN_DECL void give_up_too_deep(place const& at);
    std::size_t given_up() const noexcept { return root_->given_up_; } // how often

    // What a trial of the value there has found: its places are within that value.
    LINKSPAN_DECL void add(place const& at, mismatches found);

    std::size_t count() const noexcept { return count_; }
    bool any() const noexcept { return count_ != 0; }

    // What would be found from here on is not told: lists of what nobody wants need not be read.
    bool is_full() const noexcept { return count_ >= max_mismatches; }

    // Alternatives within alternatives: where none can be told from the others at sight, each is tried, which takes
    // exponential time without a limit on what is read in vain. Trials that are in no other one read each value as
    // often as it has alternatives at most: only what they find counts.
    bool may_read_again() noexcept { return root_->left() != 0; }
    void spend_on_look(std::size_t bytes) noexcept { spend(bytes); }
    void spend_on_trial(std::size_t bytes) noexcept // slower, and makes texts
    {
        if (trials_ != 0)
            spend(256 + bytes * 16);
    }

    // What lists and maps take in memory, of which a few bytes of JSON may ask for much: `{}` for each struct. Gives
    // up, and is false, when it is too much.
    bool may_keep(std::size_t bytes, place const& at)
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

    // One level down, for as long as this lives; false when that is too deep.
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
        findings& of_;
        unsigned taken_;
        bool entered_;
    };

private:
    LINKSPAN_DECL void give_up_too_many(place const& at);

    // In bytes that are passed over, of which a processor takes some hundreds in a microsecond.
    static constexpr std::size_t least_cost = std::size_t{64} << 20;
    static constexpr std::size_t times = 64;

    std::size_t& left() noexcept
    {
        if (auto const measure = std::exchange(measure_, nullptr))
            cost_left_ += times * measure(whole_);
        return cost_left_;
    }

    void spend(std::size_t cost) noexcept
    {
        auto& left = root_->left();
        left -= cost < left ? cost : left;
    }

    mismatches* all_;
    unsigned levels_left_;
    unsigned trials_ = 0; // within each other that this is in
    std::size_t count_ = 0;
    std::size_t cost_left_ = least_cost; // of the root, as what follows
    std::size_t memory_left_ = 0;
    std::unique_ptr<pattern_searches> patterns_; // when there is one
    std::size_t given_up_ = 0;
    void const* whole_ = nullptr;
    std::size_t (*measure_)(void const*) = nullptr;
    findings* root_; // outside of all trials
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/describe/impl/findings.ipp>
#endif

#endif
