#include <linkspan/model/call_result.hpp>
#include <linkspan/model/task.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(call_result_test)

using linkspan::attempt_record;
using linkspan::call_result;
using linkspan::detail::shared_text;
namespace data = boost::unit_test::data;

namespace {

call_result result(std::string_view text) { return call_result(shared_text(text), "weather"); }

call_result with_content(std::string_view blocks)
{
    return result(R"({"content":[)" + std::string(blocks) + R"(],"isError":false})");
}

struct row {
    std::string_view blocks, text;
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.blocks; }

constexpr row contents[] = {
    {"", ""},
    {R"({"type":"text","text":"one"})", "one"},
    {R"({"text":"one","type":"text","annotations":{"audience":["user"]},"_meta":{"text":"x"}})", "one"},
    {R"({"type":"text","text":"one"},{"type":"text","text":"two"})", "one\ntwo"},
    {R"({"type":"text","text":""},{"type":"text","text":"two"})", "\ntwo"},
    {R"({"type":"text","text":"a\nb \"c\" \u00e9\ud83d\ude00"})", "a\nb \"c\" é😀"},
    {R"({"type":"image","data":"aGk=","mimeType":"image/png"})", ""},
    {R"({"type":"image","data":"aGk="},{"type":"text","text":"one"},{"type":"audio","data":"aGk="})", "one"},
    {R"({"type":"resource","resource":{"uri":"file:///a","text":"inside"}},{"type":"text","text":"one"})", "one"},
    {R"({"type":"resource_link","uri":"file:///a","name":"a"})", ""},
    {R"({"type":"hologram","text":"new"},{"type":"text","text":"one"})", "one"},
    {R"({"text":"no type"},{"type":"text"},null,7,"text",[],{"type":"text","text":"one"})", "one"},
};

} // namespace

BOOST_AUTO_TEST_CASE(complete_result_is_read_in_all_parts)
{
    constexpr std::string_view text = R"({"content":[{"type":"text","text":"{\"high\":21}"}],
        "structuredContent":{"high":21,"unit":"°C"},"isError":false,"resultType":"complete",
        "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"w","version":"1"}}})";
    auto const read_result = result(text);
    BOOST_TEST(read_result.raw() == text);
    BOOST_TEST(read_result.text() == R"({"high":21})");
    BOOST_TEST(read_result.structured() == R"({"high":21,"unit":"°C"})");
    BOOST_TEST(!read_result.is_error());
    BOOST_TEST(read_result.type() == "complete");
    BOOST_TEST(read_result.server() == "weather");
    BOOST_TEST(read_result.attempts().empty());
}

BOOST_DATA_TEST_CASE(text_joins_all_text_blocks, data::make(contents))
{
    BOOST_TEST(with_content(sample.blocks).text() == sample.text);
}

// A space before the result selects the general reader.
BOOST_DATA_TEST_CASE(fast_reader_and_general_reader_return_the_same_text, data::make(contents))
{
    constexpr std::string_view tails[] = {"}", R"(,"isError":false})", R"( ,"content":[]})", "", "]}", ","};
    for (auto const tail : tails) {
        auto const text = R"({"content":[)" + std::string(sample.blocks) + ']' + std::string(tail);
        for (std::size_t size = 0; size <= text.size(); ++size) {
            auto const cut = text.substr(0, size);
            BOOST_TEST(result(cut).text() == result(' ' + cut).text(), cut);
            BOOST_TEST((result(cut).text_view() == result(' ' + cut).text_view()), cut);
        }
    }
}

BOOST_DATA_TEST_CASE(text_view_returns_the_text_unless_it_has_escapes_or_several_blocks, data::make(contents))
{
    auto const one = with_content(sample.blocks);
    bool const is_plain = sample.blocks.find('\\') == sample.blocks.npos && sample.text.find('\n') == sample.text.npos;
    auto const view = one.text_view();
    BOOST_TEST(view.has_value() == is_plain);
    if (view)
        BOOST_TEST(*view == sample.text);
}

BOOST_AUTO_TEST_CASE(text_view_of_long_text_is_a_part_of_the_result)
{
    for (std::size_t const size : {0u, 1u, 15u, 16u, 191u, 192u, 193u, 5000u}) {
        std::string const text(size, 'x');
        auto const whole = with_content(R"({"type":"text","text":")" + text + R"("})");
        BOOST_TEST((whole.text_view() == text));
        BOOST_TEST(whole.text() == text);
        if (size != 0)
            BOOST_TEST(whole.raw().find(*whole.text_view()) != std::string_view::npos);
        auto const escaped = with_content(R"({"type":"text","text":")" + text + R"(\n"})");
        BOOST_TEST(!escaped.text_view());
        BOOST_TEST(escaped.text() == text + '\n');
    }
}

BOOST_AUTO_TEST_CASE(known_position_of_the_text_gives_the_same_text)
{
    constexpr std::string_view raw = R"({"content":[{"type":"text","text":"a b"}]})";
    call_result result(shared_text(raw), {});
    result.plain_text(raw.find("a b"), 3);
    BOOST_TEST(result.text() == "a b");
    BOOST_TEST(result.text_view().value() == "a b");
    auto const copy = result;
    auto const moved = std::move(result);
    BOOST_TEST(copy.text() == "a b");
    BOOST_TEST(moved.text() == "a b");
    BOOST_TEST(static_cast<void const*>(copy.text_view()->data()) == copy.raw().data() + raw.find("a b"));
}

