#ifndef LINKSPAN_SESSION_DETAIL_SESSION_END_HANDLERS_HPP
#define LINKSPAN_SESSION_DETAIL_SESSION_END_HANDLERS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Handlers for the end of the connection of a session. An operation adds one if it has times without an outstanding
// request, because the session reports its end to requests only.
class session_end_handlers {
public:
    using handler = std::function<void(error_code)>;
    using handler_id = std::uint64_t; // 0: no handler

    // Adds a handler. `session_core::close` may call the handler, which must therefore post its effects.
    handler_id add(handler added)
    {
        handlers_.emplace(++last_id_, std::move(added));
        return last_id_;
    }

    // Removes a handler. Has no effect if the handler was called.
    void remove(handler_id id) noexcept { handlers_.erase(id); }

    // Returns whether a handler was neither called nor removed.
    bool contains(handler_id id) const noexcept { return handlers_.contains(id); }

    // Called at the end of the connection, with the error of the outstanding requests: removes and calls the handlers
    // in the order of their addition.
    void on_end(error_code ec)
    {
        while (!handlers_.empty())
            handlers_.extract(handlers_.begin()).mapped()(ec);
    }

private:
    std::map<handler_id, handler> handlers_; // changed by `add`, `remove` and `on_end`
    handler_id last_id_ = 0;                 // incremented by `add`, never reset
};

} // namespace linkspan::detail

#endif
