#include <linkspan/model/call_result.hpp>
#include <linkspan/protocol/envelope.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/guarded_memory.hpp"
#include "support/nested_escapes.hpp"

BOOST_AUTO_TEST_SUITE(envelope_test)

using linkspan::call_result;
using linkspan::envelope;
using linkspan::envelope_reader;
using linkspan::read_envelope;
using linkspan::read_failure;
using linkspan::request_id;
using kind = linkspan::envelope::kind;
namespace detail = linkspan::detail;
namespace data = boost::unit_test::data;
using namespace std::string_view_literals;

namespace {

std::string_view name(kind what)
{
    constexpr std::string_view names[] = {"invalid", "not_json", "batch", "request", "notification", "result", "error"};
    return names[static_cast<std::size_t>(what)];
}

struct row {
    std::string_view text;
    kind what;
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.text; }

constexpr row messages[] = {
    {R"({"jsonrpc":"2.0","id":1,"method":"ping"})", kind::request},
    {R"({"jsonrpc":"2.0","id":1,"method":"a","params":{"id":2,"result":0}})", kind::request},
    {R"({"jsonrpc":"2.0","id":"a","method":"ping"})", kind::request},
    {R"({"id":1,"method":"ping"})", kind::request},
    {R"( { "jsonrpc" : "2.0" , "id" : 1 , "method" : "ping" } )", kind::request},
    {R"({"jsonrpc":"2.0","id":1,"method":"ping","unknown":[{}]})", kind::request},
    {R"({"jsonrpc":"2.0","method":"notifications/initialized"})", kind::notification},
    {R"({"jsonrpc":"2.0","id":1,"result":{}})", kind::result},
    {R"({"result":{},"jsonrpc":"2.0","id":1})", kind::result},
    {R"({"jsonrpc":"2.0","id":1,"result":null})", kind::result},
    {R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"?"}})", kind::error},
    {R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}})", kind::error},
    {R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"?"}})", kind::error},
    {R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", kind::batch},
    {" []", kind::batch},
    {R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"?"}})", kind::invalid},
    {R"({"jsonrpc":"2.0","id":1,"method":"a","result":{}})", kind::invalid},
    {R"({"jsonrpc":"2.0","id":1,"method":"a","error":{"code":1,"message":"?"}})", kind::invalid},
    {R"({"jsonrpc":"2.0","id":1})", kind::invalid},
    {R"({"jsonrpc":"2.0","id":1,"method":5})", kind::invalid},
    {R"({"jsonrpc":"2.0","id":1,"method":""})", kind::invalid},
    {R"({"jsonrpc":"2.0"})", kind::invalid},
    {"{}", kind::invalid},
    {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", kind::invalid},
    {R"({"jsonrpc":2.0,"id":1,"method":"ping"})", kind::invalid},
    {R"({"id":1,"method":"ping","jsonrpc":null})", kind::invalid},
    {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", kind::invalid},
    {R"({"jsonrpc":"2.0","id":[1],"result":{}})", kind::invalid},
    {R"({"jsonrpc":"2.0","id":true,"method":"ping"})", kind::invalid},
    {R"({"jsonrpc":"2.0","id":1,"result":{}} x)", kind::invalid},
    {R"({"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0","id":2,"result":{}})", kind::invalid},
    {"", kind::not_json},
    {" ", kind::not_json},
    {"Server running on stdio", kind::not_json},
    {"null", kind::not_json},
    {"42", kind::not_json},
    {R"("jsonrpc")", kind::not_json},
    {"}", kind::not_json},
};

struct id_row {
    std::string_view text;
    std::optional<request_id> id;
};

std::ostream& operator<<(std::ostream& out, id_row const& r) { return out << r.text; }

constexpr id_row ids[] = {
    {"7", 7},
    {"0", 0},
    {"-7", -7},
    {"9223372036854775807", 9223372036854775807},
    {"9223372036854775808", {}},
    {"123456789012345678901234567890", {}},
    {R"("7")", 7},
    {R"("9223372036854775807")", 9223372036854775807},
    {R"("")", {}},
    {R"("seven")", {}},
    {R"("7a")", {}},
    {R"(" 7")", {}},
    {R"("a\"b")", {}},
    {"null", {}},
};

std::string joined(std::vector<std::string> const& members)
{
    std::string text = "{";
    for (auto const& member : members)
        (text += text.size() > 1 ? "," : "") += member;
    return text += '}';
}

} // namespace

BOOST_DATA_TEST_CASE(message_has_exactly_one_kind, data::make(messages))
{
    BOOST_TEST(name(read_envelope(sample.text).what) == name(sample.what));
}

