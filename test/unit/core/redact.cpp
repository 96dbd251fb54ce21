#include <linkspan/core/redact.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

BOOST_AUTO_TEST_SUITE(redact_test)

using namespace linkspan;
namespace data = boost::unit_test::data;

namespace {

struct text_row {
    std::vector<std::string> secrets;
    std::string text;
    std::string redacted;
};

std::ostream& operator<<(std::ostream& out, text_row const& row) { return out << row.text; }

text_row const texts[] = {
    {{}, "nothing is secret", "nothing is secret"},
    {{"hunter2"}, "", ""},
    {{"hunter2"}, "hunter2", "***"},
    {{"hunter2"}, "login with hunter2 failed", "login with *** failed"},
    {{"hunter2"}, "hunter2 is not hunter, hunter2hunter2 is", "*** is not hunter, *** is"},
    // Texts of less than four bytes are ignored.
    {{"1", "on", "off", ""}, "1 on, 2 off", "1 on, 2 off"},
    {{"abc"}, "abc", "abc"},
    {{"abcd"}, "abcd", "***"},
    // A secret that contains another secret is redacted completely, independently of the order of addition.
    {{"token", "token-of-mine"}, "token-of-mine", "***"},
    {{"token-of-mine", "token"}, "token-of-mine token", "*** ***"},
    // Overlapping occurrences of different secrets and of the same secret.
    {{"abcdef", "defghi"}, "<abcdefghi>", "<***>"},
    {{"abab"}, "<ababab>", "<***>"},
    // Secrets in the form of a JSON string.
    {{"say \"friend\""}, R"({"password":"say \"friend\""})", R"({"password":"***"})"},
    {{"line1\tline2"}, R"(line1\tline2)", "***"},
    // Single lines of secrets with several lines, because stderr of a server is read line by line.
    {{"-----BEGIN\nMIIEvQ\r\nabcd"}, "key: MIIEvQ", "key: ***"},
    {{"first\nlast"}, "last", "***"},
    {{"first\nlast\n"}, "last, first", "***, ***"},
    {{std::string("nul\0nul", 7)}, std::string("<nul\0nul>", 9), "<***>"},
};

struct address_row {
    char const* address;
    std::vector<char const*> secrets; // expected secrets of at least four bytes
};

std::ostream& operator<<(std::ostream& out, address_row const& row) { return out << row.address; }

address_row const addresses[] = {
    {"https://host/path", {}},
    {"https://user@host/path", {"user"}},
    {"https://user:password@host", {"user", "password", "user:password"}},
    {"https://user:pass%40word@host", {"pass%40word", "pass@word"}},
    {"https://user:p@ss@word@host/a@b", {"p@ss@word"}},
    {"https://host/?key=value&x=&flag#top", {"value", "flag"}},
    {"https://host/?&&=value&", {"value"}},
    {"https://host?key=a%2Fb%zz%4", {"a%2Fb%zz%4", "a/b%zz%4"}},
    {"https://host/#user@host", {}},
    {"postgresql://admin:hunter2@db:5432/x?sslmode=require", {"hunter2"}},
    {"no address: user:password@host", {}},
    {"://user@host", {}},
    {"", {}},
};

} // namespace

BOOST_DATA_TEST_CASE(secrets_are_replaced_in_text, data::make(texts))
{
    redactor redact;
    for (auto const& secret : sample.secrets)
        redact.add(secret);
    BOOST_TEST(redact(sample.text) == sample.redacted);
}

BOOST_DATA_TEST_CASE(credentials_and_query_of_an_address_are_secrets, data::make(addresses))
{
    redactor redact;
    redact.add_address(sample.address);
    BOOST_TEST(redact.empty() == sample.secrets.empty());
    for (auto const* secret : sample.secrets)
        BOOST_TEST(redact(secret) == "***");
    BOOST_TEST(redact("https://host/path") == "https://host/path");
}

BOOST_AUTO_TEST_CASE(redactors_are_merged)
{
    redactor one, other;
    one.add("first");
    other.add("second");
    other.add("first");
    one.add(other);
    BOOST_TEST(one("first, second, third") == "***, ***, third");
    BOOST_TEST(redactor().empty());
    BOOST_TEST(!one.empty());
}

BOOST_AUTO_TEST_SUITE_END()
