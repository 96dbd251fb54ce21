#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_JSON_TEMPLATE_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_JSON_TEMPLATE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>
#include <linkspan/test/script.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// A JSON value whose strings may contain expressions, which are evaluated for each request:
// `${params.arguments.city}`, `${vars.n}`, `${method}`, `${tool}`, `${id}`, `${now}`, `${uuid}`, `${rand.int(1,9)}`;
// `$${` is the text `${`.
//
// A string that is one expression becomes the value of the expression, with its type; in other strings, the text of a
// string or the JSON text of another value replaces the expression. An expression without a value becomes null, or an
// empty text.
class json_template {
public:
    json_template() = default;

    // Copies the value. Adds a problem for each expression that is not one of the above. `at`: location of the value.
    LINKSPAN_DECL static json_template read(boost::json::value const& value, std::string const& at,
                                            std::vector<diagnostic>& problems);

    // As above, for the members of a result. The value of an expression is converted to a text where the specification
    // requires one, such as in the member `text` of an element of `content`.
    LINKSPAN_DECL static json_template read_result(boost::json::object const& members, std::string const& at,
                                                   std::vector<diagnostic>& problems);

    // Returns whether the value contains no expression.
    bool is_constant() const noexcept { return is_constant_; }

    LINKSPAN_DECL boost::json::value expand(exchange& on) const;

    // Returns the characters of the expanded value if it is a string, else its JSON text.
    LINKSPAN_DECL std::string characters(exchange& on) const;

    // Returns the expanded value as JSON text.
    LINKSPAN_DECL std::string text(exchange& on) const;

private:
    boost::json::value value_; // set by read()
    bool is_constant_ = true;  // set by read(): the value contains no expression
    bool is_result_ = false;   // set by read_result()
    std::string path_;         // set by read(), if the value is one expression `params...`; else empty
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/json_template.ipp>
#endif

#endif
