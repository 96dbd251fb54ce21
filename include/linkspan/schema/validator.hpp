#ifndef LINKSPAN_SCHEMA_VALIDATOR_HPP
#define LINKSPAN_SCHEMA_VALIDATOR_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/schema/schema_options.hpp>
#include <linkspan/schema/schema_verdict.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace linkspan {

namespace detail {

struct compiled_schema;

} // namespace detail

/// A JSON Schema of draft 2020-12 or draft 7, compiled once to check many values:
///
///     linkspan::schema_validator const check(schema);
///     for (auto const& error : check.validate(value).errors) ...
///
/// Schema and values may come from anybody: depth, time, memory and size of the answer are bounded, and nothing
/// is fetched. `format` and `content...` are annotations. Dialects of own meta-schemas work if these are among the
/// documents; one that requires an unknown vocabulary is refused by name, as an unknown dialect is.
///
/// Thread safety: immutable; copies share what was compiled.
///
/// Specification: JSON Schema 2020-12, "Core" and "Validation"; draft 7.
class schema_validator {
public:
    /// Never throws for what a schema says: see `problems()`. Neither `schema` nor `options.documents` are kept.
    LINKSPAN_DECL explicit schema_validator(boost::json::value const& schema, schema_options const& options = {});

    /// False when there is an error among the problems. Then no value is valid.
    bool ok() const noexcept { return compiled_ != nullptr; }

    std::vector<schema_problem> const& problems() const noexcept { return *problems_; }

    LINKSPAN_DECL schema_verdict validate(boost::json::value const& value) const;

    /// Just whether it is valid.
    LINKSPAN_DECL bool accepts(boost::json::value const& value) const;

private:
    std::shared_ptr<detail::compiled_schema const> compiled_; // null: there are errors
    std::shared_ptr<std::vector<schema_problem> const> problems_;
    std::size_t max_depth_, max_steps_, max_errors_;
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/validator.ipp>
#endif

#endif
