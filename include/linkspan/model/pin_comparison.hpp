#ifndef LINKSPAN_MODEL_PIN_COMPARISON_HPP
#define LINKSPAN_MODEL_PIN_COMPARISON_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/name_table.hpp>
#include <linkspan/model/tool.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Comparison of pins with the tools of a list. The tools are added individually, so that the caller can distribute the
// work over several turns of the event loop: the computation of the fingerprints takes most of the time.
class pin_comparison {
public:
    // The pins must remain valid as long as the object.
    LINKSPAN_DECL explicit pin_comparison(std::span<tool_pin const> pins);

    // Adds a listed tool, and compares it with its pins. A tool without a pin has no effect.
    LINKSPAN_DECL void add(tool const& tool);

    // Returns whether a tool that was added differs from one of its pins.
    LINKSPAN_DECL bool is_broken(std::string_view tool) const;

    // Returns the pins that differ from the tools that were added, in the order of the pins.
    LINKSPAN_DECL std::vector<pin_difference> differences() const;

private:
    static constexpr auto none = name_table::none;

    // A pin. Several pins of one tool are linked.
    struct compared_pin {
        // Index of the previous pin of the tool; `none`: this is the first. Set by the constructor.
        std::uint32_t next = none;
        // Fingerprint of the tool; if several tools have the name, one that differs from the pin. Set by add().
        std::string found{};
    };

    // Returns the last pin of a tool; `none`: it has no pin.
    std::uint32_t find(std::string_view tool) const;

    std::span<tool_pin const> pins_;     // set by the constructor
    std::vector<compared_pin> compared_; // parallel to `pins_`
    name_table last_;                    // last pin of each tool; set by the constructor
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/pin_comparison.ipp>
#endif

#endif
