#include "statement.hpp"

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "database.hpp"

namespace mock_database {

namespace {

constexpr std::array<std::string_view, 9> forbidden{"INSERT", "UPDATE",   "DELETE", "DROP",  "ALTER",
                                                    "CREATE", "TRUNCATE", "GRANT",  "REVOKE"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Divides SQL text into words, quoted texts and other characters, without comments and whitespace.
class sql_reader {
public:
    explicit sql_reader(std::string_view text) : text_(text) {}

    // Skips whitespace and comments. Returns whether the text has another part.
    bool has_next()
    {
        while (at_ != text_.size()) {
            char const c = text_[at_];
            if (is_space(c))
                ++at_;
            else if (text_.substr(at_).starts_with("--"))
                skip_until("\n", 2);
            else if (text_.substr(at_).starts_with("/*"))
                skip_until("*/", 2);
            else
                return true;
        }
        return false;
    }

    // Returns the next part: a word, a quoted text with its quotes, or one character.
    std::string_view next()
    {
        auto const start = at_;
        char const c = text_[at_];
        if (c == '\'' || c == '"' || c == '`') {
            skip_until(text_.substr(at_, 1), 1);
        } else if (is_letter(c)) {
            while (at_ != text_.size() && (is_letter(text_[at_]) || (text_[at_] >= '0' && text_[at_] <= '9')))
                ++at_;
        } else {
            ++at_;
        }
        return text_.substr(start, at_ - start);
    }

    // Returns the number of bytes before the next part.
    std::size_t position() const { return at_; }

private:
    void skip_until(std::string_view end, std::size_t from)
    {
        auto const found = text_.find(end, at_ + from);
        at_ = found == text_.npos ? text_.size() : found + end.size();
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace

std::string read_statement(std::string_view text)
{
    if (text.find('\0') != text.npos)
        throw database_error("The statement contains a NUL character.");
    sql_reader reader(text);
    if (!reader.has_next())
        throw database_error("The query is empty.");
    std::size_t end = text.size();
    bool is_first = true;
    while (reader.has_next()) {
        auto const start = reader.position();
        auto const word = boost::algorithm::to_upper_copy(std::string(reader.next()));
        if (end != text.size())
            throw database_error("Only one statement is allowed.");
        if (is_first && word != "SELECT" && word != "WITH")
            throw database_error("Only SELECT statements are allowed.");
        if (std::ranges::find(forbidden, word) != forbidden.end())
            throw database_error("The statement contains the forbidden word " + word + ".");
        if (word == ";")
            end = start;
        is_first = false;
    }
    return std::string(text.substr(0, end));
}

} // namespace mock_database
