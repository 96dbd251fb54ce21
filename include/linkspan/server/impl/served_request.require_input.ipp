#ifndef LINKSPAN_SERVER_IMPL_SERVED_REQUEST_REQUIRE_INPUT_IPP
#define LINKSPAN_SERVER_IMPL_SERVED_REQUEST_REQUIRE_INPUT_IPP

#include <linkspan/core/detail/post_handler.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/server/detail/input_check.hpp>
#include <linkspan/server/detail/served_client.hpp>
#include <linkspan/server/detail/served_request.hpp>
#include <linkspan/server/detail/server_core.hpp>

#include <algorithm>
#include <new>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

// Inputs for handlers that run again.
namespace linkspan::inline LINKSPAN_ABI::detail {

inline bool has_repeated_key(std::vector<required_input> const& inputs)
{
    std::set<std::string_view> keys;
    for (auto const& each : inputs)
        if (!keys.insert(each.key).second)
            return true;
    return false;
}

LINKSPAN_DECL bool served_request::require_input(std::vector<required_input> inputs, std::string_view next_state)
{
    auto const fails = [this](std::string_view defect) {
        fail_with_defect(defect);
        return false;
    };
    if (stage_ != stage::running)
        return false;
    if (is_stateless() && !may_require_input())
        return fails("the method cannot require input of the client");
    if (has_repeated_key(inputs))
        return fails("two required inputs have the same key");
    auto const undeclared = std::ranges::find(inputs, false, &required_input::is_declared);
    if (undeclared != inputs.end()) {
        needed_ = undeclared->needed;
        fail(error_code(error::unsupported_input_request));
        return false;
    }
    for (auto const& each : inputs) {
        auto problem = problem_of_params(each.method, each.params);
        if (problem.empty() && server_->options().validate_input)
            problem = problem_of_schema(each.method, each.params);
        if (!problem.empty())
            return fails(problem);
    }
    if (!is_stateless() || is_task()) {
        state = next_state;
        if (inputs.empty()) {
            post_handler(server_->get_executor(), [self = shared_from_this()] { self->run_again(); });
            return true;
        }
        // A round may use the keys of an earlier one, but clients ignore the keys of a task that they have seen before.
        auto const round = is_task() ? '-' + std::to_string(++last_client_request_) : std::string();
        auto const missing = std::make_shared<std::size_t>(inputs.size());
        for (auto& each : inputs) {
            client_request what{std::move(each.method), std::move(each.params), each.needed, true, {}, {}};
            what.has_kind = true;
            what.done = [weak = weak_from_this(), missing, key = each.key](error_code ec, std::string_view result) {
                auto const self = weak.lock();
                if (!self)
                    return;
                try {
                    ec ? self->fail(ec) : self->take_required_input(*missing, key, result);
                } catch (std::bad_alloc const&) { // the input is lost, and no further one follows
                    self->fail(-32603, "Internal error");
                }
            };
            add_client_request(std::move(what), each.key + round);
        }
        return true;
    }
    std::string known, members = R"("resultType":"input_required")";
    object_writer so_far(known);
    for (auto const& [key, value] : inputs_)
        so_far.raw(key, value);
    so_far.close();
    if (!inputs.empty()) {
        object_writer requests(members += R"(,"inputRequests":)");
        for (auto const& each : inputs)
            add_input_request(requests, each.key, each.method, each.params);
        requests.close();
    }
    append_quoted(members += R"(,"requestState":)", server_->waiting().seal(*this, next_state, known));
    complete(members, {.type = true});
    return false;
}

LINKSPAN_DECL void served_request::take_required_input(std::size_t& missing, std::string_view key,
                                                       std::string_view result)
{
    inputs_.insert_or_assign(std::string(key), std::string(result));
    if (--missing == 0)
        run_again();
}

LINKSPAN_DECL void served_request::run_again()
{
    if (!is_over())
        server_->run(shared_from_this());
}

LINKSPAN_DECL void served_request::add_inputs(std::string_view responses)
{
    for (json_scan::reader each(responses); auto const one = each.next();)
        if (auto key = json_scan::string('"' + std::string(one->key) + '"'); key && one->value.starts_with('{'))
            inputs_.insert_or_assign(std::move(*key), std::string(one->value));
}

LINKSPAN_DECL std::string_view served_request::input(std::string_view key) const noexcept
{
    auto const found = inputs_.find(key);
    return found == inputs_.end() ? std::string_view() : std::string_view(found->second);
}

} // namespace linkspan::detail

#endif
