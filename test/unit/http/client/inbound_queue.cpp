#include <linkspan/http/client/detail/inbound_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(inbound_queue_test)

using linkspan::certainty;
using linkspan::envelope;
using linkspan::error;
using linkspan::inbound_message;
using linkspan::inbound_notice;
using linkspan::inbound_report;
using linkspan::detail::inbound_queue;

namespace {

std::string response(std::size_t size)
{
    return R"({"jsonrpc":"2.0","id":1,"result":")" + std::string(size, 'x') + "\"}";
}

void add(inbound_queue& queue, std::string text, linkspan::request_id of = 1)
{
    auto const structure = linkspan::read_envelope(text);
    queue.add_message(std::move(text), structure, of, certainty::completed);
}

bool is_within(std::string_view part, std::string_view whole)
{
    return std::less_equal<>()(whole.data(), part.data()) &&
           std::less_equal<>()(part.data() + part.size(), whole.data() + whole.size());
}

} // namespace

BOOST_AUTO_TEST_CASE(items_are_taken_in_their_order)
{
    inbound_queue queue;
    BOOST_TEST(queue.empty());
    add(queue, "first");
    queue.add_report({}, "second", "");
    queue.add_notice({inbound_notice::kind::unexpected_output, {}}, "third");
    BOOST_TEST(!queue.empty());
    auto const batch = queue.take();
    BOOST_TEST(queue.empty());
    BOOST_REQUIRE(batch.size() == 3U);
    BOOST_TEST(std::get<inbound_message>(batch[0]).bytes == "first");
    BOOST_TEST(std::get<inbound_report>(batch[1]).first_bytes == "second");
    BOOST_TEST(std::get<inbound_notice>(batch[2]).text == "third");
}

BOOST_AUTO_TEST_CASE(empty_queue_yields_an_empty_batch)
{
    inbound_queue queue;
    BOOST_TEST(queue.take().empty());
    add(queue, "a");
    queue.take();
    BOOST_TEST(queue.take().empty());
}

BOOST_AUTO_TEST_CASE(message_keeps_its_exchange_and_its_certainty)
{
    inbound_queue queue;
    queue.add_message("{}", {}, 7, certainty::refused);
    auto const batch = queue.take();
    auto const& message = std::get<inbound_message>(batch[0]);
    BOOST_TEST(message.exchange == 7);
    BOOST_TEST((message.max_certainty == certainty::refused));
}

BOOST_AUTO_TEST_CASE(items_that_are_added_during_a_batch_are_in_the_next_one)
{
    inbound_queue queue;
    add(queue, response(100));
    auto const batch = queue.take();
    auto const& message = std::get<inbound_message>(batch[0]);
    for (int i = 0; i != 100; ++i)
        add(queue, response(200));
    BOOST_TEST(message.bytes == response(100));
    BOOST_TEST(message.structure->result.size() == 102U);
    queue.release();
    BOOST_TEST(queue.take().size() == 100U);
}

BOOST_AUTO_TEST_CASE(structure_refers_to_the_text_of_its_message)
{
    for (std::size_t const size : {std::size_t{100}, inbound_queue::large_message}) {
        inbound_queue queue;
        for (int i = 0; i != 20; ++i) // the queue grows
            add(queue, response(size));
        for (auto const& item : queue.take()) {
            auto const& message = std::get<inbound_message>(item);
            BOOST_TEST(message.bytes == response(size));
            BOOST_REQUIRE(message.structure);
            BOOST_TEST(is_within(message.structure->result, message.bytes));
        }
    }
}

BOOST_AUTO_TEST_CASE(short_message_has_no_structure)
{
    inbound_queue queue;
    add(queue, "{}"); // stored inside the string object, which moves
    auto const batch = queue.take();
    auto const& message = std::get<inbound_message>(batch[0]);
    BOOST_TEST(message.bytes == "{}");
    BOOST_TEST(!message.structure);
    BOOST_TEST(message.elements.empty());
}

BOOST_AUTO_TEST_CASE(elements_of_a_batch_are_kept_with_its_structure)
{
    inbound_queue queue;
    auto text = "[" + response(50) + "]";
    std::vector elements{linkspan::read_envelope(std::string_view(text).substr(1, text.size() - 2))};
    auto const structure = linkspan::read_envelope(text);
    queue.add_message(std::move(text), structure, 0, certainty::completed, std::move(elements));
    auto const batch = queue.take();
    auto const& message = std::get<inbound_message>(batch[0]);
    BOOST_REQUIRE(message.elements.size() == 1U);
    BOOST_TEST(is_within(message.elements[0].result, message.bytes));
}

