#ifndef LINKSPAN_TEST_SAMPLE_IMPL_SMALLER_VALUES_IPP
#define LINKSPAN_TEST_SAMPLE_IMPL_SMALLER_VALUES_IPP

#include <linkspan/test/sample/smaller_values.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// Appends the integers between a positive number and 0, in reverse order: the next one first.
template<class Integer>
void append_nearer(std::vector<boost::json::value>& to, Integer number)
{
    std::vector<boost::json::value> out;
    for (auto distance = number; distance > 0; distance /= 2)
        out.push_back(static_cast<Integer>(number - distance));
    to.assign(out.rbegin(), out.rend());
}

// Returns the smaller forms of a number, in reverse order.
inline std::vector<boost::json::value> nearer_numbers(boost::json::value const& from)
{
    std::vector<boost::json::value> out;
    if (auto const* const number = from.if_uint64()) {
        append_nearer(out, *number);
    } else if (auto const* const integer = from.if_int64()) {
        auto const lowest = std::numeric_limits<std::int64_t>::min();
        append_nearer(out, *integer < 0 ? *integer == lowest ? std::numeric_limits<std::int64_t>::max() : -*integer
                                        : *integer);
        if (*integer < 0)
            for (auto& one : out)
                one = -one.get_int64();
        if (*integer < 0 && *integer != lowest)
            out.push_back(-*integer); // a positive number is nearer than a negative one
    } else if (auto const* const real = from.if_double()) {
        auto const whole = std::trunc(*real);
        constexpr double exact = 9007199254740992; // 2^53: all integers below are doubles
        append_nearer(out, static_cast<std::int64_t>(std::min(std::abs(whole), exact)));
        for (auto& one : out)
            one = std::copysign(static_cast<double>(one.get_int64()), *real);
        if (std::abs(whole) > exact)
            out.insert(out.begin(), whole / 2);
        for (double const digits : {100.0, 10.0, 1.0})
            if (auto const rounded = std::trunc(*real * digits) / digits; std::abs(rounded) < std::abs(*real))
                out.push_back(rounded);
        if (*real < 0)
            out.push_back(-*real);
        if (*real != 0)
            out.push_back(0.0);
    }
    return out;
}

// Returns the order of a character among those of which the last ones are replaced by earlier ones.
inline std::size_t rank_of(std::string_view character)
{
    return std::min(std::string_view("aA0").find(character), std::size_t(3));
}

} // namespace detail

LINKSPAN_DECL smaller_values::smaller_values(boost::json::value from) : from_(std::move(from))
{
    split();
    length_ = parts_.size();
    scalars_ = detail::nearer_numbers(from_);
    if (from_ == true)
        scalars_.push_back(false);
}

inline void smaller_values::split()
{
    if (auto const* const object = from_.if_object())
        for (auto const& member : *object)
            parts_.push_back({std::string(member.key()), member.value()});
    else if (auto const* const array = from_.if_array())
        for (auto const& element : *array)
            parts_.push_back({{}, element});
    else if (auto const* const string = from_.if_string())
        for (std::size_t begin = 0, end = 0; begin != string->size(); begin = end) {
            auto const continues = [&] { return (static_cast<unsigned char>((*string)[end]) & 0xC0U) == 0x80U; };
            for (++end; end != string->size() && continues(); ++end) {
            }
            parts_.push_back({std::string(string->data() + begin, end - begin), nullptr});
        }
}

inline boost::json::value smaller_values::joined(std::vector<part> const& from) const
{
    if (from_.is_string()) {
        boost::json::string out;
        for (auto const& one : from)
            out.append(one.name);
        return out;
    }
    if (from_.is_array()) {
        boost::json::array out;
        for (auto const& one : from)
            out.push_back(one.content);
        return out;
    }
    boost::json::object out;
    for (auto const& one : from)
        out[one.name] = one.content;
    return out;
}

inline std::optional<boost::json::value> smaller_values::without_parts()
{
    if (length_ == 0)
        return {};
    std::vector<part> left(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(first_));
    auto const end = std::min(first_ + length_, parts_.size());
    left.insert(left.end(), parts_.begin() + static_cast<std::ptrdiff_t>(end), parts_.end());
    first_ = end;
    if (first_ == parts_.size()) {
        first_ = 0;
        length_ /= 2;
    }
    return joined(left);
}

inline std::optional<boost::json::value> smaller_values::with_smaller_part()
{
    for (; changed_ != parts_.size(); ++changed_, of_changed_.reset(), first_ = 0) {
        auto changed = parts_;
        if (from_.is_string()) { // first_ is the rank of the character that replaces the part
            if (first_ == detail::rank_of(parts_[changed_].name))
                continue;
            changed[changed_].name = std::string_view("aA0").substr(first_++, 1);
            return joined(changed);
        }
        if (!of_changed_)
            of_changed_ = std::make_shared<smaller_values>(parts_[changed_].content);
        if (auto smaller = of_changed_->next()) {
            changed[changed_].content = std::move(*smaller);
            return joined(changed);
        }
    }
    return {};
}

LINKSPAN_DECL std::optional<boost::json::value> smaller_values::next()
{
    if (!scalars_.empty()) {
        auto out = std::move(scalars_.back());
        scalars_.pop_back();
        return out;
    }
    if (length_ != 0)
        return without_parts();
    return with_smaller_part();
}

} // namespace linkspan::test

#endif
