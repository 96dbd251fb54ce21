#include <linkspan/bindgen/mapping/identifiers.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(identifiers_test)

using namespace linkspan::bindgen;
namespace data = boost::unit_test::data;

namespace {

struct row {
    std::string_view name, identifier;
};

std::ostream& operator<<(std::ostream& out, row const& r) { return out << r.name; }

constexpr row rows[] = {
    {"city", "city"},
    {"orderBy", "orderBy"},
    {"order_by", "order_by"},
    {"_meta", "_meta"},
    {"x-loc-lat", "x_loc_lat"},
    {"list-calendars", "list_calendars"},
    {"$and", "_and"},
    {"a  b", "a_b"},
    {"a__b", "a_b"},
    {"a_-_b", "a_b"},
    {"_Upper", "Upper_"},
    {"__init__", "_init_"},
    {"__Init", "Init_"},
    {"3d", "n3d"},
    {"2024-11-05", "n2024_11_05"},
    {"", "empty"},
    {"+", "symbol"},
    {"__", "symbol"},
    {"C++", "C_"},
    {"caf\xc3\xa9s", "caf_s"},
    {"namespace", "namespace_"},
    {"co_await", "co_await_"},
    {"and", "and_"},
    {"min", "min_"},
    {"max", "max_"},
    {"signal", "signal_"},
    {"end", "end_"},
    {"size", "size_"},
    {"errno", "errno_"},
    {"stdin", "stdin_"},
    {"NULL", "NULL_"},
    {"EOF", "EOF_"},
    {"EXIT_CODE", "EXIT_CODE_"},
    {"EINVAL", "EINVAL_"},
    {"NO_DATA", "NO_DATA_"},
    {"CMIN", "CMIN_"},
    {"R_OK", "R_OK_"},
    {"EMAIL", "EMAIL_"},
    {"GET", "GET_"},
    {"GET_", "GET_"},
    {"B50", "B50_"},
    {"SSLerr", "SSLerr_"},
    {"OAuth", "OAuth"},
    {"API-get-self", "API_get_self"},
    {"X509err", "X509err_"},
    {"M_PIf", "M_PIf_"},
    {"NO", "NO"},
    {"Y", "Y"},
    {"I", "I_"},
    {"PascalCase", "PascalCase"},
    {"SIGINT", "SIGINT_"},
    {"SIGNED", "SIGNED_"},
    {"BOOST_ANY", "nBOOST_ANY"},
    {"LINKSPAN_DETAIL_IF_", "nLINKSPAN_DETAIL_IF_"},
    {"_m_", "n_m_"},
    {"_mm_prefetch", "_mm_prefetch_"},
    {"sk_zero", "sk_zero_"},
    {"pthread_cleanup_push", "pthread_cleanup_push_"},
    {"assert", "assert_"},
    {"unix", "unix_"},
    {"linux", "linux_"},
    {"major", "major_"},
    {"minor", "minor_"},
    {"alignof", "alignof_"},
    {"std", "std_"},
    {"boost", "boost_"},
    {"linkspan", "linkspan_"},
    {"tool", "tool_"},
    {"fingerprint", "fingerprint_"},
    {"hints", "hints_"},
    {"result_type", "result_type_"},
    {"input_schema", "input_schema_"},
    {"output_schema", "output_schema_"},
    {"pins", "pins_"},
    {"*/ int x; /*", "_int_x_"},
    {"a\\\nb", "a_b"},
    {"x; #include <y>", "x_include_y_"},
};

bool is_of_allowed_alphabet(std::string const& identifier)
{
    return std::ranges::all_of(identifier, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

} // namespace

BOOST_DATA_TEST_CASE(identifier_is_derived_from_name, data::make(rows))
{
    BOOST_TEST(identifier_for(sample.name) == sample.identifier);
}

BOOST_AUTO_TEST_CASE(identifier_of_any_name_has_only_plain_characters)
{
    for (unsigned first = 0; first != 256; ++first)
        for (unsigned second = 0; second != 256; ++second) {
            std::string const name{static_cast<char>(first), static_cast<char>(second)};
            auto const identifier = identifier_for(name);
            BOOST_TEST_REQUIRE(is_of_allowed_alphabet(identifier));
            BOOST_TEST_REQUIRE(identifier.find("__") == std::string::npos);
            BOOST_TEST_REQUIRE(!(identifier.front() >= '0' && identifier.front() <= '9'));
            BOOST_TEST_REQUIRE(identifier_for(identifier).find("__") == std::string::npos);
        }
}

BOOST_AUTO_TEST_CASE(long_name_is_truncated_and_stays_distinct)
{
    std::string const stem(150, 'a');
    auto const one = identifier_for(stem + "1");
    auto const two = identifier_for(stem + "2");
    BOOST_TEST(one.size() == max_identifier + 9);
    BOOST_TEST(one.starts_with(std::string(100, 'a') + '_'));
    BOOST_TEST(one != two);
    BOOST_TEST(identifier_for(std::string(100, 'a')).size() == 100U);
}

BOOST_AUTO_TEST_CASE(nested_type_is_named_after_its_path)
{
    BOOST_TEST(nested_identifier("create_page", "parent") == "create_page_parent");
    BOOST_TEST(nested_identifier("create_page", "$and") == "create_page_and");
    BOOST_TEST(nested_identifier("export_", "min") == "export_min");
    BOOST_TEST(nested_identifier("LOCK_", "EX") == "LOCK_EX_");
    BOOST_TEST(nested_identifier("BOOST_", "ANY") == "nBOOST_ANY");
    BOOST_TEST(nested_identifier("si", "value") == "si_value_");
    BOOST_TEST(nested_identifier("a", "") == "a_empty");
    BOOST_TEST(nested_identifier("a", "++") == "a_symbol");
    BOOST_TEST(nested_identifier(std::string(90, 'a'), "bbbbbbbbbbbbbbb") !=
               nested_identifier(std::string(90, 'a'), "bbbbbbbbbbbbbbc"));
}

BOOST_AUTO_TEST_CASE(equal_identifiers_get_a_number)
{
    identifier_scope scope;
    BOOST_TEST(scope.take("a") == "a");
    BOOST_TEST(scope.take("a") == "a_2");
    BOOST_TEST(scope.take("a_3") == "a_3");
    BOOST_TEST(scope.take("a") == "a_4");
    BOOST_TEST(scope.take("b_") == "b_");
    BOOST_TEST(scope.take("b_") == "b_2");
    BOOST_TEST(scope.take("RSA_") == "RSA_");
    BOOST_TEST(scope.take("RSA_") == "RSA_2_");
    scope.release("b_");
    BOOST_TEST(scope.take("b_") == "b_");
}

BOOST_AUTO_TEST_CASE(many_equal_identifiers_take_bounded_time)
{
    identifier_scope scope;
    std::string last;
    for (int i = 0; i != 50'000; ++i)
        last = scope.take("symbol");
    BOOST_TEST(last == "symbol_50000");
}

BOOST_AUTO_TEST_CASE(namespace_is_derived_from_the_server_name)
{
    BOOST_TEST(namespace_for("secure-filesystem-server") == "secure_filesystem_server");
    BOOST_TEST(namespace_for("@postman/postman-mcp-server") == "postman_postman_mcp_server");
    BOOST_TEST(namespace_for("mcp-servers/everything") == "mcp_servers_everything");
    BOOST_TEST(namespace_for("Notion API") == "Notion_API");
    BOOST_TEST(namespace_for("calculator") == "calculator_tools");
    BOOST_TEST(namespace_for("7zip!") == "n7zip_tools");
    BOOST_TEST(namespace_for("C++") == "C_tools");
    for (std::string_view const nothing : {"", "///", "server"})
        BOOST_TEST(namespace_for(nothing) == "server_tools");
    BOOST_TEST(namespace_for("empty") == "empty_tools");
    BOOST_TEST(namespace_for("AWS") == "AWS_tools");
    BOOST_TEST(namespace_for("MCP docs") == "MCP_docs");
}

// The namespace must not have the name of a global function or type of C, and must not be a keyword.
BOOST_AUTO_TEST_CASE(namespace_is_not_a_name_of_c_or_a_keyword)
{
    for (std::string_view const name : {"time", "timezone", "trunc", "floor", "clone", "stat", "div_t", "std", "new",
                                        "linkspan", "signal", "co_await", "static_assert"})
        BOOST_TEST_CONTEXT(name) {
            auto const made = namespace_for(name);
            BOOST_TEST(is_usable_namespace(made));
            BOOST_TEST(made == std::string(name) + "_tools");
        }
}

BOOST_AUTO_TEST_CASE(namespace_is_usable_if_its_parts_are_valid_identifiers)
{
    for (std::string_view const good : {"weather", "a::b", "Notion_API", "AWS", "MCP_docs_tools"})
        BOOST_TEST(is_usable_namespace(good), good);
    for (std::string_view const bad : {"", "::", "a::", "::a", "a:b", "a b", "std", "a::std", "class", "_a", "a__b",
                                       "1a", "a;b", "a::b{", "EOF", "linux"})
        BOOST_TEST(!is_usable_namespace(bad), bad);
}

BOOST_AUTO_TEST_SUITE_END()
