#ifndef LINKSPAN_TEST_DETAIL_EXIT_SCOPE_HPP
#define LINKSPAN_TEST_DETAIL_EXIT_SCOPE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/scripted_server.hpp>

#include <functional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Sets `script_values::exit` of a server that starts, until the end of the scope, also if an exception ends it. The end
// of the scope ends the actions of events, whose timers use an execution context that ends later.
class exit_scope {
public:
    // `server` must outlive this object.
    exit_scope(scripted_server& server, std::function<void(int status)> exit) : server_(server)
    {
        server_.values().ending = false; // set by an earlier run of the same server
        server_.values().exit = std::move(exit);
    }
    exit_scope(exit_scope const&) = delete;
    exit_scope& operator=(exit_scope const&) = delete;
    ~exit_scope()
    {
        server_.end_actions();
        server_.values().exit = nullptr;
    }

private:
    scripted_server& server_; // set by the constructor
};

} // namespace linkspan::test::detail

#endif
