#ifndef LINKSPAN_CORE_DETAIL_EXCEPTION_TEXT_HPP
#define LINKSPAN_CORE_DETAIL_EXCEPTION_TEXT_HPP

#include <linkspan/core/detail/config.hpp>

#include <exception>
#include <string>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the text of the exception that is being handled. Precondition: called within a `catch` block.
inline std::string exception_text()
try {
    throw;
} catch (std::exception const& failure) {
    return failure.what();
} catch (...) {
    return "an exception was thrown that is not derived from std::exception";
}

} // namespace linkspan::detail

#endif
