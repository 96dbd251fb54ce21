#ifndef LINKSPAN_MODEL_CALL_RESULT_HPP
#define LINKSPAN_MODEL_CALL_RESULT_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/shared_text.hpp>

#include <boost/assert.hpp>
#include <boost/json/fwd.hpp>
#include <boost/system/result.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

class result_error;   // <linkspan/model/result_error.hpp>
struct content_block; // <linkspan/model/content.hpp>
struct task;          // <linkspan/model/task.hpp>

namespace detail {

// Appends the text blocks of `content`, separated by line breaks. Returns false if a text has an invalid escape (the
// rest of that text is omitted), a control character, or bytes that are not UTF-8.
LINKSPAN_DECL bool append_text_content(std::string& out, std::string_view result);

// Returns the text of a result in its most frequent form, {"content":[{"type":"text","text":"..."}]...}, if the text
// has no escapes. `members`: the result after its opening brace. `"}]` follows the returned text.
LINKSPAN_DECL std::optional<std::string_view> plain_text_of_members(std::string_view members) noexcept;

// The members of a result that determine its value, read in one pass.
struct result_parts {
    std::string_view structured; // `structuredContent`; empty: none
    bool is_error = false;
};

LINKSPAN_DECL result_parts parts_of(std::string_view result) noexcept;

} // namespace detail

/// Result of a tool call: the result object as the server sent it, and the records of the attempts.
///
/// The text of the result is kept unchanged and read by the accessors. Copies share the text and the records. A tool
/// that reports its own failure (`is_error()`) produces a result, not an error code. The function `as()`, and typed
/// calls with another result type than `call_result`, report such a result as `error::tool_failed`.
///
///     auto result = co_await hub.async_call("add", {{"a", 2}, {"b", 3}});
///     std::cout << result.text();             // text content
///     double sum = result.as<double>().value(); // value, read from structured content or text
///
/// \par Lifetime
/// Views that the accessors return are valid while the object, or a copy of it, exists and is not modified.
/// \par Thread safety
/// Distinct objects: safe, also if they share text. Shared objects: safe while they are not modified.
/// \par Specification
/// MCP 2025-11-25 and 2026-07-28, server/tools, "Tool Result".
class call_result {
public:
    /// Constructs a result without text, without server and without attempts.
    call_result() = default;

    /// Constructs a result from the text of a result object. Used by sessions and by test doubles.
    ///
    /// \param text The result object as JSON text.
    /// \param server The name of the server that sent the result; may be empty.
    call_result(linkspan::detail::shared_text text, std::string server)
        : text_(std::move(text)),
          server_(server.empty() ? nullptr : std::make_shared<std::string const>(std::move(server)))
    {}

    /// Returns the result object as JSON text. Empty if the call failed, except if its result is the reason: after
    /// `tool_failed`, and if the result does not match the output schema of the tool or the requested type.
    std::string_view raw() const noexcept { return text_.view(); }

    /// Returns whether the tool ran and reported its own failure: `isError` is `true`.
    LINKSPAN_DECL bool is_error() const noexcept;

    /// Returns the text blocks of `content`, separated by line breaks.
    ///
    /// Blocks of other types (images, audio, resources) are omitted. The text of a block with an invalid escape ends
    /// before the escape. Bytes that are not UTF-8 are kept.
    ///
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::string text() const;

    /// Returns the same text as `text()`, as a view of `raw()`, without a copy.
    ///
    /// \returns The text; `std::nullopt` if the text is not a part of `raw()`, because it contains escapes or consists
    /// of several blocks. In this case, call `text()`.
    LINKSPAN_DECL std::optional<std::string_view> text_view() const noexcept;

    /// Returns the blocks of `content`: texts, images, audio, resources, links to resources. Empty if `raw()` is empty
    /// or has no `content`. Programs that call the function include `<linkspan/model/content.hpp>`.
    ///
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::vector<content_block> content() const;

    /// Returns the value that the tool returned, read as a `T`.
    ///
    /// Defined in `<linkspan/describe/call_result_as.hpp>`; see `read_result` for the rules and the errors.
    ///
    /// \tparam T A type that `decode` reads: a described struct, a number, a `std::string`, a container, ...
    /// \par Errors
    /// `tool_failed`: the tool reported its own failure; `value()` of the returned object throws a `call_error`.
    /// `unexpected_result`: the value is not a `T`, and the detail of the error lists the mismatches; `value()` throws
    /// a `protocol_error`.
    template<class T>
    boost::system::result<T, result_error> as() const;

    /// Returns `structuredContent` as JSON text. Empty if the result has none; `null` if the server sent `null`.
    ///
    /// \par Specification
    /// MCP 2025-06-18 and later: an object. 2026-07-28: any JSON value.
    LINKSPAN_DECL std::string_view structured() const noexcept;

