#ifndef LINKSPAN_CONNECTOR_DETAIL_SERVER_SUPERVISOR_HPP
#define LINKSPAN_CONNECTOR_DETAIL_SERVER_SUPERVISOR_HPP

#include <linkspan/connector/connector_state.hpp>
#include <linkspan/connector/restart_schedule.hpp>
#include <linkspan/connector/server_options.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Life cycle of one server, without clock and I/O: its state, its restarts and probes, and the operations that keep it
// open. The functions for events return the decisions that the caller carries out.
//
//     idle --> opening --> ready --> closing --> closed, idle or disabled
//      ^        |  ^        | |
//      |        v  | on_lost| |
//      |      waiting <-----+ | exited cleanly while no request was outstanding
//      +---------|------------+
//                v no further restart: failed; closed if `restart_options::max_restarts` is 0
//
// With `start_mode::manual`, a server that exited cleanly becomes `closed` instead of `idle`.
//
// Each start and end of the server begins an epoch, and so does a loss, except a clean exit. A handler that began in an
// earlier epoch has no effect; the caller compares its number with `epoch()`.
//
// Operations that open the server have numbers. The server is closed if all of them are cancelled, unless one of them
// has completed or a call has used the server.
//
// Invariants: `is_settled_` is false from on_starting() to on_settled(). `is_draining_` implies the state `closing`. A
// removed server is not started again. An event that throws has no effect.
class server_supervisor {
public:
    LINKSPAN_DECL explicit server_supervisor(server_options const& options);

    server_state state() const noexcept { return state_; }
    std::uint64_t epoch() const noexcept { return epoch_; }
    bool is_enabled() const noexcept { return is_enabled_; }
    bool is_removed() const noexcept { return is_removed_; }
    bool is_draining() const noexcept { return is_draining_; }

    // Returns whether the opening is complete, including the first list of tools.
    bool is_settled() const noexcept { return is_settled_; }

    // Returns whether an opening is in progress, including the first list of tools.
    bool is_opening() const noexcept
    {
        return state_ == server_state::opening || (state_ == server_state::ready && !is_settled_);
    }

    // Returns whether the server is not connected, is not being opened, and is not started by a call.
    bool is_down() const noexcept
    {
        return state_ != server_state::ready && state_ != server_state::opening && state_ != server_state::idle;
    }

    // Returns whether the server is down because it was lost, or could not be opened, and is not restarted.
    bool has_given_up() const noexcept { return has_given_up_; }

    // Returns whether a call can wait for the server: it is being opened, can be started by the call, or is restarted
    // within `restart_options::patience`.
    LINKSPAN_DECL bool is_starting_soon(time_point now) const noexcept;

    // Returns the time of the scheduled restart. Precondition: the state is `waiting`.
    time_point restart_at() const noexcept { return restart_at_; }

    // Returns whether the restarts are slow, because there were too many.
    bool is_slow() const noexcept { return restarts_.is_slow(); }

    // Returns a text about the next start of a disconnected server, for the end of a message. Empty: the next call that
    // needs the server starts it.
    LINKSPAN_DECL std::string restart_text(time_point now) const;

    // Returns whether the state has changed since the last call of this function.
    bool take_state_change() noexcept { return std::exchange(reported_state_, state_) != state_; }

    // Opening

    // Step that follows on_demanded().
    enum class demand {
        ready, // the server is open
        wait,  // the caller waits: an opening, a restart or a shutdown is in progress, or the server is disabled
        start, // the caller starts the server
    };

    // Event: an operation or a call needs the server. `operation`: number of the operation; 0: a call or a replacement,
    // which keeps the server open. `now`: a scheduled restart takes place immediately.
    LINKSPAN_DECL demand on_demanded(std::uint64_t operation, bool now);

    // Event: an `async_open` begins. Adds its number to a ready server, which then stays open if the operations that
    // opened the server are cancelled.
    LINKSPAN_DECL void on_open_operation(std::uint64_t operation);

    // Event: `async_open` makes a closed server with `start_mode::lazy` idle. Returns whether the state has changed.
    LINKSPAN_DECL bool on_activated() noexcept;

    // Event: a call uses the server.
    void on_used() noexcept { is_kept_ = true; }

    // Event: an operation has completed or was cancelled. Returns true if the server has to be closed, because only
    // cancelled operations have opened it.
    [[nodiscard]] LINKSPAN_DECL bool on_released(std::uint64_t operation, bool is_cancelled);

    // Event: the server is being started. An epoch begins.
    LINKSPAN_DECL void on_starting() noexcept;

    // Event: the connection is open.
    LINKSPAN_DECL void on_connected(time_point now) noexcept;

    // Event: the opening is complete, or has failed.
    void on_settled() noexcept { is_settled_ = true; }

    // Loss

    // Step that follows a loss of the connection.
    struct loss {
        enum class kind {
            none,           // the shutdown is in progress
            end,            // the server was being drained: its shutdown begins
            exited_cleanly, // the child process exited cleanly: the server is not restarted automatically
            restart,        // the caller restarts the server after `wait`
            given_up,       // the server is not restarted
        };

        kind what = kind::none;
        duration wait{};          // restart: until the restart
        bool turned_slow = false; // the restarts are slow from now on
        bool was_opening = false; // the first list of tools was outstanding
    };

