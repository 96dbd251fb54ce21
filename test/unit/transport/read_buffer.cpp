#include <linkspan/transport/read_buffer.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>

BOOST_AUTO_TEST_SUITE(read_buffer_test)

using linkspan::read_buffer;

namespace {

constexpr auto initial = read_buffer::initial_size;
constexpr auto normal = read_buffer::normal_size;

// Returns a text without repetitions, so that a misplaced part is detected.
std::string text(std::size_t size)
{
    std::string out;
    for (std::size_t i = 0; out.size() < size; ++i)
        out += std::to_string(i) + ' ';
    return out.substr(0, size);
}

// Appends `bytes` in as many reads as required; all earlier bytes are kept.
void read(read_buffer& buffer, std::string_view bytes)
{
    while (!bytes.empty()) {
        auto const tail = buffer.bytes().size();
        auto const room = buffer.prepare();
        BOOST_TEST_REQUIRE(!room.empty());
        auto const size = std::min(room.size(), bytes.size());
        std::ranges::copy(bytes.substr(0, size), room.begin());
        buffer.commit(size);
        buffer.keep(tail + size);
        bytes.remove_prefix(size);
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(buffer_contains_the_bytes_read)
{
    read_buffer buffer;
    BOOST_TEST(buffer.bytes() == "");
    BOOST_TEST(buffer.prepare().size() == initial);
    read(buffer, "abc");
    BOOST_TEST(buffer.bytes() == "abc");
}

BOOST_AUTO_TEST_CASE(new_buffer_is_small_until_a_read_fills_it)
{
    read_buffer buffer;
    for (int message = 0; message != 3; ++message) {
        read(buffer, text(initial - 1));
        buffer.keep(0);
        BOOST_TEST(buffer.prepare().size() == initial);
    }
    for (auto const tail : {std::size_t{0}, std::size_t{1}, initial - 1}) {
        read_buffer filled;
        read(filled, text(initial));
        filled.keep(tail);
        BOOST_TEST(filled.prepare().size() == normal - tail);
        BOOST_TEST(filled.bytes() == text(initial).substr(initial - tail));
    }
}

BOOST_AUTO_TEST_CASE(buffer_is_small_once_more_after_the_first_messages_that_did_not_fit)
{
    for (auto const size : {initial, initial + 1, 3 * initial, normal, 5 * normal}) {
        read_buffer buffer;
        read(buffer, text(size) + "tail");
        buffer.keep(4);
        BOOST_TEST(buffer.prepare().size() == initial - 4);
        BOOST_TEST(buffer.bytes() == "tail");
        read(buffer, text(size));
        buffer.keep(4);
        BOOST_TEST(buffer.prepare().size() == normal - 4); // not small again immediately
        BOOST_TEST(buffer.bytes() == text(size).substr(size - 4));
    }
}

BOOST_AUTO_TEST_CASE(buffer_becomes_small_after_small_reads_in_succession)
{
    read_buffer buffer;
    auto room = buffer.prepare();
    auto const receive = [&](std::size_t size) {
        std::ranges::copy(text(size), room.begin());
        buffer.commit(size);
        buffer.keep(0);
        room = buffer.prepare();
        return room.size();
    };
    BOOST_TEST(receive(initial) == normal);
    BOOST_TEST(receive(initial) == initial); // the first time
    for (int const required : {8, 64, 512, 512}) {
        BOOST_TEST(receive(initial) == normal);
        for (int i = 1; i != required; ++i)
            BOOST_TEST_REQUIRE(receive(initial - 1) == normal);
        BOOST_TEST(receive(initial) == normal); // interrupts the succession
        for (int i = 1; i != required; ++i)
            BOOST_TEST_REQUIRE(receive(initial - 1) == normal);
        BOOST_TEST(receive(initial - 1) == initial);
    }
}

BOOST_AUTO_TEST_CASE(empty_read_changes_nothing)
{
    read_buffer buffer;
    read(buffer, "abc");
    buffer.prepare();
    buffer.commit(0);
    BOOST_TEST(buffer.bytes() == "abc");
}

BOOST_AUTO_TEST_CASE(kept_tail_precedes_the_next_bytes)
{
    read_buffer buffer;
    read(buffer, "abcdef");
    buffer.keep(2);
    BOOST_TEST(buffer.bytes() == "ef");
    read(buffer, "gh");
    BOOST_TEST(buffer.bytes() == "efgh");
    buffer.keep(0);
    BOOST_TEST(buffer.bytes() == "");
    read(buffer, "i");
    BOOST_TEST(buffer.bytes() == "i");
}

BOOST_AUTO_TEST_CASE(buffer_grows_without_losing_bytes)
{
    for (auto const size :
         {initial - 1, initial, initial + 1, normal - 1, normal, normal + 1, 4 * normal, 4 * normal + 1, 40 * normal}) {
        read_buffer buffer;
        auto const message = text(size);
        read(buffer, message);
        BOOST_TEST((buffer.bytes() == message));
        BOOST_TEST(!buffer.prepare().empty());
    }
}

// A byte of a message of up to 2 MiB is moved at most once until the message is complete, and most bytes are not moved.
// The message is the first one of the buffer in even rounds; in odd rounds, an earlier read has filled the buffer.
BOOST_AUTO_TEST_CASE(bytes_of_large_message_are_moved_at_most_once)
{
    constexpr std::array sizes{normal + 1, 4 * normal + 1, 17 * normal, 32 * normal};
    for (std::size_t round = 0; round != 2 * sizes.size(); ++round) {
        auto const size = sizes[round / 2];
        bool const is_new = round % 2 == 0;
        read_buffer buffer;
        if (!is_new) {
            read(buffer, text(initial));
            buffer.keep(0);
        }
        std::size_t moves = 0, moved = 0;
        char const* at = nullptr;
        for (std::size_t left = size; left != 0;) {
            auto const kept = buffer.bytes().size();
            auto const room = buffer.prepare();
            if (auto const* const now = buffer.bytes().data(); std::exchange(at, now) != now && kept != 0) {
                ++moves;
                moved += kept;
            }
            auto const part = std::min({room.size(), left, normal}); // one read from a pipe of Linux
            std::fill_n(room.begin(), part, 'x');
            buffer.commit(part);
            buffer.keep(kept + part);
            left -= part;
        }
        BOOST_TEST(moves == 1u);
        BOOST_TEST(moved == (is_new ? initial : normal));
        BOOST_TEST((buffer.bytes() == std::string(size, 'x')));
    }
}

BOOST_AUTO_TEST_CASE(tail_of_a_large_message_precedes_the_next_bytes)
{
    for (auto const tail : {std::size_t{0}, std::size_t{1}, normal - 1, normal, normal + 1, 2 * normal}) {
        read_buffer buffer;
        auto const first = text(4 * normal);
        read(buffer, first);
        buffer.keep(tail);
        read(buffer, "new");
        BOOST_TEST((buffer.bytes() == first.substr(first.size() - tail) + "new"));
    }
}

BOOST_AUTO_TEST_CASE(small_part_has_no_owner)
{
    read_buffer buffer;
    read(buffer, text(2 * normal));
    BOOST_TEST(buffer.owner_of(buffer.bytes().substr(0, normal - 1)) == nullptr);
    BOOST_TEST(buffer.owner_of("") == nullptr);
    BOOST_TEST(buffer.owner_of(buffer.bytes().substr(0, normal)) != nullptr);
}

BOOST_AUTO_TEST_CASE(kept_large_part_outlives_later_reads_and_the_buffer)
{
    auto const message = text(16 * normal);
    std::shared_ptr<void const> kept;
    std::string_view part;
    {
        read_buffer buffer;
        read(buffer, message + "tail");
        part = buffer.bytes().substr(0, message.size());
        kept = *buffer.owner_of(part);
        buffer.keep(4);
        read(buffer, text(20 * normal));
        BOOST_TEST((buffer.bytes() == "tail" + text(20 * normal)));
        BOOST_TEST((part == message));
    }
    BOOST_TEST((part == message));
}

BOOST_AUTO_TEST_CASE(memory_of_an_owner_that_was_not_kept_is_released)
{
    read_buffer buffer;
    read(buffer, text(2 * normal));
    std::weak_ptr<void const> const large = *buffer.owner_of(buffer.bytes());
    buffer.keep(0);
    read(buffer, "next");
    BOOST_TEST(large.expired());
    BOOST_TEST(buffer.bytes() == "next");
}

BOOST_AUTO_TEST_CASE(all_large_parts_of_one_read_can_be_kept)
{
    auto const one = text(normal), two = std::string(normal, 'x');
    read_buffer buffer;
    read(buffer, one + two);
    auto const first = buffer.bytes().substr(0, normal), second = buffer.bytes().substr(normal);
    auto const first_owner = *buffer.owner_of(first);
    auto const second_owner = *buffer.owner_of(second);
    buffer.keep(0);
    read(buffer, std::string(3 * normal, 'y'));
    BOOST_TEST((first == one));
    BOOST_TEST((second == two));
}

BOOST_AUTO_TEST_CASE(random_operations_agree_with_a_string)
{
    std::mt19937 random(7);
    auto const source = text(8 * normal);
    read_buffer buffer;
    std::string model;
    for (int step = 0; step != 3'000; ++step) {
        auto const room = buffer.prepare();
        BOOST_TEST_REQUIRE(!room.empty());
        auto const size = random() % (1 + std::min(room.size(), source.size()));
        auto const from = random() % (source.size() - size + 1);
        std::ranges::copy(std::string_view(source).substr(from, size), room.begin());
        buffer.commit(size);
        model.append(source, from, size);
        BOOST_TEST((buffer.bytes() == model));
        std::shared_ptr<void const> kept;
        if (auto const* const owner = random() % 2 == 0 ? buffer.owner_of(buffer.bytes()) : nullptr)
            kept = *owner;
        auto const tail = random() % 3 == 0 || model.size() > source.size() ? random() % 100 : model.size();
        model.erase(0, model.size() - std::min(tail, model.size()));
        buffer.keep(model.size());
    }
}

BOOST_AUTO_TEST_SUITE_END()
