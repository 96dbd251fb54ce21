#ifndef LINKSPAN_TEST_SCRIPT_GATES_HPP
#define LINKSPAN_TEST_SCRIPT_GATES_HPP

#include <linkspan/core/detail/config.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

class exchange;

/// The gates of a scripted server: named places at which actions wait until a test or another action opens the gate.
///
///     server.on(call("slow")).then(gate("data"), text("done"));
///     // ...
///     server.open_gate("data"); // the response is sent
///
/// A gate is closed until it is opened, and then stays open.
///
/// \par Thread safety
/// None: use the object on the executor of the server.
class gates {
public:
    /// Returns whether a gate was opened.
    bool is_open(std::string_view name) const
    {
        auto const found = all_.find(name);
        return found != all_.end() && found->second.is_open;
    }

    /// Returns the names of the gates that were opened.
    std::vector<std::string> opened() const
    {
        std::vector<std::string> out;
        for (auto const& [name, state] : all_)
            if (state.is_open)
                out.push_back(name);
        return out;
    }

    /// Opens a gate: the event of rules with the trigger `gate_opened` occurs, and then the waiting actions complete,
    /// in the order in which they began to wait. Has no effect if the gate is open.
    LINKSPAN_DECL void open(std::string_view name);

    /// Invokes `next` when a gate is opened; at an open gate, `next` is invoked at once.
    ///
    /// \param name Name of the gate.
    /// \param waiting The exchange whose action waits, for `forget`.
    /// \param next Invoked at most once: not after `forget` has removed the wait.
    LINKSPAN_DECL void wait(std::string_view name, exchange const& waiting, std::function<void()> next);

    /// Removes the waits of an exchange, without invoking their continuations.
    LINKSPAN_DECL void forget(exchange const& waiting);

    /// Appends a line for each gate at which an action waits, for the report of a stall.
    LINKSPAN_DECL void list_waiting(std::vector<std::string>& out, std::string_view server) const;

    /// Sets the function that is called when a gate is opened, before the waiting actions continue.
    void on_opened(std::function<void(std::string const& name)> callback) { on_opened_ = std::move(callback); }

private:
    struct wait_entry {
        exchange const* waiting;
        std::function<void()> next;
    };

    struct gate_state {
        bool is_open = false;
        std::vector<wait_entry> waits{}; // extended by wait(), emptied by open()
    };

    std::map<std::string, gate_state, std::less<>> all_; // by name; extended by open() and wait()
    std::function<void(std::string const&)> on_opened_;  // set by on_opened(); empty: nothing is called
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/gates.ipp>
#endif

#endif
