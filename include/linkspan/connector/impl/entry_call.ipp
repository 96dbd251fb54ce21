#ifndef LINKSPAN_CONNECTOR_IMPL_ENTRY_CALL_IPP
#define LINKSPAN_CONNECTOR_IMPL_ENTRY_CALL_IPP

#include <linkspan/connector/detail/call_runner.hpp>
#include <linkspan/connector/detail/connector_entries.hpp>
#include <linkspan/connector/detail/entry_call.hpp>
#include <linkspan/core/detail/append_quoted.hpp>
#include <linkspan/core/similar_names.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL entry_call::pointer entry_call::prepare(core_pointer const& owner, std::string_view entry, bool is_prompt)
{
    auto& call = entries_of(*owner).calls.acquire();
    pointer out(&call, call_deleter{owner});
    call.assign(owner);
    call.request().reset({}, entry);
    call.is_prompt_ = is_prompt;
    call.has_requested_ = false;
    call.step_ = call.missing_ = 0;
    call.arguments_.clear();
    return out;
}

LINKSPAN_DECL entry_call::pointer entry_call::prepare_read(core_pointer const& owner, std::string_view uri)
{
    return prepare(owner, uri, false);
}

LINKSPAN_DECL entry_call::pointer entry_call::prepare_prompt(core_pointer const& owner, std::string_view prompt,
                                                             argument_values const& arguments)
{
    auto out = prepare(owner, prompt, true);
    auto& text = static_cast<entry_call&>(*out).arguments_;
    char separator = '{';
    for (auto const& [key, value] : arguments) {
        append_quoted(text += std::exchange(separator, ','), key);
        append_quoted(text += ':', value);
    }
    if (!text.empty())
        text += '}';
    return out;
}

LINKSPAN_DECL void entry_call::start(pointer call, handler_type handler)
{
    auto const here = call.get_deleter().owner->enter();
    auto& self = static_cast<entry_call&>(*call.release());
    self.begin(std::move(handler));
    self.resolve();
    self.on_initiated();
}

// The options are destroyed after the object is free, as those of `call_runner`.
LINKSPAN_DECL void entry_call::recycle(connector_core& owner) noexcept
{
    routing().clear();
    lists_.clear();
    auto const given = release();
    owner.entries()->calls.release(*this);
}

LINKSPAN_DECL entry_lister& entry_call::lister() const { return entries_of(owner()).lister; }

LINKSPAN_DECL result_store& entry_call::stored() const { return entries_of(owner()).stored; }

// `_meta` may change the result.
LINKSPAN_DECL bool entry_call::uses_stored_results() const
{
    return !is_prompt_ && stored().max_bytes() != 0 && request().options().meta.empty();
}

LINKSPAN_DECL bool entry_call::complete_with_stored_result()
{
    if (!request().options().use_stored_results)
        return false;
    for (auto const& one : routing().candidates().all()) {
        auto const& server = *owner().server(one.server);
        auto const& life = server.life;
        if (life.state() != server_state::ready)
            continue; // the connection was lost
        result_store::connection const from{one.server, life.epoch()};
        if (auto const* const known = stored().find(from, request().tool(), now())) {
            complete({}, copy_of_stored(*known, server));
            return true;
        }
    }
    return false;
}

// Look-up

LINKSPAN_DECL entry_call::step entry_call::step_at(std::size_t number) const noexcept
{
    using demand = entry_lister::demand;
    constexpr std::array demands{demand::missing, demand::stale, demand::lazy};
    if (is_prompt_)
        return {entry_kind::prompts, demands[number]};
    return {number % 2 == 0 ? entry_kind::resources : entry_kind::templates, demands[number / 2]};
}

LINKSPAN_DECL void entry_call::resolve()
{
    if (owner().epoch().is_closed())
        return fail(error::not_connected, {});
    for (; !is_last(step_); ++step_, has_requested_ = false) {
        // A server that does not list its entries does not delay requests for entries of other servers.
        if (!look_up()) {
            if (!std::exchange(has_requested_, true) && awaits_lists(step_at(step_)))
                return;
            continue;
        }
        if (is_ambiguous())
            return fail_ambiguous();
        if (uses_stored_results() && complete_with_stored_result())
            return;
        return begin_attempts(is_prompt_ ? "prompts/get" : "resources/read", routing().candidates().all().front().tool);
    }
    fail_unknown();
}

