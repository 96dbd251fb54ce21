#ifndef LINKSPAN_TEST_SAMPLE_HPP
#define LINKSPAN_TEST_SAMPLE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/schema/schema_options.hpp>
#include <linkspan/test/sample/sample_limits.hpp>

#include <boost/json/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace linkspan::test {

class sample_source;

/// Values that a JSON Schema of draft 2020-12 or draft 7 accepts, made up; each was checked with `schema_validator`.
///
///     linkspan::test::sampler arguments(tool.input_schema, seed);
///     for (int i = 0; i != 20; ++i)
///         if (auto const value = arguments.next())
///             ...
///         else
///             FAIL(arguments.reason());
///
/// The first one is small: only what must be there, and of each union the branch that takes least. Those that follow
/// are varied: optional members come and go, extra ones too where the schema is open; each branch of a union and each
/// value of an enumeration has its turn; numbers and sizes are at their bounds, just within, and between; integers are
/// at the limits of 53 and 64 bits; texts have quotes, controls and all of Unicode. Patterns and formats are obeyed,
/// the latter as long as sizes and patterns allow it. What is not regular is found by trial: `not`, `oneOf`, `if`.
///
/// The same schema, limits and seed give the same values on every machine. Schemas may come from anybody: each call ends
/// within the limits.
///
/// Thread safety: one thread at a time.
class sampler {
public:
    /// Keeps a copy of the schema. Never throws for what it says: see `reason()`.
    LINKSPAN_DECL explicit sampler(boost::json::value const& schema, std::uint64_t seed = 0,
                                   schema_options const& options = {}, sample_limits const& limits = {});
    LINKSPAN_DECL sampler(sampler&& other) noexcept;
    LINKSPAN_DECL sampler& operator=(sampler&& other) noexcept;
    LINKSPAN_DECL ~sampler();

    /// Nothing when the schema is broken, or when no value was found within the limits: see `reason()`. Values seem to
    /// go on for ever, and may come again.
    LINKSPAN_DECL std::optional<boost::json::value> next();

    /// Why the last `next()` gave nothing; empty when it gave something.
    LINKSPAN_DECL std::string const& reason() const noexcept;

private:
    std::unique_ptr<sample_source> source_;
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/sample.ipp>
#endif

#endif
