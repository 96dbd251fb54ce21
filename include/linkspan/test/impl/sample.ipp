#ifndef LINKSPAN_TEST_IMPL_SAMPLE_IPP
#define LINKSPAN_TEST_IMPL_SAMPLE_IPP

#include <linkspan/test/sample.hpp>
#include <linkspan/test/sample/sample_source.hpp>

namespace linkspan::inline LINKSPAN_ABI::test {

LINKSPAN_DECL sampler::sampler(boost::json::value const& schema, std::uint64_t seed, schema_options const& options,
                               sample_limits const& limits)
    : source_(std::make_unique<sample_source>(schema, seed, options, limits))
{}

LINKSPAN_DECL sampler::sampler(sampler&& other) noexcept = default;
LINKSPAN_DECL sampler& sampler::operator=(sampler&& other) noexcept = default;
LINKSPAN_DECL sampler::~sampler() = default;

LINKSPAN_DECL std::optional<boost::json::value> sampler::next() { return source_->next(); }

LINKSPAN_DECL std::string const& sampler::reason() const noexcept { return source_->reason(); }

} // namespace linkspan::test

#endif
