#ifndef LINKSPAN_CONFIG_DETAIL_TOML_TEXT_HPP
#define LINKSPAN_CONFIG_DETAIL_TOML_TEXT_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/json/value.hpp>

#include <stdexcept>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Thrown if a text is not TOML. The message contains the line number.
struct toml_error : std::runtime_error {
    using runtime_error::runtime_error;
};

// Reads a TOML 1.0 document as an object. A date or time becomes the string in which it is written, without a check
// whether the date exists. Throws `toml_error`.
LINKSPAN_DECL boost::json::value read_toml(std::string_view text);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/toml_text.ipp>
#endif

#endif
