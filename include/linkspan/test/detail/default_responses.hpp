#ifndef LINKSPAN_TEST_DETAIL_DEFAULT_RESPONSES_HPP
#define LINKSPAN_TEST_DETAIL_DEFAULT_RESPONSES_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/script.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// A tool that a scripted server declares. Nothing is validated, so that tests can also declare invalid tools.
struct declared_tool : tool_declaration {
    std::function<std::string(std::string_view arguments)> run; // returns result members; empty: no content
};

// The default responses of a scripted server without a server behind it, to the requests for its declared tools.
struct default_responses {
    // Beginning of the cursors that the faults of pages send, so that each differs from the regular cursors. After it:
    // the index of the first tool on the page, counted from the end if negative, or "again", the first page, whose
    // `nextCursor` is the same cursor.
    static constexpr std::string_view fault_cursor = "fault:";

    std::vector<declared_tool> tools;
    std::size_t page_size = 0; // tools per page of `tools/list`; 0: all tools on one page
    action on_unknown{};       // for requests of unknown methods and tools; empty: the error of the protocol

    // Returns the first declaration of a tool; null: there is none.
    LINKSPAN_DECL declared_tool* find(std::string_view name) noexcept;

    // Adds a tool without a function, or replaces the declaration of the tool with this name.
    LINKSPAN_DECL void declare(tool_declaration const& what);

    // Removes all declarations of a tool.
    void remove(std::string_view name)
    {
        std::erase_if(tools, [&](declared_tool const& one) { return one.name == name; });
    }

    // Responds to a request that no rule has handled.
    LINKSPAN_DECL void respond(exchange& request);

private:
    void list(exchange& request) const;
};

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/default_responses.ipp>
#endif

#endif
