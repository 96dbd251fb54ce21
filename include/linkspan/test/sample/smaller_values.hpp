#ifndef LINKSPAN_TEST_SAMPLE_SMALLER_VALUES_HPP
#define LINKSPAN_TEST_SAMPLE_SMALLER_VALUES_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

/// The smaller forms of a JSON value, for the reduction of a value with which a test fails.
///
/// A smaller form is one step from the value, in this order:
/// - an object or array without all, half, a quarter and so on of its members or elements, then with a smaller form of
///   one of them;
/// - a string with fewer characters, then with one character replaced by `a`, `A` or `0`;
/// - a number that is nearer to 0: 0 itself and the positive number for a negative one, the number with no, one and two
///   digits of its fraction, then integers that are nearer by all, half, a quarter and so on of the number (of a
///   `double` above 2^53: of 2^53, and half the number);
/// - `false` for `true`.
///
/// The caller skips the forms that a schema does not permit, so that numbers stop at their bounds. A sequence of
/// values, each of which is a smaller form of the value before it, is always finite.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class smaller_values {
public:
    /// Makes the sequence of the smaller forms of a value, which is copied.
    LINKSPAN_DECL explicit smaller_values(boost::json::value from);

    /// Returns the next smaller form; empty: there are no more.
    LINKSPAN_DECL std::optional<boost::json::value> next();

private:
    // The parts of a value: elements of an array, members of an object with their names, or characters of a string.
    struct part {
        std::string name;
        boost::json::value content;
    };

    void split();
    boost::json::value joined(std::vector<part> const& from) const;
    std::optional<boost::json::value> without_parts();
    std::optional<boost::json::value> with_smaller_part();

    boost::json::value from_;                    // set by the constructor
    std::vector<part> parts_;                    // of from_, set by split(); empty: it has none
    std::vector<boost::json::value> scalars_;    // smaller forms of a number or boolean, in reverse order
    std::size_t length_ = 0, first_ = 0;         // parts that without_parts() removes next; length 0: no more
    std::size_t changed_ = 0;                    // part that with_smaller_part() replaces
    std::shared_ptr<smaller_values> of_changed_; // smaller forms of the part `changed_`; null: not made yet
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/sample/impl/smaller_values.ipp>
#endif

#endif
