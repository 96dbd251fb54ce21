#ifndef LINKSPAN_EXAMPLE_PIPELINE_CONVERSATIONS_HPP
#define LINKSPAN_EXAMPLE_PIPELINE_CONVERSATIONS_HPP

#include <memory>
#include <string>

struct sqlite3;

namespace pipeline {

/// Questions with their answers, in an SQLite file.
class conversations {
public:
    /// Opens the file, and creates it if it does not exist.
    ///
    /// \throws std::runtime_error The file cannot be opened, or is not a database.
    explicit conversations(std::string const& path);

    /// Stores a question with the text of its answer. Returns the number of the row.
    ///
    /// \throws std::runtime_error The row cannot be stored.
    long long add(std::string const& question, std::string const& answer);

private:
    struct closer {
        void operator()(sqlite3* handle) const noexcept;
    };

    std::unique_ptr<sqlite3, closer> handle_;
};

} // namespace pipeline

#endif
