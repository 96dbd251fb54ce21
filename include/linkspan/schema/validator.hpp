#ifndef LINKSPAN_SCHEMA_VALIDATOR_HPP
#define LINKSPAN_SCHEMA_VALIDATOR_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/diagnostic.hpp>
#include <linkspan/schema/schema_options.hpp>
#include <linkspan/schema/schema_verdict.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

namespace detail {

struct compiled_schema;

} // namespace detail

/// Validates JSON values against one JSON Schema, of dialect 2020-12 or draft 7. The schema is compiled once.
///
///     linkspan::schema_validator const check(schema);
///     for (auto const& error : check.validate(value).errors)
///         std::cerr << to_string(error) << '\n';
///
/// Schemas and values are untrusted input: depth, time, memory and size of the result are bounded by `schema_options`,
/// and the validator never fetches a document. `format`, `contentEncoding` and `contentMediaType` are annotations that
/// are not checked. `$schema` may be the URI of a meta-schema in `schema_options::documents`. The member `$vocabulary`
/// of the meta-schema then selects the vocabularies of 2020-12. A schema with an unknown dialect, or with an unknown
/// vocabulary that its meta-schema requires, is rejected.
///
/// \par Thread safety
/// Distinct objects: safe, also copies, which share the compiled schema. Shared objects: safe while no thread assigns
/// to them.
/// \par Specification
/// JSON Schema 2020-12, "Core" and "Validation"; JSON Schema draft 7.
class schema_validator {
public:
    /// Compiles a schema.
    ///
    /// Problems of the schema are not reported by exceptions, but by `ok()` and `problems()`.
    /// \param schema Schema to compile: an object or a boolean.
    /// \param options Dialect, documents and limits.
    /// \par Lifetime
    /// The validator keeps no reference to `schema` and `options`.
    /// \par Exception safety
    /// Throws `std::bad_alloc`.
    LINKSPAN_DECL explicit schema_validator(boost::json::value const& schema, schema_options const& options = {});

    /// Returns true if the schema was compiled: `problems()` contains no error. If false, every value is invalid.
    bool ok() const noexcept { return compiled_ != nullptr; }

    /// Returns the errors and warnings of the compilation, at most 100.
    ///
    /// An error means that the schema is rejected; a warning means that values are not checked against a part of the
    /// schema. `diagnostic::pointer` is the location in the schema, in which keys of more than 128 bytes are truncated;
    /// `diagnostic::subject` is empty.
    std::vector<diagnostic> const& problems() const noexcept { return *problems_; }

    /// Validates a value and explains the errors.
    ///
    /// A valid value takes the same time as with `accepts`. An invalid value is validated a second time to collect the
    /// errors; if the second validation exceeds `schema_options::max_steps`, the verdict has one general error.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    LINKSPAN_DECL schema_verdict validate(boost::json::value const& value) const;

    /// Returns true if a value is valid, without an explanation.
    ///
    /// Returns false if the schema was rejected, or if a limit was reached before the result was known.
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    LINKSPAN_DECL bool accepts(boost::json::value const& value) const;

private:
    std::shared_ptr<detail::compiled_schema const> compiled_; // null if the schema was rejected
    std::shared_ptr<std::vector<diagnostic> const> problems_;
    std::size_t max_depth_, max_steps_, max_errors_; // limits of `schema_options`
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/validator.ipp>
#endif

#endif
