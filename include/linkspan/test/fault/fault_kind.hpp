#ifndef LINKSPAN_TEST_FAULT_FAULT_KIND_HPP
#define LINKSPAN_TEST_FAULT_FAULT_KIND_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/describe/enum.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test {

/// Kind of a fault of a server or of a message that it sends. `doc/faults.md` describes each kind, and the behaviour of
/// a client of this library. The groups are those of `fault_layer`.
enum class fault_kind {
    // bytes
    delay,
    jitter,
    drop,
    duplicate,
    reorder,
    corrupt,
    cut,
    partial_line,
    limit_data,
    split,
    slow,
    coalesce,
    crlf,
    bom,
    nul_byte,
    bad_utf8,
    oversize,
    deep_nesting,
    blank_lines,
    stdout_garbage,
    interleave,
    half_close,
    disconnect,
    // JSON-RPC
    rpc_error,
    not_json,
    truncated_json,
    wrong_id,
    string_id,
    unknown_id,
    null_id,
    missing_jsonrpc,
    wrong_jsonrpc,
    late_response,
    response_and_error,
    no_result,
    batch,
    text_error_code,
    huge_id,
    unknown_request,
    response_to_notification,
    id_reuse,
    // MCP
    version_mismatch,
    downgrade,
    no_capabilities,
    init_error,
    init_hang,
    init_twice,
    discover_32601,
    discover_32602,
    supported_versions_empty,
    capability_lie,
    missing_input_schema,
    root_not_object,
    bad_schema,
    schema_loop,
    schema_external,
    duplicate_tool_names,
    cursor_loop,
    cursor_expired,
    empty_page,
    page_drift,
    rename_tool,
    schema_drift,
    ttl_zero,
    list_changed_storm,
    structured_missing,
    structured_invalid,
    error_with_structured,
    unknown_content_type,
    progress_after_result,
    progress_unknown_token,
    ping_unanswered,
    sampling_flood,
    elicit_unsupported,
    input_endless,
    input_bad_state,
    // HTTP
    http_400,
    http_403,
    http_404,
    http_405,
    http_406,
    http_408,
    http_409,
    http_413,
    http_415,
    http_429,
    http_429_date,
    http_500,
    http_502,
    http_503,
    http_504,
    http_307,
    wrong_content_type,
    no_content_type,
    empty_202,
    chunk_malformed,
    content_length_lie,
    gzip_unasked,
    reset_on_accept,
    reset_before_head,
    reset_after_head,
    slow_head,
    interim_response,
    expect_100,
    connection_close,
    session_id_changes,
    session_id_missing,
    header_mismatch,
    sse_disconnect,
    sse_disconnect_in_event,
    sse_resume,
    sse_no_id,
    sse_comment_only,
    sse_multi_line_data,
    sse_bad_retry,
    sse_never_ends,
    // process
    start_slow,
    exit,
    exit_before_init,
    exit_zero,
    crash,
    stderr_flood,
    stderr_binary,
    stdout_closed,
    stdin_unread,
    ignore_stdin_eof,
    ignore_sigterm,
    grandchild,
    zombie,
    // authorization
    unauthorized,
    token_expired,
    refresh_rejected,
    scope_insufficient,
    metadata_missing,
    metadata_loop,
    wrong_resource,
    // clock
    pause,
    skew
};
LINKSPAN_ENUM(
    fault_kind, (delay), (jitter), (drop), (duplicate), (reorder), (corrupt), (cut), (partial_line, "partial-line"),
    (limit_data, "limit-data"), (split), (slow), (coalesce), (crlf), (bom), (nul_byte, "nul-byte"),
    (bad_utf8, "bad-utf8"), (oversize), (deep_nesting, "deep-nesting"), (blank_lines, "blank-lines"),
    (stdout_garbage, "stdout-garbage"), (interleave), (half_close, "half-close"), (disconnect),
    (rpc_error, "rpc-error"), (not_json, "not-json"), (truncated_json, "truncated-json"), (wrong_id, "wrong-id"),
    (string_id, "string-id"), (unknown_id, "unknown-id"), (null_id, "null-id"), (missing_jsonrpc, "missing-jsonrpc"),
    (wrong_jsonrpc, "wrong-jsonrpc"), (late_response, "late-response"), (response_and_error, "response-and-error"),
    (no_result, "no-result"), (batch), (text_error_code, "text-error-code"), (huge_id, "huge-id"),
    (unknown_request, "unknown-request"), (response_to_notification, "response-to-notification"),
    (id_reuse, "id-reuse"), (version_mismatch, "version-mismatch"), (downgrade), (no_capabilities, "no-capabilities"),
    (init_error, "init-error"), (init_hang, "init-hang"), (init_twice, "init-twice"),
    (discover_32601, "discover-32601"), (discover_32602, "discover-32602"),
    (supported_versions_empty, "supported-versions-empty"), (capability_lie, "capability-lie"),
    (missing_input_schema, "missing-input-schema"), (root_not_object, "root-not-object"), (bad_schema, "bad-schema"),
    (schema_loop, "schema-loop"), (schema_external, "schema-external"), (duplicate_tool_names, "duplicate-tool-names"),
    (cursor_loop, "cursor-loop"), (cursor_expired, "cursor-expired"), (empty_page, "empty-page"),
    (page_drift, "page-drift"), (rename_tool, "rename-tool"), (schema_drift, "schema-drift"), (ttl_zero, "ttl-zero"),
    (list_changed_storm, "list-changed-storm"), (structured_missing, "structured-missing"),
    (structured_invalid, "structured-invalid"), (error_with_structured, "error-with-structured"),
    (unknown_content_type, "unknown-content-type"), (progress_after_result, "progress-after-result"),
    (progress_unknown_token, "progress-unknown-token"), (ping_unanswered, "ping-unanswered"),
    (sampling_flood, "sampling-flood"), (elicit_unsupported, "elicit-unsupported"), (input_endless, "input-endless"),
    (input_bad_state, "input-bad-state"), (http_400, "http-400"), (http_403, "http-403"), (http_404, "http-404"),
    (http_405, "http-405"), (http_406, "http-406"), (http_408, "http-408"), (http_409, "http-409"),
    (http_413, "http-413"), (http_415, "http-415"), (http_429, "http-429"), (http_429_date, "http-429-date"),
    (http_500, "http-500"), (http_502, "http-502"), (http_503, "http-503"), (http_504, "http-504"),
    (http_307, "http-307"), (wrong_content_type, "wrong-content-type"), (no_content_type, "no-content-type"),
    (empty_202, "empty-202"), (chunk_malformed, "chunk-malformed"), (content_length_lie, "content-length-lie"),
    (gzip_unasked, "gzip-unasked"), (reset_on_accept, "reset-on-accept"), (reset_before_head, "reset-before-head"),
    (reset_after_head, "reset-after-head"), (slow_head, "slow-head"), (interim_response, "interim-response"),
    (expect_100, "expect-100"), (connection_close, "connection-close"), (session_id_changes, "session-id-changes"),
    (session_id_missing, "session-id-missing"), (header_mismatch, "header-mismatch"),
    (sse_disconnect, "sse-disconnect"), (sse_disconnect_in_event, "sse-disconnect-in-event"),
    (sse_resume, "sse-resume"), (sse_no_id, "sse-no-id"), (sse_comment_only, "sse-comment-only"),
    (sse_multi_line_data, "sse-multi-line-data"), (sse_bad_retry, "sse-bad-retry"), (sse_never_ends, "sse-never-ends"),
    (start_slow, "start-slow"), (exit), (exit_before_init, "exit-before-init"), (exit_zero, "exit-zero"), (crash),
    (stderr_flood, "stderr-flood"), (stderr_binary, "stderr-binary"), (stdout_closed, "stdout-closed"),
    (stdin_unread, "stdin-unread"), (ignore_stdin_eof, "ignore-stdin-eof"), (ignore_sigterm, "ignore-sigterm"),
    (grandchild), (zombie), (unauthorized), (token_expired, "token-expired"), (refresh_rejected, "refresh-rejected"),
    (scope_insufficient, "scope-insufficient"), (metadata_missing, "metadata-missing"),
    (metadata_loop, "metadata-loop"), (wrong_resource, "wrong-resource"), (pause), (skew))