BOOST_AUTO_TEST_CASE(result_without_content_has_no_text)
{
    for (auto const text : {"{}", R"({"content":null})", R"({"content":"one"})", R"({"text":"one"})", "null", ""})
        BOOST_TEST(result(text).text() == "", text);
}

BOOST_AUTO_TEST_CASE(result_is_error_only_if_is_error_is_true)
{
    BOOST_TEST(result(R"({"content":[],"isError":true})").is_error());
    for (auto const text : {R"({"isError":false})", R"({"isError":null})", R"({"isError":"true"})", R"({"isError":1})",
                            R"({"structuredContent":{"isError":true}})", "{}", ""})
        BOOST_TEST(!result(text).is_error(), text);
}

BOOST_AUTO_TEST_CASE(structured_content_can_be_any_json_value)
{
    for (auto const value : {"{}", R"({"a":1})", "[1, 2]", R"("x")", "7", "0", "true", "false", "null"})
        BOOST_TEST(result(R"({"content":[],"structuredContent": )" + std::string(value) + " }").structured() == value);
}

BOOST_AUTO_TEST_CASE(null_structured_content_is_not_absent)
{
    BOOST_TEST(result(R"({"structuredContent":null})").structured() == "null");
    BOOST_TEST(result(R"({"content":[]})").structured() == "");
    BOOST_TEST(result(R"({"_meta":{"structuredContent":{}}})").structured() == "");
}

BOOST_AUTO_TEST_CASE(result_type_is_complete_unless_specified)
{
    BOOST_TEST(result("{}").type() == "complete");
    BOOST_TEST(result(R"({"resultType":"complete"})").type() == "complete");
    BOOST_TEST(result(R"({"resultType":"input_required","requestState":"s"})").type() == "input_required");
    BOOST_TEST(result(R"({"resultType":"task"})").type() == "task");
}

BOOST_AUTO_TEST_CASE(empty_result_has_no_parts)
{
    call_result const none;
    BOOST_TEST(none.raw() == "");
    BOOST_TEST(none.text() == "");
    BOOST_TEST(none.structured() == "");
    BOOST_TEST(none.server() == "");
    BOOST_TEST(!none.is_error());
    BOOST_TEST(none.attempts().empty());
    BOOST_TEST(none.detail() == "");
}

BOOST_AUTO_TEST_CASE(result_keeps_its_own_copy_of_the_text)
{
    auto text = std::make_unique<std::string>(R"({"structuredContent":"a text that is too long for a small string"})");
    auto const read_result = result(*text);
    text.reset();
    BOOST_TEST(read_result.structured() == R"("a text that is too long for a small string")");
}

BOOST_AUTO_TEST_CASE(result_keeps_a_shared_buffer)
{
    auto buffer = std::make_shared<std::string>(R"({"structuredContent":[1]})");
    std::weak_ptr<void> const alive = buffer;
    std::string_view const text = *buffer;
    call_result copy;
    {
        call_result const read_result(shared_text(std::move(buffer), text), "weather");
        BOOST_TEST(static_cast<void const*>(read_result.raw().data()) == text.data());
        copy = read_result;
    }
    BOOST_TEST(copy.structured() == "[1]");
    copy = {};
    BOOST_TEST(alive.expired());
}

BOOST_AUTO_TEST_CASE(copies_share_text_and_attempts)
{
    auto original = result("{}");
    std::vector<attempt_record> trail(2);
    trail[0].server = "first";
    trail[1].server = "second";
    original.trail(std::move(trail), "why");
    auto const copy = original;
    BOOST_TEST(static_cast<void const*>(copy.raw().data()) == original.raw().data());
    BOOST_TEST(copy.attempts().data() == original.attempts().data());
    BOOST_TEST_REQUIRE(copy.attempts().size() == 2u);
    BOOST_TEST(copy.attempts()[1].server == "second");
    BOOST_TEST(copy.detail() == "why");
}

BOOST_AUTO_TEST_CASE(result_has_a_task_only_if_it_was_declared)
{
    auto in_member = result(R"({"task":{"taskId":"t1","status":"working"},"taskId":"other"})");
    auto whole = result(R"({"resultType":"task","taskId":"t2","status":"working"})");
    BOOST_TEST(!in_member.task().has_value());
    BOOST_TEST(!whole.task().has_value());
    in_member.contains_task(true);
    whole.contains_task(false);
    BOOST_TEST_REQUIRE(in_member.task().has_value());
    BOOST_TEST(in_member.task()->id == "t1");
    BOOST_TEST_REQUIRE(whole.task().has_value());
    BOOST_TEST(whole.task()->id == "t2");
    BOOST_TEST(call_result(whole).task()->id == "t2");
    BOOST_TEST(in_member.text() == "");
    BOOST_TEST(in_member.text_view().value_or("none") == "");
}

BOOST_AUTO_TEST_CASE(declared_task_that_is_not_valid_is_empty)
{
    auto invalid = result(R"({"task":{"status":"working"}})");
    invalid.contains_task(true);
    BOOST_TEST(!invalid.task().has_value());
    call_result none;
    none.contains_task(false);
    BOOST_TEST(!none.task().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
