#include "conversations.hpp"

#include <sqlite3.h>
#include <stdexcept>

namespace pipeline {

namespace {

[[noreturn]] void fail(sqlite3* handle)
{
    throw std::runtime_error(std::string("conversations: ") + (handle ? sqlite3_errmsg(handle) : "out of memory"));
}

} // namespace

void conversations::closer::operator()(sqlite3* handle) const noexcept { sqlite3_close(handle); }

conversations::conversations(std::string const& path)
{
    sqlite3* handle = nullptr;
    int const opened = sqlite3_open(path.c_str(), &handle);
    handle_.reset(handle);
    if (opened != SQLITE_OK)
        fail(handle);
    sqlite3_busy_timeout(handle, 5000); // another process may store a row at the same time
    if (sqlite3_exec(handle,
                     "CREATE TABLE IF NOT EXISTS conversations(id INTEGER PRIMARY KEY, "
                     "asked_at TEXT DEFAULT CURRENT_TIMESTAMP, question TEXT, answer TEXT)",
                     nullptr, nullptr, nullptr) != SQLITE_OK)
        fail(handle);
}

long long conversations::add(std::string const& question, std::string const& answer)
{
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_.get(), "INSERT INTO conversations(question, answer) VALUES(?, ?)", -1, &statement,
                           nullptr) != SQLITE_OK)
        fail(handle_.get());
    // Without a destructor, SQLite does not copy the texts, which outlive the statement.
    sqlite3_bind_text(statement, 1, question.data(), static_cast<int>(question.size()), nullptr);
    sqlite3_bind_text(statement, 2, answer.data(), static_cast<int>(answer.size()), nullptr);
    sqlite3_step(statement);
    if (sqlite3_finalize(statement) != SQLITE_OK)
        fail(handle_.get());
    return sqlite3_last_insert_rowid(handle_.get());
}

} // namespace pipeline