/// Layer of the protocol in which a fault occurs.
enum class fault_layer { bytes, json_rpc, mcp, http, process, authorization, clock };
LINKSPAN_ENUM(fault_layer, (bytes), (json_rpc, "JSON-RPC"), (mcp, "MCP"), (http, "HTTP"), (process), (authorization),
              (clock))

/// Carrier of a message of a server.
enum class fault_carrier {
    inproc,  ///< a connection in the same process
    stdio,   ///< the standard streams of a program that serves one scripted server
    http,    ///< Streamable HTTP
    http_sse ///< the event stream of HTTP+SSE, of which a response is one event
};

namespace detail {

constexpr bool uses_http(fault_carrier carrier) noexcept
{
    return carrier == fault_carrier::http || carrier == fault_carrier::http_sse;
}

// Returns the name of a carrier in a sentence, behind "over".
constexpr std::string_view name_of_carrier(fault_carrier carrier) noexcept
{
    switch (carrier) {
    case fault_carrier::inproc: return "connections in the same process";
    case fault_carrier::stdio: return "standard streams";
    case fault_carrier::http: return "HTTP";
    case fault_carrier::http_sse: break;
    }
    return "HTTP+SSE";
}

} // namespace detail

/// Carriers to which a kind of fault applies.
struct fault_carriers {
    bool inproc = false;   ///< see `fault_carrier::inproc`
    bool stdio = false;    ///< see `fault_carrier::stdio`
    bool http = false;     ///< see `fault_carrier::http`
    bool http_sse = false; ///< see `fault_carrier::http_sse`

