#include <linkspan/schema/validator.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/skip.hpp"

namespace official_suite_test {

namespace json = boost::json;
namespace fs = std::filesystem;

namespace {

json::value read(fs::path const& path)
{
    std::ifstream file(path);
    std::string const text(std::istreambuf_iterator<char>(file), {});
    json::parse_options options;
    options.max_depth = 128;
    return json::parse(text, {}, options);
}

struct official_suite {
    fs::path folder;

    official_suite()
    {
        auto const* const shared = std::getenv("LINKSPAN_SHARED");
        if (!shared)
            skip("LINKSPAN_SHARED is not set");
        folder = fs::path(shared) / "json-schema-test-suite";
        if (!fs::exists(folder / "tests"))
            skip("the official suite of JSON Schema is not in " + folder.string());
    }

    // Returns options with the documents that the tests refer to. The suite also has documents of other dialects.
    linkspan::schema_options documents(linkspan::schema_dialect dialect, std::string const& name) const
    {
        linkspan::schema_options out;
        out.dialect = dialect;
        auto const meta = folder / "meta";
        out.documents["http://json-schema.org/draft-07/schema"] = read(meta / "json-schema-draft-07.json");
        std::string const newer = "https://json-schema.org/draft/2020-12/";
        out.documents[newer + "schema"] = read(meta / "json-schema-2020-12" / "schema.json");
        for (auto const& entry : fs::directory_iterator(meta / "json-schema-2020-12" / "meta"))
            out.documents[newer + "meta/" + entry.path().stem().string()] = read(entry.path());
        for (auto const& entry : fs::recursive_directory_iterator(folder / "remotes")) {
            auto const path = fs::relative(entry.path(), folder / "remotes").generic_string();
            bool const is_of_other = path.starts_with("draft") && !path.starts_with(name + '/');
            if (entry.path().extension() == ".json" && !is_of_other)
                out.documents["http://localhost:1234/" + path] = read(entry.path());
        }
        return out;
    }

    struct count {
        std::size_t all = 0, passed = 0;
    };

    count run(linkspan::schema_dialect dialect, std::string const& name) const
    {
        count out;
        auto const options = documents(dialect, name);
        for (auto const& entry : fs::directory_iterator(folder / "tests" / name)) {
            if (entry.path().extension() != ".json")
                continue;
            auto const groups = read(entry.path());
            for (auto const& group : groups.as_array())
                BOOST_TEST_CONTEXT(entry.path().stem().string() << ": " << group.at("description")) {
                    run(group.as_object(), options, out);
                }
        }
        return out;
    }

    static void run(json::object const& group, linkspan::schema_options const& options, count& out)
    {
        linkspan::schema_validator const check(group.at("schema"), options);
        for (auto const& problem : check.problems())
            BOOST_ERROR(to_string(problem));
        for (auto const& test : group.at("tests").as_array()) {
            bool const is_valid = test.at("valid").as_bool();
            auto const verdict = check.validate(test.at("data"));
            bool const has_passed = check.ok() && !verdict.gave_up && verdict.valid() == is_valid &&
                                    check.accepts(test.at("data")) == is_valid;
            ++out.all;
            out.passed += has_passed;
            BOOST_TEST(has_passed, test.at("description"));
        }
    }
};

} // namespace

} // namespace official_suite_test

BOOST_FIXTURE_TEST_SUITE(official_suite_test, official_suite_test::official_suite)

BOOST_AUTO_TEST_CASE(every_required_test_of_draft_2020_12_passes)
{
    auto const [all, passed] = run(linkspan::schema_dialect::draft_2020_12, "draft2020-12");
    BOOST_TEST(all == 1299U);
    BOOST_TEST(passed == 1299U);
}

BOOST_AUTO_TEST_CASE(every_required_test_of_draft_7_passes)
{
    auto const [all, passed] = run(linkspan::schema_dialect::draft_7, "draft7");
    BOOST_TEST(all == 927U);
    BOOST_TEST(passed == 927U);
}

BOOST_AUTO_TEST_SUITE_END()
