#include <linkspan/protocol/header_value.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <random>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(header_value_test)

using linkspan::decode_header_value;
using linkspan::encode_header_value;
using namespace std::string_view_literals;
namespace data = boost::unit_test::data;

namespace {

struct row {
    std::string_view text;
    std::string_view value;
};

std::ostream& operator<<(std::ostream& out, row const& of) { return out << of.value; }

constexpr row rows[] = {
    {"", ""},
    {"read_file", "read_file"},
    {"a b\tc", "a b\tc"},
    {"~!@#$%^&*()", "~!@#$%^&*()"},
    {" a", "=?base64?IGE=?="},
    {"a ", "=?base64?YSA=?="},
    {"\ta", "=?base64?CWE=?="},
    {"a\nb", "=?base64?YQpi?="},
    {"a\r\nX-Evil: 1", "=?base64?YQ0KWC1FdmlsOiAx?="},
    {"a\0b"sv, "=?base64?YQBi?="},
    {"\x7f", "=?base64?fw==?="},
    {"Z\xc3\xbcrich", "=?base64?WsO8cmljaA==?="},
    {"=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="}, // unencoded, it would be decoded to "a"
    {"=?BASE64?YQ==?=", "=?BASE64?YQ==?="},
    {"=?base64?YQ==", "=?base64?YQ=="},
    {"=?base64?=", "=?base64?="},
};

} // namespace

BOOST_DATA_TEST_CASE(header_value_is_encoded_and_decoded, data::make(rows))
{
    BOOST_TEST(encode_header_value(sample.text) == sample.value);
    auto const text = decode_header_value(sample.value);
    BOOST_TEST_REQUIRE(text.has_value());
    BOOST_TEST(*text == sample.text);
}

BOOST_AUTO_TEST_CASE(whitespace_around_a_header_value_is_removed)
{
    BOOST_TEST(decode_header_value(" \ta b\t ").value() == "a b");
    BOOST_TEST(decode_header_value("  =?base64?IGE=?= ").value() == " a");
    BOOST_TEST(decode_header_value(" \t").value().empty());
    BOOST_TEST(decode_header_value(std::string("=?base64?").append("?=")).value().empty());
}

BOOST_AUTO_TEST_CASE(invalid_base64_in_header_value_is_rejected)
{
    for (auto const value :
         {"=?base64?YQ=?=", "=?base64?YQ?=", "=?base64?Y?=", "=?base64?=YQ=?=", "=?base64?Y Q=?=", "=?base64?YR==?=",
          "=?base64?YWJ=?=", "=?base64?YQ==YQ==?=", "=?base64?Y===?=", "=?base64?====?=", "=?base64?Y-_=?="})
        BOOST_TEST(!decode_header_value(value), value);
}

BOOST_AUTO_TEST_CASE(any_bytes_are_decoded_as_encoded)
{
    std::mt19937 random(42);
    for (int round = 0; round != 2'000; ++round) {
        std::string text(random() % 20, '\0');
        constexpr std::string_view special = "=?base64? \t";
        for (char& c : text)
            c = random() % 4 == 0 ? special[random() % special.size()] : static_cast<char>(random() % 256);
        auto const value = encode_header_value(text);
        for (char const c : value)
            BOOST_TEST_REQUIRE(((c >= 0x20 && c <= 0x7e) || c == '\t'));
        BOOST_TEST_REQUIRE((decode_header_value(value) == text));
    }
}

BOOST_AUTO_TEST_SUITE_END()