    /// Returns whether a carrier is one of these.
    constexpr bool contains(fault_carrier carrier) const noexcept
    {
        switch (carrier) {
        case fault_carrier::inproc: return inproc;
        case fault_carrier::stdio: return stdio;
        case fault_carrier::http: return http;
        case fault_carrier::http_sse: break;
        }
        return http_sse;
    }
};

/// Description of a kind of fault.
struct fault_description {
    fault_kind kind;         ///< the kind
    fault_layer layer;       ///< layer of the protocol
    std::string_view on;     ///< "message": any; "response": any; "opening": `initialize` and `server/discover`; else
                             ///< the method of the request
    fault_carriers carriers; ///< carriers to which the kind applies
    std::string_view effect; ///< effect, in Markdown
};

/// Returns the descriptions of all kinds, in the order of `fault_kind`.
LINKSPAN_DECL std::span<fault_description const> fault_descriptions() noexcept;

/// Returns the description of one kind.
inline fault_description const& description_of(fault_kind kind) noexcept
{
    return fault_descriptions()[static_cast<std::size_t>(kind)];
}

/// Returns whether a fault of this kind can occur in a message.
///
/// \param kind The kind.
/// \param is_response Whether the message is a response.
/// \param method Method of the request; empty if the message is no response.
/// \param carrier Carrier of the message.
LINKSPAN_DECL bool applies(fault_kind kind, bool is_response, std::string_view method, fault_carrier carrier) noexcept;

/// A fault, and its parameters.
struct fault_setting {
    fault_kind kind{};          ///< kind of fault
    std::uint64_t delay_ms = 0; ///< delay in milliseconds, for kinds with a delay; 0: the default of the kind
    /// Number of bytes, parts, messages or seconds, or exit status, by the kind; 0: the default of the kind.
    std::uint64_t amount = 0;
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/fault/impl/fault_kind.ipp>
#endif

#endif
