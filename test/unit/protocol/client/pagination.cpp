#include <linkspan/protocol/client/pagination.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(pagination_test)

using linkspan::error;
using linkspan::error_code;
using linkspan::pagination;
using kind = linkspan::pagination::action::kind;

namespace {

std::string page(std::string_view next_cursor)
{
    return R"({"tools":[],"nextCursor":)" + std::string(next_cursor) + "}";
}

std::string cursor(std::size_t number) { return '"' + std::to_string(number) + '"'; }

bool is_failure(pagination::action const& next, error expected)
{
    return next.what == kind::failed && next.ec == error_code(expected);
}

} // namespace

BOOST_AUTO_TEST_CASE(page_without_cursor_is_the_last_one)
{
    for (auto const last : {R"({"tools":[]})", R"({"tools":[],"nextCursor":null})", "{}",
                            R"({"tools":[{"nextCursor":"x"}],"_meta":{"nextCursor":"x"}})"}) {
        pagination pages;
        auto const next = pages.on_page(last);
        BOOST_TEST((next.what == kind::done), last);
        BOOST_TEST(!next.ec);
    }
}

BOOST_AUTO_TEST_CASE(cursor_is_passed_on_as_written)
{
    pagination pages;
    for (std::string const text : {R"("abc")", R"("")", R"("a\"b\\\u00e9")", R"("null")", R"("eyJwYWdlIjoyfQ==")"}) {
        auto const next = pages.on_page(page(text));
        BOOST_TEST((next.what == kind::next_page));
        BOOST_TEST(next.cursor == text);
        BOOST_TEST(!next.ec);
    }
    BOOST_TEST((pages.on_page("{}").what == kind::done));
}

BOOST_AUTO_TEST_CASE(cursor_remains_valid_after_its_page_is_destroyed)
{
    pagination pages;
    std::string_view kept;
    {
        // Both texts exceed the small-string capacity.
        auto const text = page('"' + std::string(100, 'x') + '"');
        kept = pages.on_page(text).cursor;
    }
    BOOST_TEST(kept == '"' + std::string(100, 'x') + '"');
}

BOOST_AUTO_TEST_CASE(repeated_cursor_is_an_error)
{
    pagination neighbours;
    neighbours.on_page(page(R"("a")"));
    BOOST_TEST(is_failure(neighbours.on_page(page(R"("a")")), error::repeated_cursor));

    pagination circle;
    for (auto const text : {R"("a")", R"("")", R"("b")"})
        BOOST_TEST((circle.on_page(page(text)).what == kind::next_page));
    BOOST_TEST(is_failure(circle.on_page(page(R"("")")), error::repeated_cursor));
}

BOOST_AUTO_TEST_CASE(cursor_that_is_not_a_string_is_malformed)
{
    for (auto const text : {"7", "true", "{}", R"(["a"])"}) {
        pagination pages;
        BOOST_TEST(is_failure(pages.on_page(page(text)), error::malformed_message));
    }
}

BOOST_AUTO_TEST_CASE(list_can_have_as_many_pages_as_the_limit)
{
    for (std::size_t const limit : {std::size_t{1}, std::size_t{3}, pagination::default_max_pages}) {
        pagination accepted(limit), outgrows(limit);
        for (std::size_t number = 1; number != limit; ++number) {
            BOOST_TEST((accepted.on_page(page(cursor(number))).what == kind::next_page));
            BOOST_TEST((outgrows.on_page(page(cursor(number))).what == kind::next_page));
        }
        BOOST_TEST((accepted.on_page("{}").what == kind::done));
        BOOST_TEST(is_failure(outgrows.on_page(page(cursor(limit))), error::list_too_long));
    }
}

BOOST_AUTO_TEST_CASE(default_limit_of_pages_applies)
{
    pagination pages;
    for (std::size_t number = 1; number != pagination::default_max_pages; ++number)
        BOOST_TEST((pages.on_page(page(cursor(number))).what == kind::next_page));
    BOOST_TEST(is_failure(pages.on_page(page(R"("one too many")")), error::list_too_long));
}

BOOST_AUTO_TEST_CASE(page_is_read_again_after_a_failed_allocation)
{
    auto const first = page('"' + std::string(40, 'a') + '"'), second = page('"' + std::string(40, 'b') + '"');
    linkspan::test::fail_each_allocation([&](auto& failing) {
        pagination pages(3);
        for (auto const* each : {&first, &second}) {
            pagination::action next{kind::done, {}, {}};
            if (!failing([&] { next = pages.on_page(*each); }))
                next = pages.on_page(*each);
            BOOST_TEST((next.what == kind::next_page));
            BOOST_TEST(page(next.cursor) == *each);
        }
        BOOST_TEST(is_failure(pages.on_page(first), error::repeated_cursor));
        BOOST_TEST(is_failure(pages.on_page(page(R"("c")")), error::list_too_long));
    });
}

BOOST_AUTO_TEST_SUITE_END()