    // Event: the connection was lost, or could not be opened. `draw`: 64 random bits. `exited_idle`: the child process
    // exited without an error while no requests were outstanding. An epoch begins if the step is `restart` or
    // `given_up`.
    [[nodiscard]] LINKSPAN_DECL loss on_lost(time_point now, std::uint64_t draw, bool exited_idle);

    // Event: the restart after on_lost() is scheduled.
    void on_restart_scheduled(time_point at) noexcept { restart_at_ = at; }

    // Probes

    // Returns whether a probe may start now or be scheduled.
    bool may_probe() const noexcept { return state_ == server_state::ready && !is_probing_; }

    // Events: a probe is scheduled, has started, has ended.
    void on_probe_scheduled(time_point at) noexcept { probe_at_ = at; }
    void on_probe_started() noexcept { is_probing_ = true; }
    void on_probe_ended() noexcept { is_probing_ = false; }

    // Event: a probe that was started at `began` was sent, and has had no response. `received`: time of the last
    // message of the server. `has_calls`: calls are outstanding. Returns true if the caller ends the connection,
    // because the server has sent no message for `restart_options::unresponsive_after`.
    [[nodiscard]] LINKSPAN_DECL bool on_no_response(time_point began, time_point received, bool has_calls,
                                                    time_point now) noexcept;

    // Returns the time of the last scheduled probe.
    time_point probe_at() const noexcept { return probe_at_; }

    // Ending

    // Event: the server is to be shut down. `after`: state after the shutdown; a disabled server becomes `disabled`.
    // Returns false if the shutdown is in progress already. An epoch begins otherwise. The server is not started again
    // for operations that demanded it before.
    [[nodiscard]] LINKSPAN_DECL bool on_end(server_state after) noexcept;

    // Event: the server with outstanding calls is to be shut down when they are complete. `after`: as for on_end().
    // Returns false if the server is being drained already. An epoch begins otherwise. Precondition: the server is
    // ready or is being drained. The server is not started again for operations that demanded it before.
    [[nodiscard]] LINKSPAN_DECL bool on_drain(server_state after) noexcept;

    // Event: the calls of a server that is being drained are complete, or its drain timeout has elapsed. Returns true
    // if the shutdown begins, and with it an epoch; false if the server is not being drained.
    [[nodiscard]] LINKSPAN_DECL bool on_drained() noexcept;

    // Returns the state after the shutdown in progress.
    server_state after() const noexcept { return after_; }

    // Returns the state after `async_disconnect`: a call starts the server again only with `start_mode::lazy`.
    server_state after_disconnect() const noexcept
    {
        return start_ == start_mode::lazy ? server_state::idle : server_state::closed;
    }

    // Event: the shutdown is complete. Returns false if the server was closed meanwhile.
    [[nodiscard]] LINKSPAN_DECL bool on_ended() noexcept;

    // Returns whether the server is started again after the shutdown, if an operation or a call waits for it.
    bool may_start_again() const noexcept
    {
        return state_ != server_state::disabled && !is_removed_ && (is_kept_ || !operations_.empty());
    }

    // Events: the server is being closed without a graceful shutdown, and an epoch begins; the server is closed.
    // on_closed() returns whether the state has changed.
    LINKSPAN_DECL void on_closing() noexcept;
    [[nodiscard]] LINKSPAN_DECL bool on_closed(server_state after) noexcept;

    // Events: `async_enable`, which returns whether the server was disabled; `async_disable`; the server was removed.
    LINKSPAN_DECL bool on_enabled() noexcept;
    void on_disabled() noexcept { is_enabled_ = false; }
    void on_removed() noexcept { is_removed_ = true; }

private:
    server_state initial_state() const noexcept;
    void forget_operations() noexcept;

    restart_options const options_;             // set by the constructor
    start_mode const start_;                    // set by the constructor
    bool is_enabled_;                           // set by the constructor, on_enabled() and on_disabled()
    server_state state_;                        // changed by the events
    server_state reported_state_;               // state at the last call of take_state_change()
    server_state after_ = server_state::closed; // state after the shutdown; set by on_end(), on_drain(), on_enabled()
    bool is_removed_ = false;                   // set by on_removed(), never cleared
    bool is_draining_ = false;                  // set by on_drain(), cleared by on_drained(), on_end(), on_closing()
    // Set by on_lost() with `given_up`; cleared by on_starting(), on_end(), on_drain() and on_closing().
    bool has_given_up_ = false;
    bool is_settled_ = false; // cleared by on_starting(), set by on_settled()
    bool is_probing_ = false; // set by on_probe_started(), cleared by on_probe_ended()
    // Set by on_used(), on_demanded() without an operation, and on_released() without a cancellation. Cleared when the
    // server is demanded in the state `idle`, `closed` or `failed`, and when it ends.
    bool is_kept_ = false;
    // Numbers of the outstanding operations that opened the server or wait for its opening. Added by on_demanded() and
    // on_open_operation(), erased by on_released(), cleared when the server ends.
    std::vector<std::uint64_t> operations_;
    restart_schedule restarts_; // updated by each opening and loss; reset when an operation or a call starts the server
    time_point restart_at_{};   // set by on_restart_scheduled()
    time_point probe_at_{};     // set by on_probe_scheduled()
    // Start of the first probe without a response after the last message; set by on_no_response().
    time_point silent_since_ = time_point::min();
    std::uint64_t epoch_ = 0; // incremented by each start, end and loss, except a clean exit
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/server_supervisor.ipp>
#endif

#endif
