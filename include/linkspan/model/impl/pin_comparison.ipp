#ifndef LINKSPAN_MODEL_IMPL_PIN_COMPARISON_IPP
#define LINKSPAN_MODEL_IMPL_PIN_COMPARISON_IPP

#include <linkspan/model/pin_comparison.hpp>

#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Names of the pins, for `name_table`.
struct name_of_pin {
    std::span<tool_pin const> pins;

    std::string_view operator()(std::uint32_t index) const noexcept { return pins[index].tool; }
};

LINKSPAN_DECL pin_comparison::pin_comparison(std::span<tool_pin const> pins) : pins_(pins), compared_(pins.size())
{
    name_of_pin const name_of{pins_};
    last_.reserve(pins.size());
    for (std::uint32_t i = 0; i != pins.size(); ++i) {
        auto const hash = name_table::hash_of(pins[i].tool);
        compared_[i].next = last_.add(pins[i].tool, hash, i, name_of);
        if (compared_[i].next != none)
            last_.replace(pins[i].tool, hash, i, name_of);
    }
}

inline std::uint32_t pin_comparison::find(std::string_view tool) const
{
    return last_.find(tool, name_table::hash_of(tool), name_of_pin{pins_});
}

LINKSPAN_DECL void pin_comparison::add(tool const& tool)
{
    auto i = find(tool.name);
    if (i == none)
        return;
    auto const fingerprint = schema_fingerprint(tool);
    for (; i != none; i = compared_[i].next)
        if (auto& pin = compared_[i]; pin.found.empty() || pin.found == pins_[i].fingerprint)
            pin.found = fingerprint;
}

LINKSPAN_DECL bool pin_comparison::is_broken(std::string_view tool) const
{
    for (auto i = find(tool); i != none; i = compared_[i].next)
        if (compared_[i].found != pins_[i].fingerprint)
            return true;
    return false;
}

LINKSPAN_DECL std::vector<pin_difference> pin_comparison::differences() const
{
    std::vector<pin_difference> out;
    for (std::size_t i = 0; i != pins_.size(); ++i)
        if (compared_[i].found != pins_[i].fingerprint)
            out.push_back({std::string(pins_[i].tool), std::string(pins_[i].fingerprint), compared_[i].found});
    return out;
}

} // namespace detail

LINKSPAN_DECL std::vector<pin_difference> compare_pins(std::span<tool_pin const> pins, std::span<tool const> tools)
{
    detail::pin_comparison compared(pins);
    for (auto const& tool : tools)
        compared.add(tool);
    return compared.differences();
}

} // namespace linkspan

#endif
