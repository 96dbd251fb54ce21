#include <linkspan/core/text_buffer.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

BOOST_AUTO_TEST_SUITE(text_buffer_test)

using linkspan::text_buffer;

namespace {

void append(text_buffer& to, std::string_view text)
{
    auto* const end = to.prepare(text.size());
    std::memcpy(end, text.data(), text.size());
    to.commit(end + text.size());
}

} // namespace

BOOST_AUTO_TEST_CASE(new_buffer_is_empty)
{
    text_buffer const buffer;
    BOOST_TEST(buffer.view() == "");
    BOOST_TEST(buffer.size() == 0U);
}

BOOST_AUTO_TEST_CASE(appended_texts_are_kept_while_the_buffer_grows)
{
    text_buffer buffer;
    std::string expected;
    for (int i = 0; i != 1000; ++i) {
        auto const text = std::to_string(i) + ',';
        append(buffer, text);
        expected += text;
        BOOST_TEST(buffer.view() == expected);
    }
}

BOOST_AUTO_TEST_CASE(moved_buffer_is_empty_and_can_be_used)
{
    text_buffer from;
    append(from, std::string((std::size_t{64} << 10) + 1, 'x'));
    text_buffer to = std::move(from);
    BOOST_TEST(to.size() == (std::size_t{64} << 10) + 1);
    BOOST_TEST(from.view() == "");
    BOOST_TEST(from.capacity() == 0U);
    append(from, "abc");
    BOOST_TEST(from.view() == "abc");
    from = std::move(to);
    BOOST_TEST(from.size() == (std::size_t{64} << 10) + 1);
    from.release_excess();
    BOOST_TEST(from.capacity() == 0U);
}

BOOST_AUTO_TEST_CASE(part_of_the_prepared_memory_can_be_committed)
{
    text_buffer buffer;
    auto* const begin = buffer.prepare(100);
    std::memcpy(begin, "abc", 3);
    buffer.commit(begin + 2);
    BOOST_TEST(buffer.view() == "ab");
}

BOOST_AUTO_TEST_CASE(memory_of_a_long_text_is_excess)
{
    text_buffer buffer;
    append(buffer, std::string(std::size_t{64} << 10, 'x'));
    buffer.release_excess();
    BOOST_TEST(buffer.view() == "");
    BOOST_TEST(buffer.capacity() == std::size_t{64} << 10);
    append(buffer, std::string((std::size_t{64} << 10) + 1, 'x'));
    BOOST_TEST(buffer.capacity() > std::size_t{64} << 10);
    buffer.release_excess();
    BOOST_TEST(buffer.view() == "");
    BOOST_TEST(buffer.capacity() == 0U);
    append(buffer, "abc");
    BOOST_TEST(buffer.view() == "abc");
}

BOOST_AUTO_TEST_CASE(memory_of_many_short_texts_is_kept_also_after_a_long_text)
{
    constexpr std::size_t kib = 1024;
    text_buffer buffer;
    for (int i = 0; i != 200; ++i)
        append(buffer, std::string(kib, 'x'));
    buffer.clear();
    auto const capacity = buffer.capacity();
    append(buffer, std::string(200 * kib, 'x')); // without more memory
    buffer.release_excess();
    BOOST_TEST(buffer.size() == 0U);
    BOOST_TEST(buffer.capacity() == capacity);
    append(buffer, std::string(1024 * kib + 1, 'x'));
    buffer.release_excess();
    BOOST_TEST(buffer.capacity() == 0U);
}

BOOST_AUTO_TEST_CASE(memory_of_more_than_1_mib_is_excess)
{
    text_buffer buffer;
    for (int i = 0; i != 1025; ++i)
        append(buffer, std::string(1024, 'x'));
    buffer.release_excess();
    BOOST_TEST(buffer.capacity() == 0U);
}

BOOST_AUTO_TEST_CASE(cleared_buffer_keeps_its_memory)
{
    text_buffer buffer;
    void const* const memory = buffer.prepare(100);
    append(buffer, "abc");
    buffer.clear();
    BOOST_TEST(buffer.view() == "");
    void const* const reused = buffer.prepare(100);
    BOOST_TEST(reused == memory);
}

BOOST_AUTO_TEST_SUITE_END()
