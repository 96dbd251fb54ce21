#ifndef LINKSPAN_MODEL_IMPL_RESPONDER_IPP
#define LINKSPAN_MODEL_IMPL_RESPONDER_IPP

#include <linkspan/model/responder.hpp>

#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL responder::responder(std::weak_ptr<detail::response_sink> session, detail::server_request_id request)
    : session_(std::move(session)), request_(request)
{}

LINKSPAN_DECL responder::~responder() { refuse(-32603, "the handler of the request sent no response"); }

LINKSPAN_DECL void responder::operator()(boost::json::object const& result)
{
    std::string text;
    append_json(text, result);
    (*this)(raw_json(text));
}

LINKSPAN_DECL void responder::operator()(raw_json result)
{
    auto const session = session_.lock();
    if (auto const request = std::exchange(request_, 0); session && request != 0)
        session->respond(request, result.text());
}

LINKSPAN_DECL void responder::refuse(int code, std::string_view message)
{
    auto const session = session_.lock();
    if (auto const request = std::exchange(request_, 0); session && request != 0)
        session->refuse(request, code, message);
}

LINKSPAN_DECL void responder::report_progress(progress_update const& update)
{
    if (auto const session = session_.lock(); session && request_ != 0)
        session->report_progress(request_, update);
}

LINKSPAN_DECL bool responder::is_awaited() const noexcept
{
    auto const session = session_.lock();
    return session && request_ != 0 && session->awaits_response(request_);
}

} // namespace linkspan

#endif
