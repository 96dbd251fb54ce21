#ifndef LINKSPAN_CONFIG_DETAIL_TOML_TEXT_HPP
#define LINKSPAN_CONFIG_DETAIL_TOML_TEXT_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/json/value.hpp>

#include <stdexcept>
#include <string_view>

namespace linkspan::detail {

// The text is no TOML; the message names the line.
struct toml_error : std::runtime_error {
    using runtime_error::runtime_error;
};

// A TOML 1.0 document as an object. A date or time becomes the string that it is written as; which dates exist is not
// checked. Throws `toml_error`.
LINKSPAN_DECL boost::json::value read_toml(std::string_view text);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/toml_text.ipp>
#endif

#endif
