#ifndef LINKSPAN_TEST_SCRIPT_JOURNAL_HPP
#define LINKSPAN_TEST_SCRIPT_JOURNAL_HPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/test/script/exchange.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

namespace detail {

// Returns the value of the first field with this name, ignoring the case of letters; null: there is none.
inline std::string const* find_header(header_fields const& in, std::string_view name)
{
    auto const is_named = [&](auto const& field) { return linkspan::detail::equal_ignoring_case(field.first, name); };
    auto const found = std::ranges::find_if(in, is_named);
    return found == in.end() ? nullptr : &found->second;
}

} // namespace detail

/// A request that a scripted server has received.
struct recorded_request {
    duration time{};        ///< time since the first connection
    std::string id{};       ///< id as JSON text
    std::string method{};   ///< method, for example `tools/call`
    std::string tool{};     ///< called tool; empty if `method` is not `tools/call`
    std::string params{};   ///< `params` as JSON text; empty if absent
    std::string message{};  ///< the whole message as JSON text
    std::string rule{};     ///< name of the selected rule; empty: a rule without a name, or none
    bool has_rule = false;  ///< whether a rule was selected
    bool cancelled = false; ///< whether the client has cancelled the request or ended its connection
    std::map<std::string, std::string> states{}; ///< states of the scenarios before the changes of the rule

    /// Names and values of the header fields of the HTTP request, as they were received. Empty for other transports.
    header_fields headers{};

    /// Returns the value of the first header field with this name, ignoring the case of letters. Null: there is none.
    std::string const* header(std::string_view name) const { return detail::find_header(headers, name); }
};

/// Requests in the order in which they were received.
using journal = std::vector<recorded_request>;

/// Returns the text of `scripted_server::nearest_rule` for the request with this index in a journal.
using nearest_rule_function = std::function<std::string(std::size_t index)>;

} // namespace linkspan::test

#endif
