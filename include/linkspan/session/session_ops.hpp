#ifndef LINKSPAN_SESSION_SESSION_OPS_HPP
#define LINKSPAN_SESSION_SESSION_OPS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/detail/shared_text.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/call_result.hpp>
#include <linkspan/model/tool.hpp>
#include <linkspan/model/tool_page.hpp>
#include <linkspan/protocol/client/pagination.hpp>
#include <linkspan/protocol/client/request_op.hpp>
#include <linkspan/session/detail/page_reader.hpp>
#include <linkspan/session/detail/request_origin.hpp>
#include <linkspan/session/detail/session_request.hpp>
#include <linkspan/session/session_core.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns the members of a JSON object, without the braces; empty for a text without braces.
LINKSPAN_DECL std::string_view members_of(std::string_view object) noexcept;

// Returns a human-readable text about a failed request: the message of the error response, or the beginning of the
// body.
LINKSPAN_DECL std::string describe(reply const& completion);

// Returns the member `data` of an error response as JSON text; empty: there is none. A part of `completion.body`.
LINKSPAN_DECL std::string_view error_data(reply const& completion) noexcept;

// State of an operation that reads all pages of a list.
//
// The object owns itself: a derived class deletes it in `on_end`, and `on_dropped` deletes it. At most one of its
// requests is outstanding at a time.
class page_request : public request_op {
public:
    virtual ~page_request() = default;

protected:
    // Largest number of bytes of entries that `on_page` reads at once.
    static constexpr std::size_t max_page_step = 256 * 1024;

    // `list_method`: a literal.
    LINKSPAN_DECL page_request(std::shared_ptr<session_core> session, std::string_view list_method);

    // Requests the first page. `slot`: of the handler; each type of cancellation ends the operation.
    LINKSPAN_DECL void begin(asio::cancellation_slot slot);

    session_core& session() const noexcept { return *session_; }

private:
    // Called with the result of each page. If the function reads pages in parts, it is called again with the same text,
    // in a later turn of the event loop, until it returns true.
    virtual bool on_page(std::string_view result, error_code& ec) = 0;
    virtual bool reads_in_parts() const noexcept { return false; }

    // Returns the number of entries so far.
    virtual std::size_t size() const noexcept = 0;

    // Called once, after the last page or an error. Deletes the object, and invokes the handler. `detail`: message of
    // an error response.
    virtual void on_end(error_code ec, std::string detail) = 0;

    void request_page();
    void read(std::string_view page);
    void read_later();
    void on_done(reply const& completion) override;
    void on_dropped() noexcept override { delete this; }
    void on_cancel();
    void end(error_code ec, std::string detail = {});

    std::shared_ptr<session_core> session_; // set by the constructor
    asio::cancellation_slot slot_;          // set by `begin`, cleared by `end` and by a cancellation
    shared_text page_;                      // text of a large page that is read in parts; set by `on_done`
    // Expires with the object, which is destroyed with the execution context if the request is outstanding then. The
    // cancellation handler in the slot may outlive both, and then has no effect.
    std::shared_ptr<char> exists_ = std::make_shared<char>();
    pagination pages_;   // cursors received so far; extended by each page
    std::string cursor_; // `params` of the next request, set by each page; empty for the first page
};

// `tools/list`
class list_request final : public page_request {
public:
    using handler_type = pending_handler<void(error_code, tool_list)>;

    LINKSPAN_DECL static void start(std::shared_ptr<session_core> session, handler_type handler);

private:
    list_request(std::shared_ptr<session_core> session, handler_type handler);

    bool on_page(std::string_view result, error_code& ec) override;
    bool reads_in_parts() const noexcept override { return true; }
    std::size_t size() const noexcept override { return list_.tools.size(); }
    void on_end(error_code ec, std::string detail) override;

    handler_type handler_; // set by the constructor, emptied by `on_end`
    tool_list list_;       // tools that are read; moved to the handler by `on_end`
    std::optional<tool_page> reader_; // of a page that is read in parts; set and cleared by `on_page`
    header_mirror::arguments_by_tool
        mirrored_; // mirrored arguments of `list_`; moved to the session after the last page
};

// A list whose entries a function (`page_reader`) reads.
class entries_request final : public page_request {
public:
    using handler_type = pending_handler<void(error_code, std::string)>;

    LINKSPAN_DECL static void start(std::shared_ptr<session_core> session, std::string_view method,
                                    request_origin origin, page_reader read, handler_type handler);

private:
    entries_request(std::shared_ptr<session_core> session, std::string_view list_method, request_origin origin,
                    page_reader read, handler_type handler);

    bool on_page(std::string_view result, error_code& ec) override
    {
        size_ = read_(result, ec);
        return true;
    }

    std::size_t size() const noexcept override { return size_; }
    void on_end(error_code ec, std::string detail) override;

    request_origin origin_; // this and `read_`: set by the constructor
    page_reader read_;
    handler_type handler_; // set by the constructor, emptied by `on_end`
    std::size_t size_ = 0; // set by `on_page`
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/change_listener.ipp>
#include <linkspan/session/impl/change_listener.tasks.ipp>
#include <linkspan/session/impl/input_exchange.ipp>
#include <linkspan/session/impl/session_core.ipp>
#include <linkspan/session/impl/session_core.receiving.ipp>
#include <linkspan/session/impl/session_core.recovery.ipp>
#include <linkspan/session/impl/session_core.requests.ipp>
#include <linkspan/session/impl/session_ops.ipp>
#include <linkspan/session/impl/session_request.ipp>
#endif

#endif
