#ifndef LINKSPAN_RESPONDER_HPP
#define LINKSPAN_RESPONDER_HPP

#include <linkspan/detail/config.hpp>
#include <linkspan/json_writer.hpp>

#include <boost/json/fwd.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan {

namespace detail {

// Where answers go.
class answer_sink {
public:
    virtual void answer(std::string_view raw_id, std::string_view result) = 0;
    virtual void refuse(std::string_view raw_id, int code, std::string_view message) = 0;
    virtual bool awaits_answer(std::string_view raw_id) const = 0;

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
    LINKSPAN_DECL responder(std::weak_ptr<detail::answer_sink> session, std::string raw_id);
    responder(responder&& other) noexcept
        : session_(std::move(other.session_)), raw_id_(std::exchange(other.raw_id_, {}))
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
    std::string raw_id_; // empty once answered
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/impl/responder.ipp>
#endif

#endif
