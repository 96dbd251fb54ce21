#ifndef LINKSPAN_TEST_SUPPORT_FOLDER_HPP
#define LINKSPAN_TEST_SUPPORT_FOLDER_HPP

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace observe {

// A temporary directory that is removed with its contents.
class folder {
public:
    folder()
    {
        std::string name = std::filesystem::temp_directory_path() / "linkspan-XXXXXX";
        BOOST_TEST_REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }

    folder(folder const&) = delete;
    folder& operator=(folder const&) = delete;
    ~folder() { std::filesystem::remove_all(path_); }

    std::string path() const { return path_; }

    std::string add(std::string const& name, std::string const& text, std::filesystem::perms permissions) const
    {
        auto const file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
        std::filesystem::permissions(file, permissions);
        return file;
    }

private:
    std::filesystem::path path_;
};

} // namespace observe

#endif
