#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_MATCHER_READER_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_MATCHER_READER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Translates matchers into JSON Schema, so that one evaluation serves both, with the same limits.
class matcher_reader {
public:
    // A matcher as the schema of the present values that it matches.
    struct part {
        boost::json::value schema = false;
        bool accepts_absent = false;
    };

    explicit matcher_reader(std::vector<diagnostic>& problems) : problems_(problems) {}

    // `at`: location of the definition, as a JSON Pointer.
    LINKSPAN_DECL part read(boost::json::value const& definition, std::string const& at);

    // Returns the names of all matchers.
    LINKSPAN_DECL static std::vector<std::string_view> names();

    // Returns the name of the variable of the outermost matcher `capture`; empty: there is none.
    std::string const& capture() const noexcept { return capture_; }

private:
    using value = boost::json::value;
    using read_type = part (matcher_reader::*)(std::string_view name, value const& operand, std::string const& at);
    struct kind {
        std::string_view name;
        read_type read;
    };
    static std::array<kind, 26> const& kinds();

    part read_members(boost::json::object const& members, std::string const& at);
    part reject(std::string const& at, std::string const& expected, value const& found);
    part equality(std::string_view name, value const& operand, std::string const& at);
    part choice(std::string_view name, value const& operand, std::string const& at);
    part bound(std::string_view name, value const& operand, std::string const& at);
    part range(std::string_view name, value const& operand, std::string const& at);
    part tolerance(std::string_view name, value const& operand, std::string const& at);
    part text(std::string_view name, value const& operand, std::string const& at);
    part length(std::string_view name, value const& operand, std::string const& at);
    part type(std::string_view name, value const& operand, std::string const& at);
    part schema(std::string_view name, value const& operand, std::string const& at);
    part like(std::string_view name, value const& operand, std::string const& at);
    part elements(std::string_view name, value const& operand, std::string const& at);
    part unordered(std::string_view name, value const& operand, std::string const& at);
    part combination(std::string_view name, value const& operand, std::string const& at);
    part negation(std::string_view name, value const& operand, std::string const& at);
    part presence(std::string_view name, value const& operand, std::string const& at);
    part captured(std::string_view name, value const& operand, std::string const& at);

    std::vector<diagnostic>& problems_; // set by the constructor
    std::size_t schemas_ = 0;           // number of the last embedded schema, incremented by schema()
    std::string capture_;               // set by captured()
    std::size_t depth_ = 0; // number of the matchers that contain the next one; changed by read() and like()
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/matcher_reader.ipp>
#endif

#endif
