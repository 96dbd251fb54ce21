#ifndef LINKSPAN_MODEL_CALL_RESULT_HPP
#define LINKSPAN_MODEL_CALL_RESULT_HPP

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/shared_text.hpp>

#include <boost/json/fwd.hpp>
#include <boost/system/result.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan {
namespace detail {

// Appends the text content of a result. False when a text is none of JSON, and so cut off or no UTF-8.
LINKSPAN_DECL bool append_text_content(std::string& out, std::string_view result);

} // namespace detail

/// What a call brought: the result as the server wrote it, and the trail of attempts that led there.
///
/// The text is kept as it came and read on demand; copies share it. A tool's own failure (`is_error()`) is a result.
///
/// Specification: 2025-11-25 and 2026-07-28, server/tools, "Tool Result".
/// Thread safety: distinct objects, safe, even when they share text.
class call_result {
public:
    call_result() = default;

    call_result(linkspan::detail::shared_text text, std::string server)
        : text_(std::move(text)), server_(std::move(server))
    {}

    /// The result object as JSON text; empty when the call failed, unless because the result does not fit the tool's
    /// output schema.
    std::string_view raw() const noexcept { return text_.view(); }

    /// The tool ran and failed, as it says itself.
    LINKSPAN_DECL bool is_error() const noexcept;

    /// All text content, one block a line; content of other types is left out. An invalid escape ends a block; what is
    /// no UTF-8 is there as it came.
    LINKSPAN_DECL std::string text() const;

    /// The value that the tool gave. Declared here, and defined in <linkspan/describe/call_result_as.hpp>, which says how.
    template<class T>
    boost::system::result<T> as() const;

    /// `structuredContent` as JSON text; empty when there is none. In 2026-07-28 it may be any JSON value.
    LINKSPAN_DECL std::string_view structured() const noexcept;

    /// `resultType`: "complete" unless the server says otherwise, as with "input_required".
    LINKSPAN_DECL std::string_view type() const noexcept;

    /// The name of the server that answered; empty when none did.
    std::string_view server() const noexcept { return server_; }

    /// All attempts in their order. Empty when the first one succeeded.
    std::span<attempt_record const> attempts() const noexcept
    {
        return trail_ ? std::span<attempt_record const>(trail_->attempts) : std::span<attempt_record const>();
    }

    /// For people: why the call failed, where no attempt tells it. Names what was meant instead of an unknown tool.
    std::string_view detail() const noexcept { return trail_ ? std::string_view(trail_->detail) : std::string_view(); }

    /// The name of the tool that was called, as the caller gave it; empty unless the call failed.
    std::string_view tool() const noexcept { return trail_ ? std::string_view(trail_->tool) : std::string_view(); }

    /// For whoever makes one: the server that answered.
    void server(std::string name) { server_ = std::move(name); }

    void trail(std::vector<attempt_record> attempts, std::string detail = {}, std::string tool = {})
    {
        trail_ = std::make_shared<record>(std::move(attempts), std::move(detail), std::move(tool));
    }

private:
    struct record {
        record(std::vector<attempt_record> all, std::string why, std::string called)
            : attempts(std::move(all)), detail(std::move(why)), tool(std::move(called))
        {}

        std::vector<attempt_record> attempts;
        std::string detail;
        std::string tool;
    };

    linkspan::detail::shared_text text_;
    std::string server_;
    std::shared_ptr<record const> trail_; // empty when there is nothing to tell
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/call_result.ipp>
#endif

#endif
