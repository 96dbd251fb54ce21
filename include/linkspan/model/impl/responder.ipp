#ifndef LINKSPAN_MODEL_IMPL_RESPONDER_IPP
#define LINKSPAN_MODEL_IMPL_RESPONDER_IPP

#include <linkspan/model/responder.hpp>

#include <string>
#include <utility>

namespace linkspan {

LINKSPAN_DECL responder::responder(std::weak_ptr<detail::answer_sink> session, detail::question_id question)
    : session_(std::move(session)), question_(question)
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
    if (auto const question = std::exchange(question_, 0); session && question != 0)
        session->answer(question, result.text());
}

LINKSPAN_DECL void responder::refuse(int code, std::string_view message)
{
    auto const session = session_.lock();
    if (auto const question = std::exchange(question_, 0); session && question != 0)
        session->refuse(question, code, message);
}

LINKSPAN_DECL bool responder::is_awaited() const noexcept
{
    auto const session = session_.lock();
    return session && question_ != 0 && session->awaits_answer(question_);
}

} // namespace linkspan

#endif
