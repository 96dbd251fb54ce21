#ifndef LINKSPAN_TEST_SAMPLE_HPP
#define LINKSPAN_TEST_SAMPLE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/mismatch.hpp>
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/schema/schema_options.hpp>
#include <linkspan/test/sample/sample_limits.hpp>

#include <boost/json/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace linkspan::inline LINKSPAN_ABI::test {

class sample_source;

/// A generator of values that are valid for a JSON Schema of draft 2020-12 or draft 7, for tests of tools.
///
/// Each returned value has been validated with `schema_validator`.
///
///     linkspan::test::sampler arguments(boost::json::parse(tool.input_schema), seed);
///     for (int i = 0; i != 20; ++i)
///         if (auto const value = arguments.next())
///             ...
///         else
///             FAIL(arguments.reason());
///
/// The first value is small: it has only the required members, and the branch with the smallest value of each union
/// (`anyOf`, `oneOf`). Later values vary:
/// - optional members are present or absent, and additional members are present where the schema permits them;
/// - the branches of a union and the values of an enumeration are used in turn;
/// - numbers and sizes are at their bounds, next to them, and between them; integers also at the limits of 53 and 64
///   bits;
/// - texts contain quotes, control characters and characters from all of Unicode.
///
/// Values match the patterns of the schema. They match its formats where sizes and patterns permit that. For the
/// keywords `not`, `oneOf` and `if`, values are generated and validated until one is valid.
///
/// The sequence of values depends on the schema, the options, the limits and the seed only. Schemas from untrusted
/// sources are permitted: each call completes within the limits.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// JSON Schema 2020-12 and draft 7, "Core" and "Validation".
class sampler {
public:
    /// Makes a generator for `schema`, which is copied.
    ///
    /// The constructor does not throw for an invalid schema: `next()` then returns no value, and `reason()` returns the
    /// problem.
    ///
    /// \param schema A boolean or object schema.
    /// \param seed Seed of the pseudorandom choices. Default: 0.
    /// \param options Dialect, referenced documents and limits of the schema.
    /// \param limits Limits of the generation of one value.
    LINKSPAN_DECL explicit sampler(boost::json::value const& schema, std::uint64_t seed = 0,
                                   schema_options const& options = {}, sample_limits const& limits = {});
    /// Moves the generator. `other` may only be assigned to or destroyed afterwards.
    LINKSPAN_DECL sampler(sampler&& other) noexcept;
    /// Replaces the generator by `other`, which may only be assigned to or destroyed afterwards.
    LINKSPAN_DECL sampler& operator=(sampler&& other) noexcept;
    LINKSPAN_DECL ~sampler();

    /// Returns the next value.
    ///
    /// The sequence has no end, and a value may occur more than once.
    ///
    /// \returns Empty if the schema is invalid or no value was found within the limits; `reason()` then returns the
    /// cause.
    LINKSPAN_DECL std::optional<boost::json::value> next();

    /// Returns the reason why the last call of `next()` returned no value; empty if it returned a value.
    LINKSPAN_DECL std::string const& reason() const noexcept;

private:
    std::unique_ptr<sample_source> source_;
};

/// Returns a pseudorandom value of a described type, which depends on the seed only.
///
///     auto const request = sample<forecast_request>(7); // the same value in each run
///
/// The value satisfies the constraints of the notes. A `sampler` makes the value for the schema of the type, and
/// `decode` reads it; values that do not fit into the type, such as an integer of 64 bits in an `int`, are skipped.
/// Members that the type does not describe are ignored.
///
/// \tparam T A default-constructible type whose schema describes an object: see `schema_of`.
/// \param seed Seed. For a multiple of 16, the value is small: it has only the required members.
/// \throws std::runtime_error No value was found within the limits of the sampler; the text contains the cause.
/// \par Thread safety
/// Safe.
template<class T>
T sample(std::uint64_t seed)
{
    constexpr int attempts = 256; // of values that do not fit into the type
    sampler source(schema_of<T>(), seed);
    std::string problem;
    auto skipped = seed % 16; // the first value of a sampler is small, and later values vary
    for (int attempt = 0; attempt != attempts; ++attempt) {
        auto const value = source.next();
        if (!value)
            throw std::runtime_error("linkspan: no sample: " + source.reason());
        if (skipped != 0) {
            --skipped;
            continue;
        }
        T out{};
        mismatches problems;
        if (decode(out, *value, problems))
            return out;
        problem = to_string(problems);
    }
    throw std::runtime_error("linkspan: no sample fits into the type: " + problem);
}

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/sample.ipp>
#endif

#endif
