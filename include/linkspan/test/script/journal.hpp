#ifndef LINKSPAN_TEST_SCRIPT_JOURNAL_HPP
#define LINKSPAN_TEST_SCRIPT_JOURNAL_HPP

#include <linkspan/core/time.hpp>

#include <map>
#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

/// A request that a scripted server has received.
struct recorded_request {
    duration time{};        ///< time since the first connection
    std::string id{};       ///< id as JSON text
    std::string method{};   ///< method, for example `tools/call`
    std::string tool{};     ///< called tool; empty if `method` is not `tools/call`
    std::string params{};   ///< `params` as JSON text; empty if absent
    std::string rule{};     ///< name of the selected rule; empty: a rule without a name, or none
    bool has_rule = false;  ///< whether a rule was selected
    bool cancelled = false; ///< whether the client has cancelled the request or ended its connection
    std::map<std::string, std::string> states{}; ///< states of the scenarios before the changes of the rule
};

/// Requests in the order in which they were received.
using journal = std::vector<recorded_request>;

} // namespace linkspan::test

#endif
