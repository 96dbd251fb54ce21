#include <linkspan/transport/write_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <deque>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(write_queue_test)

using linkspan::request_id;
using linkspan::write_queue;

namespace {

using ids = std::vector<request_id>;

ids unsent(write_queue& queue)
{
    ids failed;
    queue.fail(failed);
    return failed;
}

// Accepts `size` bytes, or all bytes if there are fewer, like a stream in one or more writes.
std::string taken(write_queue& queue, std::size_t size = std::string::npos)
{
    std::string out;
    while (!queue.empty() && out.size() < size) {
        auto const bytes = queue.front().substr(0, size - out.size());
        out += bytes;
        queue.accepted(bytes.size());
    }
    return out;
}

// Adds three requests and two messages with id 0.
write_queue filled()
{
    write_queue queue;
    queue.add(0, "n");
    queue.add(1, "one");
    queue.add(2, "");
    queue.add(0, "nn");
    queue.add(3, "three");
    return queue;
}

constexpr std::string_view all_lines = "n\none\n\nnn\nthree\n";

} // namespace

BOOST_AUTO_TEST_CASE(bytes_are_queued_in_order_without_changes)
{
    write_queue queue;
    queue.add(1, "one");
    queue.add_bytes("a\r\nb");
    queue.add(2, "two");
    BOOST_TEST(queue.size() == 12u);
    BOOST_TEST(queue.remove(2)); // the position of the line includes the bytes before it
    queue.add(3, "three");
    BOOST_TEST(taken(queue) == "one\na\r\nbthree\n");
    BOOST_TEST(queue.empty());
    BOOST_TEST(unsent(queue).empty());
}

BOOST_AUTO_TEST_CASE(lines_are_queued_in_order_with_line_ends)
{
    auto queue = filled();
    BOOST_TEST(!queue.empty());
    BOOST_TEST(queue.size() == all_lines.size());
    BOOST_TEST(queue.front() == all_lines);
    BOOST_TEST(taken(queue) == all_lines);
    BOOST_TEST(queue.empty());
    BOOST_TEST(queue.size() == 0u);
}

BOOST_AUTO_TEST_CASE(unaccepted_bytes_remain_at_the_front_of_the_queue)
{
    auto queue = filled();
    queue.accepted(queue.front().substr(0, 4).size());
    BOOST_TEST(queue.front() == all_lines.substr(4));
    queue.accepted(0);
    BOOST_TEST(queue.front() == all_lines.substr(4));
    BOOST_TEST(queue.size() == all_lines.size() - 4);
}

