#ifndef LINKSPAN_MODEL_SAMPLING_MESSAGE_HPP
#define LINKSPAN_MODEL_SAMPLING_MESSAGE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/content.hpp>
#include <linkspan/model/protocol_version.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Message of a conversation with a language model.
///
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, schema: `SamplingMessage`.
struct sampling_message {
    std::string role = "user";            ///< `user` or `assistant`
    std::vector<content_block> content{}; ///< content blocks; several since 2025-11-25
    std::string meta{};                   ///< `_meta` as JSON text (since 2025-11-25); empty: none

    bool operator==(sampling_message const&) const = default;
};

/// Reads the messages of a sampling request.
///
/// \param json The messages as the text of a JSON array. Elements that are not objects are omitted.
/// \throws std::bad_alloc
LINKSPAN_DECL std::vector<sampling_message> read_sampling_messages(std::string_view json);

/// Appends messages as a JSON array, with the members that the protocol version has.
///
/// Before 2025-11-25, a message has one block. The function then writes each block as a separate message. A block whose
/// type the protocol version does not define becomes a text block, as in `append_content`.
///
/// \throws std::bad_alloc
LINKSPAN_DECL void append_json(std::string& out, std::vector<sampling_message> const& messages, protocol_version id);

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/sampling_message.ipp>
#endif

#endif