// Requests the lists of a step. Returns false if there is nothing to wait for.
LINKSPAN_DECL bool entry_call::awaits_lists(step const& wanted)
{
    auto on_listed = later([this] {
        resume();
        resolve();
    });
    auto const share =
        request().options().attempt_share.value_or(owner().policies().attempt_share(certainty::not_sent));
    // One server that does not respond must not use the whole time of the request.
    bool const has_others = owner().servers().order().size() > 1;
    auto const due = has_others && share < 1 ? now() + share_of(deadline - now(), share) : deadline;
    if (!pause(pause_reason::resolving, std::min(due, deadline)))
        return true; // the request was cancelled
    if (lister().request_lists(wanted.kind, wanted.which, 0, std::move(on_listed)))
        return true;
    resume();
    return false;
}

// A template that `uri_template` does not accept matches the URIs that begin with the text before its first variable.
inline bool matches(resource_template const& listed, std::optional<uri_template> const& parsed, std::string_view uri)
{
    if (parsed)
        return parsed->match(uri).has_value();
    auto const prefix = std::string_view(listed.uri_template).substr(0, listed.uri_template.find('{'));
    return !prefix.empty() && uri.starts_with(prefix);
}

// Returns whether two prompts have the same names of arguments, so that servers with these prompts are interchangeable.
inline bool has_same_arguments(prompt const& a, prompt const& b)
{
    auto const is_same = [](prompt_argument const& one, prompt_argument const& other) {
        return one.name == other.name && one.required == other.required;
    };
    return std::ranges::equal(a.arguments, b.arguments, is_same);
}

// Returns the name of the entry on a server that has it; empty: the list does not have it.
LINKSPAN_DECL std::string_view entry_call::find_in(listed_entries const& of, std::string_view server) const
{
    std::string_view const wanted = request().tool();
    if (auto const* const list = std::get_if<resource_list>(&of.list))
        return std::ranges::find(list->entries, wanted, &resource::uri) != list->entries.end() ? wanted
                                                                                               : std::string_view();
    if (auto const* const list = std::get_if<prompt_list>(&of.list)) {
        auto const is_wanted = [&](prompt const& one) {
            return one.name == wanted || owner().policies().expose(server, one.name) == wanted;
        };
        auto const found = std::ranges::find_if(list->entries, is_wanted);
        return found != list->entries.end() ? std::string_view(found->name) : std::string_view();
    }
    auto const& list = std::get<resource_template_list>(of.list);
    for (std::size_t i = 0; i != list.entries.size(); ++i)
        if (matches(list.entries[i], of.templates[i], wanted))
            return wanted;
    return {};
}

// Sets the servers whose last list has the entry as candidates. Returns whether there are any.
LINKSPAN_DECL bool entry_call::find_candidates(entry_kind kind)
{
    std::vector<call_candidate> found;
    lists_.clear();
    for (auto const& server : owner().servers().order()) {
        auto list = lister().find(*server, kind);
        auto const entry = list ? find_in(*list, server->key) : std::string_view();
        if (entry.empty())
            continue;
        found.push_back({server->id, entry, replay_class::read_only, false, false});
        lists_.push_back(std::move(list));
    }
    routing().candidates().assign(std::move(found));
    return !lists_.empty();
}

// Returns whether the candidates have different prompts. A URI identifies a resource, so that all servers with the URI
// are interchangeable.
LINKSPAN_DECL bool entry_call::is_ambiguous() const
{
    if (!is_prompt_ || lists_.size() < 2)
        return false;
    auto const candidates = routing().candidates().all();
    auto const prompt_of = [&](std::size_t i) -> prompt const& {
        return *std::ranges::find(std::get<prompt_list>(lists_[i]->list).entries, candidates[i].tool, &prompt::name);
    };
    for (std::size_t i = 1; i != lists_.size(); ++i)
        if (!has_same_arguments(prompt_of(0), prompt_of(i)))
            return true;
    return false;
}

// Looks the entry up in the known lists, and requests those that are stale or missing. A listed URI takes precedence
// over templates.
LINKSPAN_DECL bool entry_call::look_up()
{
    auto const kind = is_prompt_ ? entry_kind::prompts : entry_kind::resources;
    bool const is_listed = find_candidates(kind);
    if (!is_listed && (is_prompt_ || !find_candidates(entry_kind::templates)))
        return false;
    lister().refresh(kind);
    if (!is_listed)
        lister().refresh(entry_kind::templates);
    return true;
}

LINKSPAN_DECL void entry_call::fail_ambiguous()
{
    auto text = "prompt '" + request().tool() + "' is ambiguous; expected one of ";
    auto const candidates = routing().candidates().all();
    for (auto const& one : candidates) {
        auto const& key = owner().server(one.server)->key;
        auto const exposed = owner().policies().expose(key, one.tool);
        text += &one == &candidates.front() ? "" : ", ";
        text += exposed.empty() || exposed == one.tool ? std::string(one.tool) + " on " + key : exposed;
    }
    fail(error::ambiguous_prompt, std::move(text));
}

