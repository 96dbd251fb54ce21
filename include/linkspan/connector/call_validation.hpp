#ifndef LINKSPAN_CONNECTOR_CALL_VALIDATION_HPP
#define LINKSPAN_CONNECTOR_CALL_VALIDATION_HPP

#include <linkspan/core/detail/config.hpp>

#include <memory>
#include <optional>

namespace linkspan::inline LINKSPAN_ABI {

/// Selects the parts of calls that are validated against the tools' JSON Schemas. Each validation takes time in every
/// call.
struct call_validation {
    /// Validates arguments against `inputSchema` before a request is sent; a mismatch is `error::invalid_arguments`.
    /// Default: false.
    bool arguments = false;

    /// Validates `structuredContent` against `outputSchema`; a mismatch is `error::unexpected_result`. Default: false.
    bool results = false;
};

namespace detail {

class server_operations;
class tool_checks;
using tool_checks_factory = std::shared_ptr<tool_checks> (*)(call_validation);

// Returns an object that validates these parts of calls: `schema_checks`.
LINKSPAN_DECL std::shared_ptr<tool_checks> make_tool_checks(call_validation wanted);

// Returns null: no part of the calls is validated.
LINKSPAN_DECL std::shared_ptr<tool_checks> make_no_checks(call_validation wanted);

} // namespace detail

/// Choice whether the arguments or the results of the calls of one server are validated: true or false. Empty: the
/// setting of the connector applies.
///
///     linkspan::server_options options;
///     options.validate_arguments = true;
///
/// Only a program that constructs a choice from a `bool`, calls `connector_base::set_call_validation` or reads a
/// configuration needs the functions that validate calls: a header-only unit that does none of these compiles faster.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class validation_choice {
public:
    /// Constructs an empty choice.
    validation_choice() = default;

    /// Constructs a choice.
    validation_choice(bool validates) noexcept
        : factory_(validates ? &detail::make_tool_checks : &detail::make_no_checks)
    {}

    /// Constructs a choice. The choice is empty if `validates` is empty.
    validation_choice(std::optional<bool> validates) noexcept
    {
        if (validates)
            *this = *validates;
    }

    /// Returns whether the choice is not empty.
    bool has_value() const noexcept { return factory_ != nullptr; }

    /// Returns the choice, or `other` if it is empty.
    bool value_or(bool other) const noexcept
    {
        return factory_ == nullptr ? other : factory_ != &detail::make_no_checks;
    }

    /// Returns whether two choices are equal; two empty ones are.
    friend bool operator==(validation_choice const&, validation_choice const&) = default;

private:
    friend class detail::server_operations;

    detail::tool_checks_factory factory_ = nullptr; // null: empty
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/detail/schema_checks.hpp>
#endif

#endif
