#ifndef LINKSPAN_TEST_SUPPORT_DOCUMENT_HPP
#define LINKSPAN_TEST_SUPPORT_DOCUMENT_HPP

// Files of the project that contain text which a test generates. With LINKSPAN_UPDATE_DOCUMENTS in the environment, the
// test writes the text instead of comparing it.

#include <linkspan/core/detail/config.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns the path of a file. `name`: path in the folder of the project.
inline std::string project_file(std::string const& name)
{
    auto const* const tests = std::getenv("LINKSPAN_TEST_DIR");
    BOOST_TEST_REQUIRE(tests, "LINKSPAN_TEST_DIR is not set");
    return std::string(tests) + "/../" + name;
}

// Returns the content of a file of the project.
inline std::string project_text(std::string const& name)
{
    std::ifstream file(project_file(name), std::ios::binary);
    BOOST_TEST_REQUIRE(file.is_open(), name << " cannot be read");
    return {std::istreambuf_iterator<char>(file), {}};
}

// Compares the bytes from `from` to `to` of a file of the project with the generated text.
inline void expect_generated(std::string const& name, std::size_t from, std::size_t to, std::string_view generated)
{
    auto text = project_text(name);
    auto const found = text.substr(from, to - from);
    if (std::getenv("LINKSPAN_UPDATE_DOCUMENTS"))
        std::ofstream(project_file(name), std::ios::binary) << text.replace(from, found.size(), generated);
    else
        BOOST_TEST(found == generated, name << " differs; LINKSPAN_UPDATE_DOCUMENTS=1 writes the text\n" << generated);
}

// Compares the part of a document between the lines "<!-- MARK: begin -->" and "<!-- MARK: end -->" with the generated
// text, which ends with a line end; an empty line precedes the second mark.
inline void expect_generated_part(std::string const& name, std::string const& mark, std::string_view generated)
{
    auto const begin = "<!-- " + mark + ": begin -->\n", end = "\n<!-- " + mark + ": end -->";
    auto const text = project_text(name);
    auto const from = text.find(begin), to = text.find(end);
    BOOST_TEST_REQUIRE((from != text.npos && to != text.npos), name << " has no part '" << mark << "'");
    expect_generated(name, from + begin.size(), to, generated);
}

} // namespace linkspan::test

#endif