BOOST_AUTO_TEST_CASE(receiver_can_keep_a_large_message)
{
    inbound_queue queue;
    auto const text = response(inbound_queue::large_message);
    add(queue, text);
    add(queue, response(10));
    std::shared_ptr<void const> kept;
    std::string_view bytes;
    {
        auto const batch = queue.take();
        auto const& large = std::get<inbound_message>(batch[0]);
        BOOST_REQUIRE(large.owner);
        kept = *large.owner;
        bytes = large.bytes;
        BOOST_TEST(!std::get<inbound_message>(batch[1]).owner);
    }
    queue.release();
    BOOST_TEST(bytes == text);
    BOOST_TEST(kept.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(release_frees_large_messages_of_the_last_batch)
{
    inbound_queue queue;
    add(queue, response(inbound_queue::large_message));
    auto const batch = queue.take();
    std::weak_ptr<void const> const owner = *std::get<inbound_message>(batch[0]).owner;
    BOOST_TEST(!owner.expired());
    queue.release();
    BOOST_TEST(owner.expired());
}

BOOST_AUTO_TEST_CASE(one_delivery_is_scheduled_at_a_time)
{
    inbound_queue queue;
    BOOST_TEST(queue.schedule_delivery());
    BOOST_TEST(!queue.schedule_delivery());
    queue.begin_delivery();
    BOOST_TEST(queue.schedule_delivery());
}

BOOST_AUTO_TEST_CASE(report_has_the_texts_that_were_added_with_it)
{
    inbound_queue queue;
    inbound_report report;
    report.id = 3;
    report.ec = error::stream_ended;
    report.certainty = certainty::refused;
    queue.add_report(report, "body", "Bearer");
    auto const batch = queue.take();
    auto const& delivered = std::get<inbound_report>(batch[0]);
    BOOST_TEST(delivered.id == 3);
    BOOST_TEST((delivered.ec == error::stream_ended));
    BOOST_TEST((delivered.certainty == certainty::refused));
    BOOST_TEST(delivered.first_bytes == "body");
    BOOST_TEST(delivered.challenge == "Bearer");
}

BOOST_AUTO_TEST_CASE(failed_allocation_adds_no_item)
{
    auto const large = response(inbound_queue::large_message);
    for (std::string const& text : {response(40), large})
        linkspan::test::fail_each_allocation([&](auto& failing) {
            inbound_queue queue;
            add(queue, response(10));
            if (!failing([&] { add(queue, text); }))
                add(queue, text);
            auto const add_others = [&](bool is_report) {
                is_report ? queue.add_report({}, std::string(40, 'r'), std::string(40, 'c'))
                          : queue.add_notice({inbound_notice::kind::unexpected_output, {}}, std::string(40, 'n'));
            };
            for (bool const is_report : {true, false})
                if (!failing([&] { add_others(is_report); }))
                    add_others(is_report);
            auto const batch = queue.take();
            BOOST_TEST_REQUIRE(batch.size() == 4u);
            BOOST_TEST(std::get<inbound_message>(batch[0]).bytes == response(10));
            BOOST_TEST(std::get<inbound_message>(batch[1]).bytes == text);
            BOOST_TEST(std::get<inbound_report>(batch[2]).challenge == std::string(40, 'c'));
            BOOST_TEST(std::get<inbound_notice>(batch[3]).text == std::string(40, 'n'));
        });
}

BOOST_AUTO_TEST_CASE(items_wait_for_the_next_batch_after_a_failed_allocation)
{
    linkspan::test::fail_each_allocation([](auto& failing) {
        inbound_queue queue;
        for (int i = 0; i != 3; ++i)
            add(queue, response(40 + static_cast<std::size_t>(i)));
        std::span<linkspan::inbound const> batch;
        if (!failing([&] { batch = queue.take(); })) {
            BOOST_TEST(!queue.empty());
            batch = queue.take();
        }
        BOOST_TEST_REQUIRE(batch.size() == 3u);
        for (std::size_t i = 0; i != 3; ++i)
            BOOST_TEST(std::get<inbound_message>(batch[i]).bytes == response(40 + i));
        BOOST_TEST(queue.empty());
    });
}

BOOST_AUTO_TEST_SUITE_END()
