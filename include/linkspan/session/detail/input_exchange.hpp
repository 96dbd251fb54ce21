#ifndef LINKSPAN_SESSION_DETAIL_INPUT_EXCHANGE_HPP
#define LINKSPAN_SESSION_DETAIL_INPUT_EXCHANGE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/model/responder.hpp>
#include <linkspan/protocol/client/input_rounds.hpp>
#include <linkspan/protocol/client/request_op.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::detail {

class session_core;

// A request about which the server asks back, over all its rounds: asks the handlers of the session, gathers what they
// answer, and has the request sent again with it. Each request has its own, so parallel ones never mix.
//
// It is the request's; handlers that answer late find that nobody waits.
class input_exchange final : public answer_sink, public std::enable_shared_from_this<input_exchange> {
public:
    LINKSPAN_DECL input_exchange(session_core& session, request_op& op);

    // The request is over.
    void end() noexcept
    {
        op_ = nullptr;
        pause_.reset();
    }

    // One more round. The request, which waits meanwhile, may be over when this returns.
    LINKSPAN_DECL void ask(input_wanted const& wanted);

    unsigned rounds() const noexcept { return rounds_; }

    // What the params of the request get besides.
    std::string_view members() const noexcept { return members_; }

    // For people: why nobody answers.
    std::string const& refusal() const noexcept { return refusal_; }

    LINKSPAN_DECL void answer(question_id question, std::string_view result) override;
    LINKSPAN_DECL void refuse(question_id question, int code, std::string_view message) override;
    LINKSPAN_DECL bool awaits_answer(question_id question) const override;

private:
    struct question {
        std::string method;
        bool is_open = true;
    };

    bool is_waiting() const noexcept;
    bool can_ask(input_wanted const& wanted);
    void ask_each(input_wanted const& wanted);
    void go_on();
    void pause();
    void give_up(error_code ec, std::string why);

    session_core& session_; // which lives as long as `op_` is there
    request_op* op_;        // null: over
    unsigned rounds_ = 0;
    question_id first_ = 1; // of the round; those of an earlier one are void
    std::vector<question> questions_;
    std::vector<input_answer> answers_; // beside them
    std::size_t open_ = 0;              // questions without an answer
    bool asking_ = false;               // handlers are being called
    std::string state_;
    std::string members_;
    std::string refusal_;
    std::optional<timer> pause_;
};

} // namespace linkspan::detail

// Its bodies need `session_core`, which needs this: <linkspan/session/session_core.hpp> brings them.

#endif