BOOST_AUTO_TEST_CASE(all_parts_are_views_of_the_text)
{
    constexpr auto request = R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a b"}})"sv;
    auto const message = read_envelope(request);
    BOOST_TEST(message.id.value() == 7);
    BOOST_TEST(message.raw_id == "7");
    BOOST_TEST(message.method == "tools/call");
    BOOST_TEST(message.params == R"({"name":"a b"})");
    BOOST_TEST(message.result == "");
    BOOST_TEST(message.error == "");
    BOOST_TEST(static_cast<void const*>(message.params.data()) == request.data() + request.find(R"({"name)"));

    auto const response = read_envelope(R"({"jsonrpc":"2.0","id":"x","result": {"a":[1, 2]} })");
    BOOST_TEST(response.result == R"({"a":[1, 2]})");
    BOOST_TEST(response.raw_id == R"("x")");
    BOOST_TEST(response.method == "");
}

BOOST_AUTO_TEST_CASE(result_type_is_read_from_the_result_only)
{
    auto const type_of = [](std::string_view result) {
        auto const text = R"({"jsonrpc":"2.0","id":1,"result":)" + std::string(result) + "}";
        return std::string(read_envelope(text).result_type);
    };
    BOOST_TEST(type_of(R"({"content":[],"resultType":"complete","_meta":{}})") == R"("complete")");
    BOOST_TEST(type_of(R"({ "resultType" : 7 })") == "7");
    for (auto const without : {"{}", R"({"structuredContent":{"resultType":"x"}})", "null", R"(["resultType"])", "7"})
        BOOST_TEST(type_of(without) == "", without);
}

BOOST_AUTO_TEST_CASE(members_are_read_in_any_order)
{
    std::vector<std::string> members = {R"("id":7)", R"("jsonrpc":"2.0")", R"("method":"m")", R"("params":{})",
                                        R"("x":[{}])"};
    std::ranges::sort(members);
    do {
        auto const text = joined(members);
        auto const message = read_envelope(text);
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(name(message.what) == "request");
            BOOST_TEST(message.raw_id == "7");
            BOOST_TEST(message.method == "m");
            BOOST_TEST(message.params == "{}");
        }
    } while (std::ranges::next_permutation(members).found);
}

BOOST_DATA_TEST_CASE(id_is_read_from_an_integer_or_a_string_of_digits, data::make(ids))
{
    for (std::string const rest : {R"(,"result":{}})", R"(,"error":{"code":1,"message":"?"}})", R"(,"x":0})"}) {
        auto const text = R"({"jsonrpc":"2.0","id":)" + std::string(sample.text) + rest;
        auto const message = read_envelope(text);
        BOOST_TEST(message.raw_id == sample.text);
        BOOST_TEST((message.id == sample.id));
    }
}

BOOST_AUTO_TEST_CASE(null_id_is_not_a_request)
{
    BOOST_TEST(name(read_envelope(R"({"jsonrpc":"2.0","id":null,"method":"ping"})").what) != "request");
}

BOOST_AUTO_TEST_CASE(value_that_is_not_a_valid_id_is_discarded)
{
    for (std::string const value : {"{}", "[1]", "true", "false"}) {
        auto const text = R"({"jsonrpc":"2.0","id":)" + value + R"(,"method":"ping"})";
        auto const message = read_envelope(text);
        BOOST_TEST(!message.id);
        BOOST_TEST(message.raw_id == "");
    }
}

BOOST_AUTO_TEST_CASE(invalid_message_keeps_its_id)
{
    BOOST_TEST(read_envelope(R"({"jsonrpc":"1.0","id":7,"method":"ping"})").id.value() == 7);
    BOOST_TEST(read_envelope(R"({"jsonrpc":"2.0","id":7})").id.value() == 7);
    BOOST_TEST(read_envelope(R"({"jsonrpc":"2.0","id":7,"result":oops})").id.value() == 7);
}

BOOST_AUTO_TEST_CASE(truncated_message_keeps_an_id_before_the_end)
{
    for (std::string const id : {"1234", R"("1234")", R"("a-b")"})
        for (std::string const& text :
             {R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"content":[{"text":"\"id\":5"}]}})",
              R"({"result":{"id":5},"jsonrpc":"2.0","id":)" + id + "}",
              R"({"id":)" + id + R"( ,"method":"tools/call","params":{"id":5}})"}) {
            auto const whole = text.find("\"id\":" + id) + 5 + id.size();
            // A number is complete only if the end of its member follows it.
            auto const known_from = id.ends_with('"') ? whole : text.find_first_of(",}", whole) + 1;
            for (std::size_t size = 0; size != text.size(); ++size) {
                std::string const cut = text.substr(0, size);
                auto const message = read_envelope(cut);
                BOOST_TEST_CONTEXT(cut) {
                    BOOST_TEST(name(message.what) == (size == 0 ? "not_json" : "invalid"));
                    BOOST_TEST(message.raw_id == (size < known_from ? ""sv : std::string_view(id)));
                }
            }
        }
}

