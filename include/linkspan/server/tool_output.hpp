#ifndef LINKSPAN_SERVER_TOOL_OUTPUT_HPP
#define LINKSPAN_SERVER_TOOL_OUTPUT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/content.hpp>

#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Result of a tool, from which the server composes the response.
///
/// `structuredContent` is sent since 2025-06-18, and before 2026-07-28 only if it is an object. If `content` is empty,
/// the text of `structured` is also sent as a text block.
///
/// The following results are defects of the handler of the tool: `structured` is not JSON; `meta`, or the `_meta` of a
/// content block, is not a JSON object; `tool_use_content::input` or `unknown_content::raw` is not a JSON object;
/// `tool_result_content::content` is not a JSON array; `tool_result_content::structured` is not JSON; or, without
/// `is_error`, `structured` is missing although the tool has an output schema, or does not match the schema (see
/// `serving_options::validate_results`). The client then receives the error -32603, and `serving_options::on_defect` is
/// called.
///
/// \par Specification
/// MCP 2026-07-28, server/tools, "Tool Result".
struct tool_output {
    std::vector<content_block> content{}; ///< content blocks; may be empty
    std::string structured{};             ///< `structuredContent` as JSON text; empty: none
    bool is_error = false;                ///< the tool reports its own failure
    std::string meta{};                   ///< `_meta` as the text of a JSON object; empty: none

    /// Returns a result with one text block.
    static tool_output text(std::string value)
    {
        tool_output out{};
        out.content.emplace_back(text_content{std::move(value), {}, {}});
        return out;
    }

    /// Returns a result that reports a failure, with its reason as one text block. The reason is intended for the
    /// model, which can correct its request.
    static tool_output failure(std::string reason)
    {
        auto out = text(std::move(reason));
        out.is_error = true;
        return out;
    }
};

} // namespace linkspan

#endif
