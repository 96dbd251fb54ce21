#ifndef LINKSPAN_MODEL_RESPONDER_HPP
#define LINKSPAN_MODEL_RESPONDER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/json_writer.hpp>

#include <boost/json/fwd.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace linkspan {

namespace detail {

// Tells the server's requests apart; its own ids may come again. 0: none.
using question_id = std::uint64_t;

// Where answers go.
class answer_sink {
public:
    virtual void answer(question_id question, std::string_view result) = 0;
    virtual void refuse(question_id question, int code, std::string_view message) = 0;
    virtual bool awaits_answer(question_id question) const = 0;

protected:
    ~answer_sink() = default;
};

} // namespace detail

/// Answers one request of the server, now or later; whoever holds it owes the answer. Dropped without one, it answers
/// -32603.
///
/// Lifetime: may outlive the session; then an answer goes nowhere.
/// Thread safety: used on the executor of the session.
class responder {
public:
    LINKSPAN_DECL responder(std::weak_ptr<detail::answer_sink> session, detail::question_id question);
    responder(responder&& other) noexcept
        : session_(std::move(other.session_)), question_(std::exchange(other.question_, 0))
    {}
    responder& operator=(responder&&) = delete;
    LINKSPAN_DECL ~responder();

    /// Answers with a result.
    LINKSPAN_DECL void operator()(boost::json::object const& result);
    LINKSPAN_DECL void operator()(raw_json result);

    /// Answers with an error.
    LINKSPAN_DECL void refuse(int code, std::string_view message);

    /// False when the session is over or the server withdrew its request: nobody waits for the answer.
    LINKSPAN_DECL bool is_awaited() const noexcept;

private:
    std::weak_ptr<detail::answer_sink> session_;
    detail::question_id question_; // 0 once answered
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/model/impl/responder.ipp>
#endif

#endif