BOOST_AUTO_TEST_CASE(value_that_invalid_text_follows_is_not_an_id)
{
    for (std::string const id : {"1u2", "01", "1 2", "1\"", "1:", R"(","method":"x")", R"("a"b)"})
        BOOST_TEST(read_envelope(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"ping"})").raw_id == "", id);
}

void check_equal(envelope const& message, envelope const& other)
{
    BOOST_TEST(name(message.what) == name(other.what));
    BOOST_TEST((message.id == other.id));
    BOOST_TEST(message.raw_id == other.raw_id);
    BOOST_TEST(message.method == other.method);
    BOOST_TEST(message.params == other.params);
    BOOST_TEST(message.result == other.result);
    BOOST_TEST(message.result_type == other.result_type);
    BOOST_TEST(message.error == other.error);
    if (!message.plain_text.empty()) {
        auto const result = ' ' + std::string(message.result); // is read by the general reader of texts
        BOOST_TEST(message.plain_text == call_result(detail::shared_text(result), {}).text());
        BOOST_TEST(message.result.find(message.plain_text) != message.result.npos);
    }
}

// A response in its most frequent form is read in one pass, and the end of a result is compared with that of the
// message before. A leading space selects the general reader.
void check_both_readers(std::string const& text)
{
    support::guarded_memory static const memory;
    static envelope_reader reader;
    auto const other_text = ' ' + text;
    auto const guarded = memory(text);
    auto const other = read_envelope(other_text);
    BOOST_TEST_CONTEXT(text) {
        check_equal(read_envelope(guarded), other);
        check_equal(reader.read(guarded), other);
        check_equal(reader.read(guarded), other);
    }
}

constexpr std::string_view responses[] = {
    R"({"jsonrpc":"2.0","id":17,"result":{"content":[{"type":"text","text":"a \"b\" \\"}],"resultType":"complete"}})",
    R"({"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"ab"}],"resultType":"complete","_meta":{}}})",
    R"({"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"\u00e9"}] , "a":"b" } })",
    R"({"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"ab"}]}})",
    R"({"jsonrpc":"2.0","id":0,"result":{"resultType" : "x" , "a":[1,{"b":null}],"resultType":"y"} } )",
    R"({"jsonrpc":"2.0","id":1,"result":{}})",
    R"({"jsonrpc":"2.0","id":1,"result":{ }})",
    R"({"jsonrpc":"2.0","id":123456789012345678,"result":{"a":1}})",
    R"({"jsonrpc":"2.0","id":1234567890123456789,"result":{"a":1}})",
    R"({"jsonrpc":"2.0","id":99999999999999999999,"result":{"a":1}})",
    R"({"jsonrpc":"2.0","id":01,"result":{"a":1}})",
    R"({"jsonrpc":"2.0","id":-1,"result":{"a":1}})",
    R"({"jsonrpc":"2.0","id":1,"result":{"a":1},"id":2})",
    R"({"jsonrpc":"2.0","id":1,"result":{"a":1},"error":{"code":1}})",
    R"({"jsonrpc":"2.0","id":1,"result":{"a":1}}{})",
};

BOOST_DATA_TEST_CASE(both_readers_return_the_same_parts_of_truncated_text, data::make(responses), text)
{
    for (std::size_t size = 0; size <= text.size(); ++size)
        check_both_readers(std::string(text.substr(0, size)));
}

BOOST_DATA_TEST_CASE(both_readers_return_the_same_parts_of_changed_text, data::make(responses), text)
{
    constexpr std::string_view replacements = " \"\\{}[],:0-1a\n";
    for (std::size_t at = 0; at != text.size(); ++at)
        for (char const replacement : replacements) {
            std::string changed(text);
            changed[at] = replacement;
            check_both_readers(changed);
            changed.insert(at, 1, text[at]);
            check_both_readers(changed);
        }
}

BOOST_AUTO_TEST_CASE(both_readers_have_the_same_limit_of_nesting)
{
    for (std::size_t const depth : {510u, 511u, 512u, 513u, 514u}) {
        auto const value = std::string(depth, '[') + std::string(depth, ']');
        check_both_readers(R"({"jsonrpc":"2.0","id":1,"result":{"a":)" + value + "}}");
    }
}

