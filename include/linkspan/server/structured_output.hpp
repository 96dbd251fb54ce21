#ifndef LINKSPAN_SERVER_STRUCTURED_OUTPUT_HPP
#define LINKSPAN_SERVER_STRUCTURED_OUTPUT_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/server/tool_output.hpp>

namespace linkspan::inline LINKSPAN_ABI {

/// Returns a result whose structured content is a described struct. Clients also receive its JSON as a text block.
///
/// For handlers that complete their requests themselves, possibly later; the result of a `local_tool` needs no such
/// function. The definition of the tool should have the schema of the struct:
///
///     linkspan::tool chart;
///     chart.name = "chart";
///     chart.output_schema = linkspan::schema_text<points>;
///     own.add(chart, [](query const& wanted, linkspan::server_request request) -> asio::awaitable<void> {
///         auto const found = co_await load(wanted);
///         request.complete(linkspan::structured_output(found));
///     });
///
/// \param value A described struct or another type with a JSON representation.
/// \throws std::bad_alloc
/// \par Thread safety
/// Safe.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, "Structured Content".
template<class T>
tool_output structured_output(T const& value)
{
    tool_output out{};
    encode(out.structured, value);
    return out;
}

} // namespace linkspan

#endif
