#ifndef LINKSPAN_TEST_DETAIL_EXIT_SCOPE_HPP
#define LINKSPAN_TEST_DETAIL_EXIT_SCOPE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/script/rule_conditions.hpp>

#include <functional>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Sets `script_values::exit` of a server that starts, until the end of the scope, also if an exception ends it.
class exit_scope {
public:
    // `values` must outlive this object.
    exit_scope(script_values& values, std::function<void(int status)> exit) : values_(values)
    {
        values_.ending = false; // set by an earlier run of the same server
        values_.exit = std::move(exit);
    }
    exit_scope(exit_scope const&) = delete;
    exit_scope& operator=(exit_scope const&) = delete;
    ~exit_scope() { values_.exit = nullptr; }

private:
    script_values& values_;
};

} // namespace linkspan::test::detail

#endif