BOOST_AUTO_TEST_CASE(lines_added_during_a_write_do_not_move_its_bytes)
{
    write_queue queue;
    queue.add(1, "one");
    auto const bytes = queue.front();
    for (request_id id = 2; id != 1'000; ++id)
        queue.add(id, std::string(100, 'x'));
    BOOST_TEST(bytes == "one\n");
    queue.accepted(bytes.size());
    BOOST_TEST(taken(queue).size() == 998u * 101u);
}

BOOST_AUTO_TEST_CASE(request_is_unsent_exactly_if_its_line_end_was_not_accepted)
{
    for (std::size_t accepted = 0; accepted <= all_lines.size(); ++accepted) {
        auto queue = filled();
        BOOST_TEST(taken(queue, accepted) == all_lines.substr(0, accepted));
        ids expected;
        for (auto const& [id, end] : {std::pair<request_id, std::size_t>(1, 6), {2, 7}, {3, 16}})
            if (end > accepted)
                expected.push_back(id);
        BOOST_TEST_CONTEXT("accepted " << accepted) {
            BOOST_TEST(unsent(queue) == expected, boost::test_tools::per_element());
            BOOST_TEST(queue.empty());
            BOOST_TEST(unsent(queue) == ids(), boost::test_tools::per_element());
        }
    }
}

BOOST_AUTO_TEST_CASE(requests_of_both_buffers_are_unsent)
{
    write_queue queue;
    queue.add(1, "one");
    queue.add(2, "two");
    queue.accepted(queue.front().substr(0, 5).size());
    queue.add(3, "three");
    BOOST_TEST(unsent(queue) == (ids{2, 3}), boost::test_tools::per_element());
    BOOST_TEST(queue.size() == 0u);
}

BOOST_AUTO_TEST_CASE(unsent_requests_are_appended_to_the_list)
{
    ids failed = {9};
    filled().fail(failed);
    BOOST_TEST(failed == (ids{9, 1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(removed_message_leaves_no_bytes)
{
    constexpr std::string_view rest[] = {"n\n\nnn\nthree\n", "n\none\nnn\nthree\n", "n\none\n\nnn\n"};
    for (request_id id = 1; id != 4; ++id) {
        auto queue = filled();
        BOOST_TEST(queue.remove(id));
        BOOST_TEST(!queue.remove(id));
        BOOST_TEST(queue.size() == rest[id - 1].size());
        BOOST_TEST(taken(queue) == rest[id - 1]);
        BOOST_TEST(unsent(queue) == ids(), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(partially_written_message_cannot_be_removed)
{
    write_queue queue;
    queue.add(1, "one");
    queue.accepted(queue.front().substr(0, 2).size());
    queue.add(2, "two");
    queue.add(3, "three");
    BOOST_TEST(!queue.remove(1));
    BOOST_TEST(queue.remove(2));
    BOOST_TEST(taken(queue) == "e\nthree\n");
    BOOST_TEST(!queue.remove(1));
    BOOST_TEST(!queue.remove(3));
}

BOOST_AUTO_TEST_CASE(unknown_message_cannot_be_removed)
{
    write_queue empty;
    BOOST_TEST(!empty.remove(1));
    auto queue = filled();
    BOOST_TEST(!queue.remove(4));
    BOOST_TEST(!queue.remove(0));
    BOOST_TEST(taken(queue) == all_lines);
}

BOOST_AUTO_TEST_CASE(memory_of_a_long_line_is_released_when_the_line_is_accepted)
{
    constexpr std::size_t size = std::size_t{1} << 20;
    write_queue queue;
    for (request_id id = 1; id != 4; ++id) {
        queue.add(id, std::string(size, 'x'));
        BOOST_TEST(queue.capacity() > size);
        BOOST_TEST(taken(queue, size).size() == size);
        BOOST_TEST(queue.capacity() > size); // the line end is not accepted
        BOOST_TEST(taken(queue) == "\n");
        BOOST_TEST(queue.capacity() == 0u);
    }
    BOOST_TEST(unsent(queue) == ids(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(memory_of_a_long_line_that_is_collected_during_a_write_is_released)
{
    write_queue queue;
    queue.add(1, "one");
    auto const bytes = queue.front();
    queue.add(2, std::string(100'000, 'x'));
    queue.accepted(bytes.size());
    BOOST_TEST(queue.capacity() > 100'000u);
    BOOST_TEST(taken(queue).size() == 100'001u);
    BOOST_TEST(queue.capacity() <= 64u); // that of the short line
}

BOOST_AUTO_TEST_CASE(memory_of_a_long_line_is_released_when_the_line_is_removed)
{
    write_queue queue;
    queue.add(1, std::string(100'000, 'x'));
    BOOST_TEST(queue.remove(1));
    BOOST_TEST(queue.capacity() == 0u);
    queue.add(2, "two");
    BOOST_TEST(taken(queue) == "two\n");
}

BOOST_AUTO_TEST_CASE(memory_of_many_short_lines_is_kept_up_to_1_mib)
{
    write_queue queue;
    auto const add_lines = [&](int count) {
        for (int i = 0; i != count; ++i)
            queue.add(0, std::string(1'000, 'x'));
        BOOST_TEST(taken(queue).size() == static_cast<std::size_t>(count) * 1'001u);
    };
    add_lines(300);
    auto const kept = queue.capacity();
    BOOST_TEST(kept >= 300u * 1'001u);
    add_lines(300);
    add_lines(300);
    BOOST_TEST(queue.capacity() <= 2 * kept); // of both buffers
    add_lines(2'000);
    BOOST_TEST(queue.capacity() <= std::size_t{1} << 20);
}

BOOST_AUTO_TEST_CASE(queue_of_a_failed_stream_has_no_memory)
{
    auto queue = filled();
    queue.add(4, std::string(1'000, 'x'));
    BOOST_TEST(unsent(queue) == (ids{1, 2, 3, 4}), boost::test_tools::per_element());
    BOOST_TEST(queue.capacity() == 0u);
}

BOOST_AUTO_TEST_CASE(random_operations_send_all_lines_that_were_not_removed)
{
    struct line {
        request_id id;
        std::string text;
        bool may_be_removed;
    };
    std::mt19937 random(7);
    auto const below = [&random](std::size_t n) { return random() % n; };
    for (int round = 0; round != 500; ++round) {
        write_queue queue;
        std::vector<line> lines;
        std::string written;
        std::size_t left_of_front = 0; // while bytes of a front are left, no line is appended to it
        for (request_id id = 1; id != 40; ++id)
            switch (below(4)) {
            case 0:
            case 1: {
                auto const known = below(5) == 0 ? 0 : id;
                lines.push_back({known, std::string(below(6), static_cast<char>('a' + id % 26)) + '\n', known != 0});
                queue.add(known, lines.back().text.substr(0, lines.back().text.size() - 1));
                break;
            }
            case 2: {
                if (queue.empty())
                    break;
                auto const bytes = queue.front();
                if (left_of_front == 0)
                    for (auto& each : lines)
                        each.may_be_removed = false;
                auto const size = below(bytes.size() + 1);
                written += bytes.substr(0, size);
                left_of_front = bytes.size() - size;
                queue.accepted(size);
                break;
            }
            default: {
                if (lines.empty())
                    break;
                auto const which = lines.begin() + static_cast<std::ptrdiff_t>(below(lines.size()));
                BOOST_TEST(queue.remove(which->id) == which->may_be_removed);
                if (which->may_be_removed)
                    lines.erase(which);
            }
            }
        std::string all;
        ids expected;
        for (auto const& each : lines)
            if ((all += each.text).size() > written.size() && each.id != 0)
                expected.push_back(each.id);
        BOOST_TEST_CONTEXT("round " << round) {
            BOOST_TEST(all.starts_with(written));
            BOOST_TEST(queue.size() == all.size() - written.size());
            BOOST_TEST(unsent(queue) == expected, boost::test_tools::per_element());
        }
    }
}

BOOST_AUTO_TEST_CASE(only_line_breaks_of_long_messages_become_spaces)
{
    for (std::size_t size = 1; size != 150; ++size)
        for (char const c : {'\n', '\r', '\t', '\x01'}) {
            std::string line(size, 'x');
            line[size / 2] = c;
            write_queue queue;
            queue.add(0, "{\t}");
            queue.add(1, line);
            if (c == '\n' || c == '\r')
                line[size / 2] = ' ';
            BOOST_TEST(taken(queue) == "{\t}\n" + line + "\n");
        }
}

BOOST_AUTO_TEST_CASE(line_breaks_within_a_message_become_spaces)
{
    write_queue queue;
    queue.add(1, "{\n\"a\":\r\n1}");
    queue.add(2, "{}");
    BOOST_TEST(taken(queue) == "{ \"a\":  1}\n{}\n");
}

BOOST_AUTO_TEST_CASE(line_that_was_written_to_the_output_is_not_copied)
{
    write_queue queue;
    queue.add(1, "one");
    std::string_view const text = "{\n}";
    char* const to = queue.output().prepare(text.size() + 1);
    text.copy(to, text.size());
    queue.add(2, {to, text.size()});
    BOOST_TEST((queue.output().view().data() + 4 == to));
    queue.add(3, "three");
    auto const bytes = queue.front();
    BOOST_TEST(bytes == "one\n{ }\nthree\n");
    queue.accepted(bytes.size());
    BOOST_TEST(queue.empty());
}

BOOST_AUTO_TEST_CASE(line_that_was_written_to_the_output_and_not_added_has_no_effect)
{
    write_queue queue;
    queue.add(1, "one");
    std::string_view("other").copy(queue.output().prepare(6), 5);
    queue.add(2, "two");
    BOOST_TEST(taken(queue) == "one\ntwo\n");
}

BOOST_AUTO_TEST_CASE(failed_allocation_adds_no_line)
{
    std::string const line(100, 'x');
    linkspan::test::fail_each_allocation([&](auto& failing) {
        write_queue queue;
        queue.add(1, "one");
        queue.add(2, "two");
        if (!failing([&] { queue.add(3, line); })) {
            BOOST_TEST(queue.size() == 8u);
            BOOST_TEST(!queue.remove(3));
            queue.add(3, line);
        }
        BOOST_TEST(queue.size() == 109u);
        BOOST_TEST(queue.remove(1));
        BOOST_TEST(taken(queue, 4) == "two\n");
        ids failed;
        if (!failing([&] { queue.fail(failed); }))
            queue.fail(failed);
        BOOST_TEST(failed == ids{3}, boost::test_tools::per_element());
        BOOST_TEST(queue.empty());
    });
}

BOOST_AUTO_TEST_SUITE_END()