    /// Returns the member `resultType`, such as `input_required`; `complete` if the result does not have the member.
    ///
    /// \par Specification
    /// MCP 2026-07-28.
    LINKSPAN_DECL std::string_view type() const noexcept;

    /// Returns the task that continues the call. Empty: the server has responded with the result of the call. Programs
    /// that call the function include `<linkspan/model/task.hpp>`.
    ///
    /// A result has a task only if the caller has permitted one, by `call_options::allow_task` or `async_start_task`.
    ///
    /// \throws std::bad_alloc
    LINKSPAN_DECL std::optional<linkspan::task> task() const;

    /// Returns the name of the server that sent the result. Empty if no server sent a result, and for a request of a
    /// `session` that does not belong to a connector. After a failed request of a session of a connector
    /// (`find_session`), the result may have the name of the server of that session, although the server sent no
    /// result.
    std::string_view server() const noexcept { return server_ ? std::string_view(*server_) : std::string_view(); }

    /// Returns the records of all attempts in their order. Empty if the first attempt succeeded, and if the call failed
    /// before its first attempt. A stored result has one record (`attempt_record::from_store`).
    std::span<attempt_record const> attempts() const noexcept
    {
        return trail_ ? std::span<attempt_record const>(trail_->attempts) : std::span<attempt_record const>();
    }

    /// Returns a human-readable reason for the failure of the call, such as the message of the server, a mismatch with
    /// a schema, or the names of similar tools after `tool_not_found`. May be empty.
    std::string_view detail() const noexcept { return trail_ ? std::string_view(trail_->detail) : std::string_view(); }

    /// Returns the name of the tool as the caller passed it, for a failed call. May be empty.
    std::string_view tool() const noexcept { return trail_ ? std::string_view(trail_->tool) : std::string_view(); }

    /// Sets the name of the server that sent the result. Used by code that produces results.
    ///
    /// \param name The name, which other results may share; null means none.
    void server(std::shared_ptr<std::string const> name) noexcept { server_ = std::move(name); }

    /// Sets the position of the value of `text()` in `raw()`, so that the accessors do not search for it. Used by
    /// sessions.
    ///
    /// \param offset Position of the first character of the text, in bytes.
    /// \param size Length of the text, in bytes.
    /// \par Preconditions
    /// The only block of `content` is a text block, and its text at this position has no escapes. `offset + size` is
    /// less than `raw().size()`, and `offset` is greater than 0.
    void plain_text(std::size_t offset, std::size_t size) noexcept
    {
        BOOST_ASSERT(offset != 0 && offset < raw().size() && size < raw().size() - offset);
        constexpr std::size_t max = std::numeric_limits<std::uint32_t>::max();
        if (offset > max || size > max)
            return;
        text_offset_ = static_cast<std::uint32_t>(offset);
        text_size_ = static_cast<std::uint32_t>(size);
    }

    /// Declares that the result object describes a task, which `task()` returns. Used by sessions and connectors.
    ///
    /// \param in_member True: the member `task` is the task (2025-11-25). False: the result object is the task.
    void contains_task(bool in_member) noexcept
    {
        text_offset_ = 0;
        text_size_ = in_member ? task_in_member : task_in_result;
    }

    /// Sets the attempt records, the detail and the name of the tool. Used by code that produces results.
    ///
    /// \param attempts Records of the attempts in their order.
    /// \param detail The text that `detail()` returns.
    /// \param tool The name that `tool()` returns.
    /// \throws std::bad_alloc
    LINKSPAN_DECL void trail(std::vector<attempt_record> attempts, std::string detail = {}, std::string tool = {});

    /// Sets the detail and the name of the tool, and keeps the attempt records. Used by code that produces results.
    ///
    /// \param detail The text that `detail()` returns.
    /// \param tool The name that `tool()` returns.
    /// \throws std::bad_alloc
    LINKSPAN_DECL void explain(std::string detail, std::string tool = {});

private:
    struct record {
        record(std::vector<attempt_record> all, std::string why, std::string called)
            : attempts(std::move(all)), detail(std::move(why)), tool(std::move(called))
        {}

        std::vector<attempt_record> attempts;
        std::string detail;
        std::string tool;
    };

    // Values of `text_size_` while `text_offset_` is 0.
    static constexpr std::uint32_t no_task = 0, task_in_member = 1, task_in_result = 2;

    std::optional<std::string_view> find_plain_text() const noexcept;

    linkspan::detail::shared_text text_;        // the result object; empty for a failed call
    std::uint32_t text_offset_ = 0;             // set by plain_text(offset, size); 0: not known
    std::uint32_t text_size_ = no_task;         // set with `text_offset_`, and by contains_task()
    std::shared_ptr<std::string const> server_; // name of the server; null: no server sent the result, or not set
    std::shared_ptr<record const> trail_;       // null until trail() is called; shared by copies
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/call_result.ipp>
#endif

#endif
