#ifndef LINKSPAN_TEST_SCRIPT_IMPL_REPEATED_NAMES_IPP
#define LINKSPAN_TEST_SCRIPT_IMPL_REPEATED_NAMES_IPP

#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/script/detail/found_text.hpp>
#include <linkspan/test/script/detail/parse_params.hpp>
#include <linkspan/test/script/detail/repeated_names.hpp>
#include <linkspan/test/script/detail/script_problems.hpp>

#include <cstddef>
#include <set>
#include <string>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Reads an object or array to its end, and appends the problems in it. `at`: its location. The depth of a value is
// limited by `json_scan`.
inline void find_repeated_names(json_scan::reader& in, std::string const& at, std::vector<diagnostic>& out)
{
    std::set<std::string> names;
    std::size_t index = 0;
    while (auto const key = in.next_key()) {
        std::string name;
        if (in.is_object())
            json_scan::append_unescaped(name, *key);
        else
            name = std::to_string(index++);
        auto const here = at + "/" + linkspan::detail::shortened_key(name);
        bool const is_repeated = !names.insert(std::move(name)).second;
        auto const before = out.size();
        std::string_view value;
        if (in.peek() == '{' || in.peek() == '[') {
            auto inner = in.enter();
            find_repeated_names(inner, here, out);
            value = in.leave(inner);
        } else {
            value = in.skip();
        }
        if (is_repeated && out.size() < max_script_problems)
            out.insert(
                out.begin() + static_cast<std::ptrdiff_t>(before),
                {.pointer = here,
                 .message = expected_but_found("no second member of this name", short_json(parse_params(value)))});
    }
}

LINKSPAN_DECL std::vector<diagnostic> repeated_names(std::string_view json)
{
    std::vector<diagnostic> out;
    if (!json_scan::is_value(json))
        return out;
    json_scan::reader in(json);
    find_repeated_names(in, {}, out);
    return out;
}

} // namespace linkspan::test::detail

#endif