LINKSPAN_DECL void entry_call::fail_unknown()
{
    auto const kind = step_at(0).kind;
    std::vector<std::string> names;
    std::string searched, failed_ones;
    for (auto const& server : owner().servers().order()) {
        auto const list = lister().find(*server, kind);
        auto const phase = server->life.state();
        bool const is_failed =
            phase == server_state::ready
                ? entry_lister::offers(*server, kind)
                : phase == server_state::opening || (server->life.is_down() && phase != server_state::disabled);
        if (!list && is_failed)
            (failed_ones += failed_ones.empty() ? "" : ", ") += server->key;
        if (!list)
            continue;
        (searched += searched.empty() ? "" : ", ") += server->key;
        if (auto const* const prompts = std::get_if<prompt_list>(&list->list))
            for (auto const& one : prompts->entries)
                names.push_back(one.name);
        if (auto const* const resources = std::get_if<resource_list>(&list->list))
            for (auto const& one : resources->entries)
                names.push_back(one.uri);
    }
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    constexpr std::size_t max_names = 3;
    auto text = (is_prompt_ ? "prompt '" : "resource '") + request().tool() + '\'';
    auto const similar = similar_names(request().tool(), names, max_names);
    for (auto const& one : similar)
        (text += &one == &similar.front() ? "; similar names: " : ", ") += one;
    text += "; searched: " + (searched.empty() ? "none" : searched);
    if (!failed_ones.empty())
        text += "; without a list: " + failed_ones;
    bool const is_unreachable = searched.empty() && !failed_ones.empty();
    fail(is_unreachable ? error::all_servers_failed : error::entry_not_found, std::move(text));
}

// Attempts

LINKSPAN_DECL void entry_call::prepare_request()
{
    auto const candidates = routing().candidates().all();
    name = std::ranges::find(candidates, routing().server()->id, &call_candidate::server)->tool;
    params_ = is_prompt_ ? R"("name":)" : R"("uri":)";
    append_quoted(params_, name);
    if (!arguments_.empty())
        (params_ += R"(,"arguments":)") += arguments_;
    params = params_;
    sent_.reset();
    if (uses_stored_results()) {
        lister().watch_updates(*routing().server());
        sent_ = stored().now();
    }
    began = now();
    set_timeouts(replay_class::read_only);
    static_cast<void>(send_request());
}

LINKSPAN_DECL void entry_call::finish_attempt(outcome result, call_result&& value, std::string&& detail,
                                              std::string_view, std::string_view data)
{
    auto& server = *routing().server();
    mark_repeated(result);
    owner().prober().record(server, result, now());
    if (owner().policies().observes_attempts())
        observe(result, false);
    if (!result.ec) {
        // A result that depends on input is not the result of the parameters alone.
        if (sent_ && !result.input_requested && uses_stored_results())
            stored().store({server.id, server.life.epoch()}, request().tool(), value, *sent_, now());
        return complete_with(result, std::move(value));
    }
    trail().add_attempt(server.key, id(), result, server.redacted(detail), server.redacted(data));
    if (result.ec == asio::error::operation_aborted && was_closed())
        return fail(result.ec, {});
    if (is_missing(result.ec)) {
        if (std::holds_alternative<resource_list>(lists_.front()->list)) // else a template matches more URIs than exist
            lister().on_entry_missing(server, entry_kind::resources);
        if (++missing_ < routing().candidates().all().size())
            trail().on_tool_missing(); // another server may have the resource
    }
    on_outcome(outcome(trail().last().result));
}

// Returns whether the server does not have the resource, although its list or a template has.
LINKSPAN_DECL bool entry_call::is_missing(error_code ec) const
{
    if (is_prompt_ || ec.category() != rpc_category())
        return false;
    return ec.value() == -32002 || (ec.value() == -32602 && routing().server()->session->is_stateless());
}

LINKSPAN_DECL void entry_call::on_due(pause_reason why)
{
    switch (why) {
    case pause_reason::connecting: return on_connecting_due();
    case pause_reason::waiting: return act(routing().on_waited(owner(), view()));
    default: break;
    }
    if (now() < deadline)
        return resolve(); // searches the lists that are received so far
    auto const limit = std::chrono::duration_cast<std::chrono::milliseconds>(timeout).count();
    fail(error::deadline_exceeded, "the servers did not list their entries within the timeout of the request, " +
                                       std::to_string(limit) + " ms; raise call_options::timeout");
}

LINKSPAN_DECL void entry_call::on_cancelled(bool is_attempting)
{
    if (!is_attempting)
        return;
    advance();
    auto cancelled = outcome_at_end(certainty::not_sent, asio::error::operation_aborted);
    cancelled.certainty = routing().server()->session->cancel(*this, "cancelled");
    record_cancelled(cancelled);
}

} // namespace linkspan::detail

#endif
