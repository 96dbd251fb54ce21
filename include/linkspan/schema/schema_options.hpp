#ifndef LINKSPAN_SCHEMA_SCHEMA_OPTIONS_HPP
#define LINKSPAN_SCHEMA_SCHEMA_OPTIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/schema/schema_dialect.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace linkspan::inline LINKSPAN_ABI {

/// Options and limits of a `schema_validator`.
///
/// Schemas and values are untrusted input. The limits bound the stack, the time and the memory of the validation.
struct schema_options {
    /// Dialect of schemas without `$schema`. Default: 2020-12.
    schema_dialect dialect = schema_dialect::draft_2020_12;

    /// Documents that schemas may refer to, for example meta-schemas. The key is the URI of the document. Default:
    /// none.
    ///
    /// The validator never fetches documents. A reference to a document that is not in this map is an error.
    std::map<std::string, boost::json::value, std::less<>> documents{};

    /// True if a pattern that `schema_pattern` does not support is an error. Default: false.
    ///
    /// If false, the validator reports a warning, and does not match values against the pattern. A malformed pattern is
    /// always an error.
    bool rejects_unsupported_patterns = false;

    /// Maximum number of nested schemas, both in the text of a schema and during the validation of a value. A schema
    /// that exceeds the limit is rejected; a value that exceeds it is invalid. Default: 512.
    ///
    /// The limit bounds the size of the stack: a depth of 512 needs less than 512 KiB in an optimized build.
    std::size_t max_depth = 512;

    /// Maximum number of steps for the validation of one value. A value that exceeds the limit is invalid. Default:
    /// 10,000,000, which take some tenths of a second.
    ///
    /// A step is the application of a schema, a comparison of values, a state of a pattern, or the reading of 64 bytes
    /// of text.
    std::size_t max_steps = 10'000'000;

    /// Maximum number of errors in one verdict. Default: 32. The validation ends at the limit. 0: the verdict of an
    /// invalid value has one general error.
    std::size_t max_errors = 32;

    /// Maximum size of a compiled schema including temporary data, approximately in bytes. Default: 64 MiB.
    ///
    /// The limit bounds the memory and the time of the compilation. A schema that exceeds the limit is rejected.
    /// Schemas of real tools need 1 to 10 times the size of their text.
    std::size_t max_compiled_size = std::size_t{1} << 26;
};

} // namespace linkspan

#endif
