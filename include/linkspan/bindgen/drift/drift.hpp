#ifndef LINKSPAN_BINDGEN_DRIFT_DRIFT_HPP
#define LINKSPAN_BINDGEN_DRIFT_DRIFT_HPP

#include <linkspan/bindgen/drift/difference.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/tool.hpp>

#include <vector>

namespace linkspan::bindgen {

/// Compares tools by what they mean, in the order of their names. What schemas of arguments take, and what those of
/// results may give, is looked at from the caller's side: arguments may take more, results may give more members. The
/// order of keys, `$ref` or its target in place, `"type":["x"]` or `"type":"x"`, and `true` or `{}` make no difference.
///
/// It is bounded: schemas that take more than some hundred thousand steps differ in what cannot be compared.
LINKSPAN_DECL std::vector<difference> compare_tools(std::vector<tool> const& then, std::vector<tool> const& now);

} // namespace linkspan::bindgen

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/bindgen/drift/impl/drift.ipp>
#endif

#endif
