#ifndef LINKSPAN_CONFIG_IMPL_TOML_TEXT_IPP
#define LINKSPAN_CONFIG_IMPL_TOML_TEXT_IPP

#include <linkspan/config/detail/toml_text.hpp>
#include <linkspan/core/detail/code_points.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Reads a TOML document from its beginning to its end. `at_` is the position of the next character.
class toml_reader {
public:
    explicit toml_reader(std::string_view text) : text_(text)
    {
        if (text_.starts_with("\xef\xbb\xbf"))
            at_ = 3;
    }

    boost::json::value read()
    {
        boost::json::object root;
        auto* table = &root;
        for (skip_blank_lines(); at_ != text_.size(); skip_blank_lines()) {
            if (peek() == '[')
                table = &read_header(root);
            else
                read_member(*table);
            end_line();
        }
        return root;
    }

private:
    using path = std::vector<std::string>;

    [[noreturn]] void fail(std::string const& what) const
    {
        auto const before = text_.substr(0, std::min(at_, text_.size()));
        throw toml_error("line " + std::to_string(std::ranges::count(before, '\n') + 1) + ": " + what);
    }

    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }

    bool take(std::string_view what)
    {
        bool const found = starts(what);
        at_ += found ? what.size() : 0;
        return found;
    }

    void expect(std::string_view what)
    {
        if (!take(what))
            fail("expected '" + std::string(what) + "'");
    }

    void skip_blanks()
    {
        while (peek() == ' ' || peek() == '\t')
            ++at_;
    }

    void skip_comment()
    {
        skip_blanks();
        if (peek() == '#')
            at_ = std::min(text_.find('\n', at_), text_.size());
    }

    void skip_blank_lines()
    {
        for (skip_comment(); take("\n") || take("\r\n"); skip_comment()) {
        }
    }

    void end_line()
    {
        skip_comment();
        if (at_ != text_.size() && !take("\n") && !take("\r\n"))
            fail("expected the end of the line");
    }

    std::string read_key_part()
    {
        if (peek() == '"')
            return read_basic_string();
        if (peek() == '\'')
            return read_literal_string();
        constexpr std::string_view bare = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
        auto const end = std::min(text_.find_first_not_of(bare, at_), text_.size());
        if (end == at_)
            fail("expected a key");
        auto const start = std::exchange(at_, end);
        return std::string(text_.substr(start, end - start));
    }

    path read_key()
    {
        path out;
        do {
            check_depth(depth_ + out.size());
            skip_blanks();
            out.push_back(read_key_part());
            skip_blanks();
        } while (take("."));
        return out;
    }

    // Returns the table with a key, which is created if it does not exist; for an array of tables, its last table.
    boost::json::object& enter(boost::json::object& from, std::string const& key)
    {
        auto& value = from.emplace(key, boost::json::object()).first->value();
        if (auto* const table = value.if_object())
            return *table;
        auto* const array = value.if_array();
        if (!array || array->empty() || !array->back().is_object())
            fail("key '" + key + "' is already defined with another kind of value");
        return array->back().get_object();
    }

    boost::json::object& read_header(boost::json::object& root)
    {
        bool const is_element = starts("[[");
        expect(is_element ? "[[" : "[");
        depth_ = 0;
        auto const keys = read_key();
        depth_ = keys.size();
        expect(is_element ? "]]" : "]");
        auto* table = &root;
        std::string name;
        for (auto const& key : keys)
            (name += name.empty() ? "" : ".") += key;
        for (std::size_t i = 0; i + 1 != keys.size(); ++i)
            table = &enter(*table, keys[i]);
        if (!is_element) {
            if (auto const* const found = table->if_contains(keys.back()); found && found->is_array())
                fail("table '" + name + "' is defined twice");
            table = &enter(*table, keys.back());
            if (!headers_.insert(keys).second)
                fail("table '" + name + "' is defined twice");
            return *table;
        }
        std::erase_if(headers_, [&](path const& header) { // nested tables of the previous element may be defined again
            return header.size() > keys.size() && std::equal(keys.begin(), keys.end(), header.begin());
        });
        auto& value = table->emplace(keys.back(), boost::json::array()).first->value();
        if (!value.is_array())
            fail("key '" + name + "' is already defined with another kind of value");
        return value.get_array().emplace_back(boost::json::object()).get_object();
    }

    void read_member(boost::json::object& table)
    {
        auto const keys = read_key();
        auto* to = &table;
        for (std::size_t i = 0; i + 1 != keys.size(); ++i)
            to = &enter(*to, keys[i]);
        expect("=");
        skip_blanks();
        if (to->contains(keys.back()))
            fail("key '" + keys.back() + "' is defined twice");
        auto const outer = std::exchange(depth_, depth_ + keys.size() - 1); // the last part belongs to the value
        auto value = read_value();
        depth_ = outer;
        to->emplace(keys.back(), std::move(value));
    }

    // The depth is limited, because values are destroyed recursively.
    void check_depth(std::size_t levels) const
    {
        constexpr std::size_t max_depth = 64;
        if (levels >= max_depth)
            fail("values are nested too deeply");
    }

    boost::json::value read_value()
    {
        check_depth(depth_);
        ++depth_;
        auto out = read_any();
        --depth_;
        return out;
    }

    boost::json::value read_any()
    {
        switch (peek()) {
        case '"': return text_value(starts("\"\"\"") ? read_long_string("\"\"\"") : read_basic_string());
        case '\'': return text_value(starts("'''") ? read_long_string("'''") : read_literal_string());
        case '[': return read_array();
        case '{': return read_inline_table();
        default: return read_word();
        }
    }

    static boost::json::value text_value(std::string const& text)
    {
        return boost::json::string(boost::json::string_view(text.data(), text.size()));
    }

    boost::json::value read_array()
    {
        boost::json::array out;
        expect("[");
        for (;;) {
            skip_blank_lines();
            if (take("]"))
                return out;
            out.push_back(read_value());
            skip_blank_lines();
            if (!take(",") && peek() != ']')
                fail("expected ',' or ']'");
        }
    }

    boost::json::value read_inline_table()
    {
        boost::json::object out;
        expect("{");
        skip_blanks();
        if (take("}"))
            return out;
        do {
            read_member(out);
            skip_blanks();
        } while (take(","));
        expect("}");
        return out;
    }

    // Reads a number, a boolean, a date or a time.
    std::size_t end_of_word(std::size_t begin) const
    {
        return std::min(text_.find_first_of(" \t\r\n,]}#", begin), text_.size());
    }

    boost::json::value read_word()
    {
        auto end = end_of_word(at_);
        // A time may follow a date after a blank.
        constexpr std::size_t date_size = std::string_view("1979-05-27").size();
        if (end - at_ == date_size && text_[at_ + 4] == '-' && text_[at_ + 7] == '-' && end + 1 < text_.size() &&
            text_[end] == ' ' && text_[end + 1] >= '0' && text_[end + 1] <= '9')
            end = end_of_word(end + 1);
        std::string_view const word = text_.substr(at_, end - at_);
        if (word.empty())
            fail("expected a value");
        at_ = end;
        if (word == "true" || word == "false")
            return word == "true";
        bool const is_date = word.find_first_not_of("0123456789:-.TZtz+ ") == word.npos &&
                             (word.find(':') != word.npos || word.find('-', 1) != word.npos) &&
                             word.find_first_of("0123456789") == 0;
        return is_date ? text_value(std::string(word)) : read_number(word);
    }

    boost::json::value read_number(std::string_view word)
    {
        std::string digits(word);
        std::erase(digits, '_');
        if (digits.starts_with('+'))
            digits.erase(0, 1);
        int const base = digits.starts_with("0x")   ? 16
                         : digits.starts_with("0o") ? 8
                         : digits.starts_with("0b") ? 2
                                                    : 10;
        if (base != 10)
            digits.erase(0, 2);
        auto const* const end = digits.data() + digits.size();
        std::int64_t integer = 0;
        if (auto const [stop, ec] = std::from_chars(digits.data(), end, integer, base);
            ec == std::errc() && stop == end)
            return integer;
        double number = 0;
        auto const [stop, ec] = std::from_chars(digits.data(), end, number);
        if (base != 10 || ec != std::errc() || stop != end)
            fail("expected a value");
        return number;
    }

    std::string read_literal_string()
    {
        expect("'");
        auto const end = text_.find_first_of("'\n", at_);
        if (end == text_.npos || text_[end] == '\n')
            fail("string is not terminated");
        auto const from = std::exchange(at_, end + 1);
        return std::string(text_.substr(from, end - from));
    }

    std::string read_basic_string()
    {
        expect("\"");
        std::string out;
        while (peek() != '"') {
            if (at_ == text_.size() || peek() == '\n')
                fail("string is not terminated");
            if (peek() == '\\')
                read_escape(out);
            else
                out += text_[at_++];
        }
        ++at_;
        return out;
    }

    std::string read_long_string(std::string_view quote)
    {
        expect(quote);
        if (!take("\n"))
            take("\r\n");
        std::string out;
        bool const has_escapes = quote[0] == '"';
        while (!starts(quote)) {
            if (at_ == text_.size())
                fail("string is not terminated");
            if (has_escapes && peek() == '\\')
                read_escape(out);
            else
                out += text_[at_++];
        }
        at_ += quote.size();
        for (int i = 0; i != 2 && peek() == quote[0]; ++i) // up to two more quotes belong to the text
            out += text_[at_++];
        return out;
    }

    void read_escape(std::string& out)
    {
        ++at_;
        char const c = peek();
        constexpr std::string_view letters = "btnfr\"\\", meant = "\b\t\n\f\r\"\\";
        if (auto const found = letters.find(c); c != '\0' && found != letters.npos) {
            out += meant[found];
            ++at_;
        } else if (c == 'u' || c == 'U') {
            ++at_;
            read_code_point(out, c == 'u' ? 4 : 8);
        } else {
            auto const end = text_.find_first_not_of(" \t\r\n", at_);
            bool const is_continued = text_.substr(at_, end - at_).find('\n') != text_.npos;
            if (!is_continued)
                fail("string contains an unknown escape");
            at_ = std::min(end, text_.size());
        }
    }

    void read_code_point(std::string& out, std::size_t digits)
    {
        std::uint32_t code = 0;
        auto const hex = text_.substr(at_, digits);
        auto const [stop, ec] = std::from_chars(hex.data(), hex.data() + hex.size(), code, 16);
        bool const is_surrogate = code >= 0xd800 && code < 0xe000;
        if (hex.size() != digits || ec != std::errc() || stop != hex.data() + digits || code > 0x10ffff || is_surrogate)
            fail("string contains an invalid escape");
        at_ += digits;
        append_code_point(out, code);
    }

    std::string_view text_;  // the document; set by the constructor
    std::size_t at_ = 0;     // position of the next character
    std::size_t depth_ = 0;  // nesting of the current value, including the parts of its keys
    std::set<path> headers_; // tables that have a header, except elements of arrays of tables
};

LINKSPAN_DECL boost::json::value read_toml(std::string_view text) { return toml_reader(text).read(); }

} // namespace linkspan::detail

#endif
