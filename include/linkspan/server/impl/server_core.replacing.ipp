#ifndef LINKSPAN_SERVER_IMPL_SERVER_CORE_REPLACING_IPP
#define LINKSPAN_SERVER_IMPL_SERVER_CORE_REPLACING_IPP

#include <linkspan/server/detail/server_core.hpp>

#include <cstddef>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// The server handles no request meanwhile, so that no client has a list in which entries are missing.
LINKSPAN_DECL void server_core::replace_entries(std::function<void()> const& fill)
{
    offer others(options_.page_size);
    handler_table tools, resources, prompts;
    decltype(templates_) templates;
    auto const exchange_all = [&] {
        std::swap(offer_, others);
        tools_.swap(tools);
        resources_.swap(resources);
        prompts_.swap(prompts);
        templates_.swap(templates);
    };
    bool const had_tasks = tasks_of_clients_.is_offered;
    bool const is_part_of_another = std::exchange(is_replacing_, true);
    exchange_all();
    try {
        fill();
        subscribers_.prepare(weak_from_this().lock());
    } catch (...) {
        exchange_all();
        tasks_of_clients_.is_offered = had_tasks;
        is_replacing_ = is_part_of_another;
        throw;
    }
    is_replacing_ = is_part_of_another;
    auto const differs = offer_.continue_from(others);
    for (std::size_t list = 0; list != differs.size(); ++list)
        if (differs[list])
            on_changed(static_cast<offer_list>(list));
}

} // namespace linkspan::detail

#endif
