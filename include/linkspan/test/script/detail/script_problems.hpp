#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_SCRIPT_PROBLEMS_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_SCRIPT_PROBLEMS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>
#include <linkspan/describe/mismatch.hpp>

#include <boost/json/value.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Maximum number of problems of types and names of one text, and of repeated names.
inline constexpr std::size_t max_script_problems = 1000;

// Collects what is wrong in a script or a plan of faults. The pointers are locations in its text. Each message has the
// expectation, and the value at its location.
class script_problems {
public:
    // `json`: the text, which must outlive this object.
    script_problems(std::string_view json, std::vector<diagnostic>& problems) : json_(json), problems_(problems) {}

    // Adds the problems of the decoded structs, at which and below which this object reports nothing further.
    LINKSPAN_DECL void add(mismatches const& of);

    // Reports a problem of the value at a location.
    LINKSPAN_DECL void reject(std::string const& at, std::string const& expected);
    // As above, if the message has something else than the value at the location.
    LINKSPAN_DECL void reject(std::string const& at, std::string const& expected, std::string const& found);

    // As reject(), but not if a problem below `at` was reported, which may be the cause.
    void reject_whole(std::string const& at, std::string const& expected)
    {
        if (std::ranges::none_of(reported_, [&](auto const& reported) { return reported.starts_with(at + "/"); }))
            reject(at, expected);
    }

    // Replaces the begin `from` of the locations of the problems from this number on: they are in a struct that was
    // made from a part of the script.
    LINKSPAN_DECL void relocate(std::size_t first_problem, std::string_view from, std::string_view to);

    // Returns the problems. Valid as long as the vector that the constructor received.
    std::vector<diagnostic>& problems() const noexcept { return problems_; }

private:
    // Returns the value at a location; null: there is none.
    boost::json::value const* value_of(std::string_view at);

    std::string_view json_;                      // set by the constructor
    std::vector<diagnostic>& problems_;          // set by the constructor, extended by reject()
    std::vector<std::string> reported_;          // locations of the problems of the decoded structs, set by add()
    std::optional<boost::json::value> document_; // `json_`, parsed by the first value_of(); null: it is not valid
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/script_problems.ipp>
#endif

#endif
