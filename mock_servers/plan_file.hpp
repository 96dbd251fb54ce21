#ifndef LINKSPAN_MOCK_SERVERS_PLAN_FILE_HPP
#define LINKSPAN_MOCK_SERVERS_PLAN_FILE_HPP

#include <linkspan/describe/encode.hpp>
#include <linkspan/test/chaos_plan.hpp>

#include <fstream>
#include <ios>
#include <stdexcept>
#include <string>
#include <string_view>

#include "output_file.hpp"

namespace mock_servers {

/// A file with the faults that have occurred, which is a plan after each of them: a fault may end the process.
class plan_file {
public:
    /// Replaces the file by an empty plan.
    ///
    /// \throws std::runtime_error The file cannot be written.
    explicit plan_file(std::string const& path) : path_(path), out_(open_output(path, empty)) {}

    /// Appends a fault.
    ///
    /// \throws std::runtime_error The file cannot be written.
    void add(linkspan::test::chaos_fault const& fault)
    {
        std::string text = is_empty_ ? "\n" : ",\n";
        linkspan::encode(text, fault);
        is_empty_ = false;
        out_.seekp(-static_cast<std::streamoff>(end.size()), std::ios::end);
        out_ << text << end << std::flush;
        if (!out_)
            throw std::runtime_error(path_ + ": a fault cannot be written");
    }

private:
    static constexpr std::string_view empty = "{\"faults\":[\n]}\n", end = "\n]}\n";

    std::string path_; // set by the constructor, as is the next member
    std::ofstream out_;
    bool is_empty_ = true; // cleared by add()
};

} // namespace mock_servers

#endif
