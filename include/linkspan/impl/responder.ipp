#ifndef LINKSPAN_IMPL_RESPONDER_IPP
#define LINKSPAN_IMPL_RESPONDER_IPP

#include <linkspan/responder.hpp>

#include <utility>

namespace linkspan {

LINKSPAN_DECL responder::responder(std::weak_ptr<detail::answer_sink> session, std::string raw_id)
    : session_(std::move(session)), raw_id_(std::move(raw_id))
{}

LINKSPAN_DECL responder::~responder() { refuse(-32603, "the request was dropped"); }

LINKSPAN_DECL void responder::operator()(boost::json::object const& result)
{
    std::string text;
    append_json(text, result);
    (*this)(raw_json(text));
}

LINKSPAN_DECL void responder::operator()(raw_json result)
{
    auto const session = session_.lock();
    if (auto const id = std::exchange(raw_id_, {}); session && !id.empty())
        session->answer(id, result.text());
}

LINKSPAN_DECL void responder::refuse(int code, std::string_view message)
{
    auto const session = session_.lock();
    if (auto const id = std::exchange(raw_id_, {}); session && !id.empty())
        session->refuse(id, code, message);
}

LINKSPAN_DECL bool responder::is_awaited() const noexcept
{
    auto const session = session_.lock();
    return session && !raw_id_.empty() && session->awaits_answer(raw_id_);
}

} // namespace linkspan

#endif
