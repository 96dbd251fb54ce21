#ifndef LINKSPAN_DESCRIBE_DETAIL_CONSTANT_NUMBER_HPP
#define LINKSPAN_DESCRIBE_DETAIL_CONSTANT_NUMBER_HPP

#include <linkspan/core/detail/config.hpp>

#include <algorithm>
#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

// Shortest decimal representation of a floating-point number in constant expressions, where std::to_chars is not
// available.
namespace linkspan::inline LINKSPAN_ABI::detail {

// A natural number of arbitrary size.
class natural {
public:
    constexpr explicit natural(std::uint64_t value)
    {
        for (; value != 0; value >>= 32)
            words_.push_back(static_cast<std::uint32_t>(value));
    }

    constexpr natural& operator*=(std::uint32_t factor)
    {
        std::uint64_t carry = 0;
        for (auto& word : words_) {
            carry += std::uint64_t{word} * factor;
            word = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        if (carry != 0)
            words_.push_back(static_cast<std::uint32_t>(carry));
        return *this;
    }

    constexpr natural& operator<<=(int bits)
    {
        for (; bits >= 31; bits -= 31)
            *this *= std::uint32_t{1} << 31;
        return *this *= std::uint32_t{1} << bits;
    }

    constexpr natural& operator+=(natural const& other)
    {
        for (auto const size = std::max(words_.size(), other.words_.size()) + 1; words_.size() != size;)
            words_.push_back(0); // clang 16 rejects resize() in constant expressions
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i != words_.size(); ++i) {
            carry += std::uint64_t{words_[i]} + (i < other.words_.size() ? other.words_[i] : 0);
            words_[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        return trim();
    }

    // Precondition: `other` is not greater.
    constexpr natural& operator-=(natural const& other)
    {
        std::uint64_t borrow = 0;
        for (std::size_t i = 0; i != words_.size(); ++i) {
            auto const less = borrow + (i < other.words_.size() ? other.words_[i] : 0);
            borrow = words_[i] < less ? 1 : 0;
            words_[i] = static_cast<std::uint32_t>(words_[i] - less);
        }
        return trim();
    }

    // Returns the number of words.
    constexpr std::size_t size() const noexcept { return words_.size(); }

    friend constexpr bool operator==(natural const&, natural const&) = default;

    friend constexpr std::strong_ordering operator<=>(natural const& a, natural const& b)
    {
        if (a.words_.size() != b.words_.size())
            return a.words_.size() <=> b.words_.size();
        for (auto i = a.words_.size(); i-- != 0;)
            if (a.words_[i] != b.words_[i])
                return a.words_[i] <=> b.words_[i];
        return std::strong_ordering::equal;
    }

private:
    constexpr natural& trim()
    {
        while (!words_.empty() && words_.back() == 0)
            words_.pop_back();
        return *this;
    }

    std::vector<std::uint32_t> words_; // least significant first; the last is not 0
};

// The number 0.d1d2d3... * 10^exponent.
struct decimal {
    std::vector<char> digits;
    int exponent = 0;
};

// Produces the digits of a number. The number, and half of its distance to the next smaller and to the next larger
// floating-point number, are fractions with the denominator `unit_`. Decimal numbers within these distances are read as
// the number.
class digit_source {
public:
    template<std::floating_point Real>
    constexpr explicit digit_source(Real value) : value_(0), unit_(1), up_(1), down_(1)
    {
        using limits = std::numeric_limits<Real>;
        using bits_type = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
        static_assert(limits::is_iec559 && sizeof(Real) == sizeof(bits_type));
        constexpr int size = limits::digits - 1;
        auto const bits = std::bit_cast<bits_type>(value);
        auto const power = static_cast<int>(bits >> size);
        auto const fraction = bits & ((bits_type{1} << size) - 1);
        auto const whole = power == 0 ? fraction : fraction | bits_type{1} << size;
        auto const shift = std::max(power, 1) + limits::min_exponent - limits::digits - 1;
        is_even_ = whole % 2 == 0;
        value_ = natural(whole);
        for (auto* const one : {&value_, &up_, &down_})
            *one <<= std::max(shift, 0);
        unit_ <<= std::max(-shift, 0) + 1;
        value_ <<= 1;
        if (fraction == 0 && power > 1) { // the distance to the neighbour below is half of that above
            for (auto* const one : {&value_, &up_, &unit_})
                *one <<= 1;
        }
    }

    constexpr decimal read()
    {
        decimal out;
        for (; value_.size() > unit_.size() + 1; out.exponent += 9)
            unit_ *= nine_zeros;
        for (; reaches_unit(); ++out.exponent)
            unit_ *= 10;
        // Compilers limit the steps of constant evaluation, so the factor is first 10^9, which adds less than a word.
        for (; value_.size() + 1 < unit_.size(); out.exponent -= 9)
            multiply(nine_zeros);
        for (multiply(10); !reaches_unit(); multiply(10))
            --out.exponent;
        for (;; multiply(10)) {
            char digit = '0';
            for (; value_ >= unit_; value_ -= unit_)
                ++digit;
            bool const may_stop = is_even_ ? value_ <= down_ : value_ < down_;
            bool const may_round_up = reaches_unit();
            if (may_round_up && (!may_stop || is_nearer_above(digit)))
                ++digit;
            out.digits.push_back(digit);
            if (may_stop || may_round_up)
                return out;
        }
    }

private:
    static constexpr std::uint32_t nine_zeros = 1'000'000'000;

    constexpr void multiply(std::uint32_t factor)
    {
        for (auto* const one : {&value_, &up_, &down_})
            *one *= factor;
    }

    constexpr bool reaches_unit() const
    {
        auto sum = value_;
        sum += up_;
        return is_even_ ? sum >= unit_ : sum > unit_;
    }

    // Returns whether the remainder after `digit` is more than a half, or is a half and `digit` is odd.
    constexpr bool is_nearer_above(char digit) const
    {
        auto twice = value_;
        twice *= 2;
        return twice > unit_ || (twice == unit_ && digit % 2 != 0);
    }

    natural value_, unit_, up_, down_; // up_, down_: half of the distance to the neighbours
    bool is_even_ = false;             // even significand: numbers at exactly half the distance are read as the number
};

// Returns the shortest sequence of digits that is read as `value`; of several such sequences, the one nearest to
// `value`.
//
// Precondition: `value` is finite and positive.
// Specification: G. Steele and J. White, "How to print floating-point numbers accurately", 1990, with the bounds of
// R. Burger and R. K. Dybvig, 1996.
template<std::floating_point Real>
constexpr decimal shortest_decimal(Real value)
{
    return digit_source(value).read();
}

} // namespace linkspan::detail

#endif
