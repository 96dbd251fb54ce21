#ifndef LINKSPAN_SERVER_DETAIL_CLIENT_REQUEST_HPP
#define LINKSPAN_SERVER_DETAIL_CLIENT_REQUEST_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/json/detail/object_writer.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/client_capabilities.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/server/ask_options.hpp>
#include <linkspan/server/client_info.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

class served_request;
using served_request_pointer = std::shared_ptr<served_request>;

// A request of the server to a client, and the function for its result.
struct client_request {
    std::string method;
    std::string params;       // JSON text
    std::string_view needed;  // capabilities that the client must declare, as JSON text with static storage
    bool is_declared = false; // the client declares `needed`; true for `ping` and for methods without a kind
    std::function<void(error_code, std::string_view result)> done;
    std::function<void(progress_update const&)> on_progress; // empty: the request has no progress token

    struct task_terms {
        duration timeout{};        // from the response with the task to its outcome
        bool can_cancel = false;   // the client supports `tasks/cancel`
        std::uint64_t request = 0; // id of the request, which is its progress token; set when the request is sent
    };
    std::optional<task_terms> task{}; // empty: the request asks for no task
    // Receives the reason for which the input is invalid; empty: none. See validate_input().
    std::function<void(std::string_view)> on_invalid_input{};
    std::optional<duration> timeout{}; // of the first response; empty: `serving_options::input_timeout`
    bool has_kind = false;             // the library knows the form of the result, so that it can be validated
};

// Returns whether a late response to the request, after its cancellation, may announce a task that the server can
// cancel.
inline bool may_leave_task(client_request const& what) noexcept { return what.task && what.task->can_cancel; }

// Returns the terms of a request that may continue as a task of a client; empty: the protocol version has
// no tasks, or the client does not declare tasks for the method.
LINKSPAN_DECL std::optional<client_request::task_terms> task_terms_of(std::string_view method, protocol_version version,
                                                                      client_capabilities const& declared,
                                                                      client_task_options const& wanted);

// Adds the member `task` to the params of a request.
LINKSPAN_DECL void add_task_member(std::string& params, client_task_options const& wanted);

// Adds one member of `inputRequests`.
LINKSPAN_DECL void add_input_request(object_writer& to, std::string_view key, std::string_view method,
                                     std::string_view params);

// Returns a request of a kind to a client in a protocol version. `done` receives its result.
template<class Kind>
client_request make_client_request(typename Kind::request_type const& what, protocol_version version,
                                   client_info const& client, ask_options options,
                                   pending_handler<void(error_code, typename Kind::result_type)> done)
{
    using handler = pending_handler<void(error_code, typename Kind::result_type)>;
    client_request out;
    out.method = Kind::method;
    out.params = Kind::params_of(what, version);
    out.needed = Kind::required(what, version);
    auto const declared = client.declared();
    out.is_declared = Kind::exists_in(version, what) && Kind::is_declared(declared, what, version);
    if (options.task)
        out.task = task_terms_of(Kind::method, version, declared, *options.task);
    if (out.task)
        add_task_member(out.params, *options.task);
    out.on_progress = std::move(options.on_progress);
    out.on_invalid_input = std::move(options.on_invalid_input);
    out.timeout = options.timeout;
    out.has_kind = true;
    out.done = [shared = std::make_shared<handler>(std::move(done))](error_code ec, std::string_view result) {
        auto read = ec ? std::nullopt : Kind::read_result(result);
        if (!ec && !read)
            ec = error::malformed_message;
        shared->complete(ec, read ? std::move(*read) : typename Kind::result_type());
    };
    return out;
}

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/server/impl/client_request.ipp>
#endif

#endif
