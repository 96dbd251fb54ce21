#ifndef LINKSPAN_TEST_SAMPLE_IMPL_SAMPLE_TEXT_IPP
#define LINKSPAN_TEST_SAMPLE_IMPL_SAMPLE_TEXT_IPP

#include <linkspan/test/sample/sample_text.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

inline void append_character(std::string& text, char32_t c)
{
    auto const add = [&](char32_t bits) { text += static_cast<char>(static_cast<unsigned char>(bits)); };
    auto const add_rest = [&](unsigned shift) { add(0x80 | (c >> shift & 0x3f)); };
    if (c < 0x80) {
        add(c);
    } else if (c < 0x800) {
        add(0xc0 | c >> 6);
        add_rest(0);
    } else if (c < 0x10000) {
        add(0xe0 | c >> 12);
        add_rest(6);
        add_rest(0);
    } else {
        add(0xf0 | c >> 18);
        add_rest(12);
        add_rest(6);
        add_rest(0);
    }
}

inline std::string sample_letters(std::size_t size, draws& draw)
{
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::string out;
    while (out.size() != size)
        out += draw.pick(letters);
    return out;
}

// Returns a number from `first` to `last` with leading zeros.
inline std::string sample_digits(std::size_t digits, std::size_t first, std::size_t last, draws& draw)
{
    auto text = std::to_string(first + draw.below(last - first + 1));
    return std::string(digits - std::min(digits, text.size()), '0') + text;
}

inline std::string sample_hex(std::size_t size, draws& draw)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    while (out.size() != size)
        out += draw.pick(digits);
    return out;
}

inline std::string sample_date(draws& draw)
{
    if (draw.one_in(4))
        return "2024-02-29";
    return sample_digits(4, 1970, 2099, draw) + '-' + sample_digits(2, 1, 12, draw) + '-' +
           sample_digits(2, 1, 28, draw);
}

inline std::string sample_time(draws& draw)
{
    constexpr std::array<std::string_view, 4> zones{"Z", "+00:00", "+05:30", "-11:00"};
    auto out =
        sample_digits(2, 0, 23, draw) + ':' + sample_digits(2, 0, 59, draw) + ':' + sample_digits(2, 0, 59, draw);
    if (draw.one_in(3))
        out += '.' + sample_digits(3, 0, 999, draw);
    return out.append(draw.pick(zones));
}

inline std::string sample_host(draws& draw)
{
    constexpr std::array<std::string_view, 3> ends{".example", ".example.com", ".test"};
    return ('h' + sample_letters(1 + draw.below(8), draw)).append(draw.pick(ends));
}

inline std::string sample_uri(draws& draw)
{
    auto out = "https://" + sample_host(draw);
    if (draw.one_in(4))
        out += ":8443";
    out += '/' + sample_letters(draw.below(8), draw);
    if (draw.one_in(3))
        out += "/with%20space";
    if (draw.one_in(3))
        out += "?q=" + sample_letters(3, draw);
    if (draw.one_in(4))
        out += "#part";
    return out;
}

inline std::string sample_uuid(draws& draw)
{
    return sample_hex(8, draw) + '-' + sample_hex(4, draw) + "-4" + sample_hex(3, draw) + "-a" + sample_hex(3, draw) +
           '-' + sample_hex(12, draw);
}

inline std::string sample_email(draws& draw)
{
    return 'm' + sample_letters(draw.below(8), draw) + (draw.one_in(4) ? "+tag@" : "@") + sample_host(draw);
}

inline std::string sample_base64(draws& draw)
{
    constexpr std::array<std::string_view, 4> some{"", "AA==", "/+8=", "bGlua3NwYW4="};
    return std::string(draw.pick(some));
}

// Minimum number of characters from each instruction of a compiled pattern to its end.
class pattern_distances {
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    explicit pattern_distances(schema_pattern const& pattern) : program_(pattern.program()), sets_(pattern.sets())
    {
        fewest_.assign(program_.size(), none);
        bool is_changed = true;
        // Instructions refer mostly forward, so a backward pass is fast; nested loops need one more round per level.
        for (unsigned round = 0; is_changed && round != schema_pattern::max_depth; ++round) {
            is_changed = false;
            for (auto at = program_.size(); at-- != 0;)
                is_changed |= improve(static_cast<std::uint32_t>(at));
        }
    }

