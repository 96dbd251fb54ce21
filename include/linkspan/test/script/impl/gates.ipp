#ifndef LINKSPAN_TEST_SCRIPT_IMPL_GATES_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_GATES_IPP

#include <linkspan/test/script/gates.hpp>

#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

LINKSPAN_DECL void gates::open(std::string_view name)
{
    auto const place = all_.try_emplace(std::string(name)).first;
    if (std::exchange(place->second.is_open, true))
        return;
    if (on_opened_)
        on_opened_(place->first);
    // Each continuation may cancel other exchanges, whose waits are then removed.
    auto& waits = place->second.waits;
    while (!waits.empty()) {
        auto const next = std::move(waits.front().next);
        waits.erase(waits.begin());
        next();
    }
}

LINKSPAN_DECL void gates::wait(std::string_view name, exchange const& waiting, std::function<void()> next)
{
    auto& gate = all_.try_emplace(std::string(name)).first->second;
    if (gate.is_open && gate.waits.empty())
        next();
    else
        gate.waits.push_back({&waiting, std::move(next)});
}

LINKSPAN_DECL void gates::forget(exchange const& waiting)
{
    for (auto& [name, gate] : all_)
        std::erase_if(gate.waits, [&](wait_entry const& one) { return one.waiting == &waiting; });
}

LINKSPAN_DECL void gates::list_waiting(std::vector<std::string>& out, std::string_view server) const
{
    for (auto const& [name, gate] : all_)
        if (!gate.waits.empty())
            out.push_back(std::string(server) + ": " + std::to_string(gate.waits.size()) +
                          (gate.waits.size() == 1 ? " action waits" : " actions wait") + " at the gate " + name);
}

} // namespace linkspan::test

#endif
