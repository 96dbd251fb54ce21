#ifndef LINKSPAN_CONNECTOR_IMPL_CALL_RUNNER_STORING_IPP
#define LINKSPAN_CONNECTOR_IMPL_CALL_RUNNER_STORING_IPP

#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/core/detail/reused_text.hpp>
#include <linkspan/json/detail/canonical_json.hpp>

#include <new>
#include <optional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the time for which results of a tool are stored; 0: they are not stored.
inline duration result_ttl(server_options const& options, std::string_view tool, replay_class replay)
{
    if (!options.interceptors.empty())
        return {}; // they may change each request
    auto const found = options.tools.find(tool);
    if (found != options.tools.end() && found->second.result_ttl)
        return *found->second.result_ttl;
    return replay == replay_class::read_only ? options.result_ttl : duration();
}

// Returns the key of a result in the store. The canonical arguments contain no NUL character.
inline std::string key_of_result(std::string_view tool, std::string_view arguments)
{
    std::string out;
    out.reserve(tool.size() + 1 + arguments.size());
    ((out += tool) += '\0') += arguments;
    return out;
}

// Sets `stored_arguments_`. Returns false if the result depends on more than the tool and its arguments.
LINKSPAN_DECL bool call_runner::prepare_storing()
{
    if (!stored_arguments_.empty())
        return true;
    if (!request().options().meta.empty() || request().task())
        return false;
    // A server may distinguish 1 and 1.0.
    canonical_style style;
    style.keeps_numbers = true;
    if (append_canonical_text(stored_arguments_, request().arguments(), style))
        return true;
    stored_arguments_.clear();
    return false;
}

// Completes the call if there is a result of one of the candidates. Without memory, the call is sent.
LINKSPAN_DECL bool call_runner::complete_with_stored_result()
{
    std::optional<call_result> found;
    try {
        found = find_stored_result();
    } catch (std::bad_alloc const&) {
        stored_arguments_.clear();
    }
    if (found)
        complete({}, std::move(*found));
    return found.has_value();
}

LINKSPAN_DECL std::optional<call_result> call_runner::find_stored_result()
{
    stored_arguments_.clear();
    if (!request().options().use_stored_results)
        return {};
    auto const& candidates = routing().candidates();
    if (!candidates.is_unlisted()) {
        for (auto const& one : candidates.all())
            if (auto found = find_stored_result(one))
                return found;
        return {};
    }
    for (auto const entry : candidates.group().entries)
        if (auto found = find_stored_result(candidate_of(candidates.tools().tools()[entry])))
            return found;
    return {};
}

LINKSPAN_DECL std::optional<call_result> call_runner::find_stored_result(call_candidate const& candidate)
{
    auto const* const server = owner().server(candidate.server).get();
    if (!server || server->life.state() != server_state::ready ||
        result_ttl(server->options, candidate.tool, candidate.replay) <= duration::zero() || !prepare_storing())
        return {};
    auto& stored = *owner().tool_results();
    result_store::connection const from{server->id, server->life.epoch()};
    auto const* const known = stored.find(from, key_of_result(candidate.tool, stored_arguments_), now());
    if (!known)
        return {};
    return copy_of_stored(*known, *server);
}

// Event: the request of the attempt is about to be sent. Without memory, the result is not stored.
LINKSPAN_DECL void call_runner::begin_storing(call_candidate const& candidate)
try {
    stored_ttl_ = result_ttl(routing().server()->options, candidate.tool, candidate.replay);
    if (stored_ttl_ > duration::zero() && !prepare_storing())
        stored_ttl_ = {};
    sent_ = owner().tool_results()->now();
} catch (std::bad_alloc const&) {
    stored_arguments_.clear();
    stored_ttl_ = {};
}

// Event: the attempt has a result. A result that depends on input is not the result of the arguments alone. Without
// memory, the result is not stored.
LINKSPAN_DECL void call_runner::end_storing(outcome const& result, call_result const& tool_result)
try {
    auto const& server = *routing().server();
    if (stored_ttl_ <= duration::zero() || result.input_requested || tool_result.is_error() ||
        tool_result.type() != "complete" || server.life.state() != server_state::ready)
        return;
    result_store::connection const from{server.id, server.life.epoch()};
    owner().tool_results()->store(from, key_of_result(name, stored_arguments_), tool_result, stored_ttl_, sent_, now());
} catch (std::bad_alloc const&) {
}

} // namespace linkspan::detail

#endif