    std::uint32_t operator[](std::uint32_t at) const noexcept { return fewest_[at]; }

private:
    using op = schema_pattern::op;

    bool improve(std::uint32_t at)
    {
        auto const found = compute(at);
        bool const is_better = found < fewest_[at];
        fewest_[at] = std::min(fewest_[at], found);
        return is_better;
    }

    std::uint32_t compute(std::uint32_t at) const
    {
        auto const& now = program_[at];
        switch (now.what) {
        case op::done: return 0;
        case op::jump: return fewest_[now.first];
        case op::either: return std::min(fewest_[now.first], fewest_[now.second]);
        case op::set:
            if (auto const& set = sets_[now.first]; set.ranges.empty() && set.ascii[0] == 0 && set.ascii[1] == 0)
                return none;
            [[fallthrough]];
        case op::one: return fewest_[at + 1] == none ? none : fewest_[at + 1] + 1;
        default: return fewest_[at + 1];
        }
    }

    std::vector<schema_pattern::instruction> const& program_;
    std::vector<schema_pattern::char_set> const& sets_;
    std::vector<std::uint32_t> fewest_; // minimum by instruction; set by the constructor, `none`: no path to the end
};

// Takes one random path through a compiled pattern and produces the characters on the path.
class pattern_walk {
public:
    pattern_walk(schema_pattern const& pattern, std::size_t min, std::size_t max, bool is_short, draws& draw)
        : pattern_(pattern),
          fewest_(pattern),
          min_(min),
          max_(max),
          is_short_(is_short),
          enough_(is_short ? min : min + draw.below(std::min<std::size_t>(max - min, 12) + 1)),
          draw_(draw)
    {}

    std::optional<std::string> run()
    {
        if (fewest_[0] == pattern_distances::none)
            return std::nullopt;
        // The number of steps is bounded, because a pattern may have loops around empty matches.
        for (auto steps = pattern_.program().size() * 4 + max_steps_; steps != 0; --steps) {
            auto const& now = pattern_.program()[at_];
            if (now.what == op::done)
                return fill();
            if (!step(now))
                return std::nullopt;
        }
        return std::nullopt;
    }

private:
    using op = schema_pattern::op;

    static constexpr std::size_t max_steps_ = 100'000;

    bool step(schema_pattern::instruction const& now)
    {
        switch (now.what) {
        case op::jump: at_ = now.first; return true;
        case op::either: at_ = choose(now.first, now.second); return true;
        case op::begin: is_begun_ = true; break;
        case op::end: is_ended_ = true; break;
        case op::one: add(now.first); break;
        case op::set: add(pick(pattern_.sets()[now.first])); break;
        default: break;
        }
        ++at_;
        return !(is_ended_ && (now.what == op::one || now.what == op::set)) && !(now.what == op::begin && size_ != 0);
    }

    void add(char32_t c)
    {
        append_character(text_, c);
        ++size_;
    }

    // Chooses between the two branches: the shorter one if the text is long enough, else mostly the longer one.
    std::uint32_t choose(std::uint32_t a, std::uint32_t b)
    {
        if (fewest_[a] > fewest_[b])
            std::swap(a, b); // a has the shorter way to the end
        if (fewest_[b] == pattern_distances::none || size_ + fewest_[b] > max_)
            return a;
        if (fewest_[a] == fewest_[b])
            return draw_.one_in(2) ? a : b;
        auto const size = size_ + fewest_[a];
        if (size >= enough_)
            return is_short_ || !draw_.one_in(8) ? a : b;
        return draw_.one_in(8 * (1 + min_ - std::min(min_, size))) ? a : b;
    }

    // Prefers printable ASCII characters.
    char32_t pick(schema_pattern::char_set const& set)
    {
        std::vector<char32_t> common, others;
        for (char32_t c = 0; c != 128; ++c)
            if (set.ascii[c / 64] >> c % 64 & 1)
                (c > ' ' && c != 127 ? common : others).push_back(c);
        bool const is_rare = draw_.one_in(16);
        if (!common.empty() && !is_rare)
            return draw_.pick(common);
        if (!set.ranges.empty() && (others.empty() || draw_.one_in(2))) {
            auto const [first, last] = draw_.pick(set.ranges);
            auto const c = first + static_cast<char32_t>(draw_.below(last - first + 1));
            return c < 0xd800 || c > 0xdfff ? c : first < 0xd800 ? first : last; // surrogates are not characters
        }
        return draw_.pick(others.empty() ? common : others);
    }

