#ifndef LINKSPAN_TEST_IMPL_SERVER_CONNECTION_BEHIND_IPP
#define LINKSPAN_TEST_IMPL_SERVER_CONNECTION_BEHIND_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/detail/backing_transport.hpp>
#include <linkspan/test/detail/server_connection.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <vector>

// Functions of a connection of a scripted server that passes requests to the server behind it.
namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL any_transport server_connection::to_server_behind()
{
    link_ = std::make_shared<backing_link>();
    link_->connection = this;
    return any_transport::make<backing_transport>(executor_, {link_});
}

LINKSPAN_DECL void server_connection::pass_request(request_exchange& request)
{
    auto const keep_alive = request.shared_from_this();
    passed_.push_back({.id = std::string(request.id()),
                       .method = std::string(request.method()),
                       .tool = std::string(request.tool()),
                       .version = request.version(),
                       .number = request.number,
                       .since = request.since,
                       .fault = request.responded().fault});
    request.mark_complete();
    link_->pass(request.line(), request.stream());
}

LINKSPAN_DECL void server_connection::on_server_message(outbound const& message) noexcept
{
    try {
        pass_response(message);
    } catch (std::exception const&) { // out of memory, or a fault with an impossible size
        transport_.close();
    }
}

// The message may also be a request or a notification of the server behind.
LINKSPAN_DECL void server_connection::pass_response(outbound const& message)
{
    auto const method = json_scan::string(json_scan::member(message.bytes, "method")).value_or("");
    auto const id = json_scan::member(message.bytes, "id");
    auto const request = method.empty() ? std::ranges::find(passed_, id, &open_request::id) : passed_.end();
    auto const original = request == passed_.end() ? open_request{.version = dialogue_.version()} : *request;
    if (request != passed_.end())
        passed_.erase(request);
    else if (!method.empty() && !id.empty())
        to_client_.push_back({.id = std::string(id), .method = method});
    else if (method == "notifications/cancelled")
        std::erase_if(to_client_,
                      [cancelled = json_scan::member(json_scan::member(message.bytes, "params"), "requestId")](
                          auto const& sent) { return sent.id == cancelled; });
    send_recorded(message.bytes, message.stream, original.version,
                  {.method = original.method, .fault = original.fault});
}

} // namespace linkspan::test::detail

#endif
