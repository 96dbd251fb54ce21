#ifndef LINKSPAN_SESSION_IMPL_SESSION_OPTIONS_IPP
#define LINKSPAN_SESSION_IMPL_SESSION_OPTIONS_IPP

#include <linkspan/json/detail/json_fault.hpp>
#include <linkspan/session/session_options.hpp>

#include <stdexcept>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL session_options::session_options() = default;
LINKSPAN_DECL session_options::session_options(session_options const&) = default;
LINKSPAN_DECL session_options::session_options(session_options&&) noexcept = default;
LINKSPAN_DECL session_options& session_options::operator=(session_options const&) = default;
LINKSPAN_DECL session_options& session_options::operator=(session_options&&) noexcept = default;
LINKSPAN_DECL session_options::~session_options() = default;

namespace detail {

LINKSPAN_DECL void check(session_options const& options, std::string_view owner)
{
    auto const reject = [owner](std::string const& option, std::string const& fault) {
        throw std::invalid_argument("linkspan: the " + option + " of " + std::string(owner) + ' ' + fault);
    };
    if (options.max_in_flight == 0) // all requests would be queued until their timeouts
        reject("max_in_flight", "is 0, expected at least 1");
    if (options.extensions.empty())
        return;
    if (auto const problem = problem_of_arguments(options.extensions); !problem.empty())
        reject("extensions", "are not a JSON object: " + problem);
}

} // namespace detail
} // namespace linkspan

#endif