BOOST_AUTO_TEST_CASE(reader_of_a_peer_is_independent_of_earlier_messages)
{
    std::vector<std::string> texts;
    for (std::string const text : {"a", "bb", "", R"(c\"d)"})
        for (std::string const& rest : std::initializer_list<std::string>{
                 "}}", R"(,"resultType":"complete"}})", R"(,"_meta":{"a":1},"resultType":"complete"}})",
                 R"(,"_meta":{"a":2},"resultType":"complete"}})", R"(,"resultType":"complete"}} )",
                 R"(,"resultType":"complete"}}x)", R"(,"resultType":"complete"})",
                 R"(,"a":")" + std::string(505, 'x') + "\"}}", R"(,"a":")" + std::string(504, 'x') + "\"}}",
                 R"(,"a":")" + std::string(503, 'x') + "\"}}"})
            texts.push_back(R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":")" + text +
                            R"("}])" + rest);
    texts.push_back(R"({"jsonrpc":"2.0","id":1,"result":{"content":[],"resultType":"complete"}})");
    texts.push_back(R"({"jsonrpc":"2.0","method":"notifications/progress"})");
    texts.push_back("{");
    envelope_reader reader;
    for (auto const& first : texts)
        for (auto const& second : texts) {
            reader.read(first);
            auto const other_text = ' ' + second;
            BOOST_TEST_CONTEXT(first << '\n' << second)
                check_equal(reader.read(second), read_envelope(other_text));
        }
}

BOOST_AUTO_TEST_CASE(only_text_of_a_result_is_found)
{
    auto const found = [](std::string_view content) {
        auto const text = R"({"jsonrpc":"2.0","id":1,"result":{"content":)" + std::string(content) + "}}";
        return std::string(read_envelope(text).plain_text);
    };
    BOOST_TEST(found(R"([{"type":"text","text":"a b"}])") == "a b");
    for (auto const other : {R"([{"type":"text","text":"a\n"}])", R"([{"type":"text","text":"a"},{}])", "[]",
                             R"([{"type":"text","text":"a","x":1}])", R"([{"type":"image","text":"a"}])"})
        BOOST_TEST(found(other) == "", other);
}

BOOST_AUTO_TEST_CASE(error_object_is_read)
{
    auto const failure = read_failure(R"({"data":{"supported":[]},"code":-32022,"message":"a \"b\"","x":1})");
    BOOST_TEST(failure.code == -32022);
    BOOST_TEST(failure.message == R"("a \"b\"")");
    BOOST_TEST(failure.data == R"({"supported":[]})");
}

BOOST_AUTO_TEST_CASE(error_code_that_is_not_an_integer_is_read_as_0)
{
    for (std::string const code : {"null", "1.5", R"("-32601")", "2147483648", "-2147483649", "99999999999999999999"})
        BOOST_TEST(read_failure(R"({"code":)" + code + "}").code == 0, code);
    for (auto const error : {"{}", R"({"message":"?"})", "null", R"("?")", "[-32601]", ""}) {
        BOOST_TEST(read_failure(error).code == 0);
        BOOST_TEST(read_failure(error).data == "");
    }
    BOOST_TEST(read_failure(R"({"code":2147483647})").code == 2147483647);
    BOOST_TEST(read_failure(R"({"code":-2147483648})").code == -2147483648);
    BOOST_TEST(read_failure(R"({"code":1,"data":null})").data == "null");
}

BOOST_AUTO_TEST_CASE(names_with_optional_escapes_are_decoded_once)
{
    using linkspan::has_escaped_names;
    using linkspan::with_plain_names;
    BOOST_TEST(with_plain_names(R"({"method":"a\/b"})").value() == R"({"method":"a/b"})");
    BOOST_TEST(with_plain_names(R"([{"method":"a\/b"}])").value() == R"([{"method":"a/b"}])");
    BOOST_TEST(has_escaped_names(R"([{},{"method":"a\/b"}])"));
    BOOST_TEST(!has_escaped_names(R"([{},{"method":"a/b","params":{"a":"\/"}}])"));
    for (std::size_t const depth : {1u, 2u, 100'000u}) {
        auto const text = linkspan::test::message_with_nested_escapes(depth);
        BOOST_TEST(has_escaped_names(text));
        BOOST_TEST(!with_plain_names(text).has_value());
        BOOST_TEST(!with_plain_names("[" + text + "]").has_value());
    }
}

BOOST_AUTO_TEST_SUITE_END()