    // Extends the text to the wanted size on a side that is not anchored.
    std::string fill()
    {
        auto const missing = enough_ - std::min(enough_, size_);
        if (missing != 0 && !is_ended_)
            text_ += sample_letters(missing, draw_);
        else if (missing != 0 && !is_begun_)
            text_ = sample_letters(missing, draw_) + text_;
        return std::move(text_);
    }

    // Set by the constructor.
    schema_pattern const& pattern_;
    pattern_distances fewest_;
    std::size_t min_, max_; // bounds of the size of the text, in characters
    bool is_short_;         // true: the text is as short as possible
    std::size_t enough_;    // size from which the shorter branch is chosen
    draws& draw_;

    // Updated by each step.
    std::size_t size_ = 0;  // number of characters in `text_`
    std::uint32_t at_ = 0;  // index of the next instruction
    bool is_begun_ = false; // set by the instruction `begin`: the text cannot be extended at its beginning
    bool is_ended_ = false; // set by the instruction `end`: the text cannot be extended at its end
    std::string text_;
};

} // namespace detail

LINKSPAN_DECL std::size_t count_characters(std::string_view text) noexcept
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

LINKSPAN_DECL std::string sample_text(std::size_t size, draws& draw)
{
    constexpr std::array<char32_t, 32> awkward{0,      1,      8,      9,      10,     12,      13,      31,
                                               ' ',    '"',    '\'',   '/',    '<',    '%',     '\\',    '{',
                                               127,    0x80,   0xa0,   0xe9,   0xdf,   0x301,   0x7ff,   0x800,
                                               0x202e, 0x2028, 0x4e2d, 0xfeff, 0xffff, 0x1f600, 0x10000, 0x10ffff};
    if (draw.one_in(2))
        return detail::sample_letters(size, draw);
    std::string out;
    for (; size != 0; --size)
        if (draw.one_in(3))
            out += detail::sample_letters(1, draw);
        else
            detail::append_character(out, draw.pick(awkward));
    return out;
}

LINKSPAN_DECL std::optional<std::string> sample_format(std::string_view format, draws& draw)
{
    using make = std::string (*)(draws&);
    constexpr std::array<std::pair<std::string_view, make>, 20> known{{
        {"date-time", [](draws& d) { return detail::sample_date(d) + 'T' + detail::sample_time(d); }},
        {"date", detail::sample_date},
        {"time", detail::sample_time},
        {"duration", [](draws& d) { return 'P' + detail::sample_digits(1, 1, 99, d) + (d.one_in(2) ? "D" : "DT1H"); }},
        {"email", detail::sample_email},
        {"idn-email", detail::sample_email},
        {"hostname", detail::sample_host},
        {"idn-hostname", detail::sample_host},
        {"ipv4", [](draws& d) { return "192.0.2." + detail::sample_digits(1, 0, 255, d); }},
        {"ipv6", [](draws& d) { return "2001:db8::" + detail::sample_digits(1, 1, 9999, d); }},
        {"uri", detail::sample_uri},
        {"url", detail::sample_uri},
        {"uri-reference", [](draws& d) { return d.one_in(2) ? "../a?b=c" : detail::sample_uri(d); }},
        {"iri", detail::sample_uri},
        {"iri-reference", detail::sample_uri},
        {"uuid", detail::sample_uuid},
        {"json-pointer", [](draws& d) { return std::string(d.one_in(2) ? "" : "/a~1b/0"); }},
        {"relative-json-pointer", [](draws& d) { return std::string(d.one_in(2) ? "0" : "1/a"); }},
        {"regex", [](draws& d) { return std::string(d.one_in(2) ? "^[a-z]+$" : "a|b"); }},
        {"byte", detail::sample_base64},
    }};
    auto const* const found = std::ranges::find(known, format, &std::pair<std::string_view, make>::first);
    return found == known.end() ? std::nullopt : std::optional(found->second(draw));
}

LINKSPAN_DECL std::optional<std::string> sample_pattern(schema_pattern const& pattern, std::size_t min, std::size_t max,
                                                        bool is_short, draws& draw)
{
    return detail::pattern_walk(pattern, min, std::max(min, max), is_short, draw).run();
}

} // namespace linkspan::test

#endif
