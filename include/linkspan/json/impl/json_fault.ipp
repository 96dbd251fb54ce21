#ifndef LINKSPAN_JSON_IMPL_JSON_FAULT_IPP
#define LINKSPAN_JSON_IMPL_JSON_FAULT_IPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/json/detail/json_fault.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/detail/scan_steps.hpp>
#include <linkspan/json/json_scan.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <forward_list>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Returns true if all escapes are valid. `inner` is the text between the quotes.
inline bool has_valid_escapes(std::string_view inner) noexcept
{
    for (auto at = inner.find('\\'); at != inner.npos; at = inner.find('\\', at)) {
        auto const escape = inner.substr(at + 1);
        if (escape.empty())
            return false;
        bool const is_code = escape.front() == 'u';
        if (is_code ? json_scan::detail::hex4(escape.substr(1)) < 0
                    : std::string_view("\"\\/bfnrt").find(escape.front()) == std::string_view::npos)
            return false;
        at += is_code ? 6 : 2;
    }
    return true;
}

// Stack of the keys of all open objects, beginning with the outermost object. The internal buffer is not initialized,
// because the initialization would cost time. Invariant: `begin_` refers to `buffer_` or `allocated_`.
class open_keys {
public:
    struct key {
        char const* data;
        std::size_t size;

        std::string_view text() const noexcept { return {data, size}; }
        bool operator==(key const& other) const noexcept { return text() == other.text(); }
        bool operator<(key const& other) const noexcept // for the search for duplicates
        {
            return size != other.size ? size < other.size : text() < other.text();
        }
    };

    void push(key added)
    {
        if (size_ == capacity_)
            grow();
        begin_[size_++] = added;
    }

    void shrink(std::size_t size) noexcept { size_ = size; }

    std::size_t size() const noexcept { return size_; }
    key* begin() noexcept { return begin_; }
    key* end() noexcept { return begin_ + size_; }
    std::string_view operator[](std::size_t i) const noexcept { return begin_[i].text(); }

private:
    void grow()
    {
        std::vector<key> more(2 * capacity_);
        std::copy(begin_, begin_ + size_, more.begin());
        allocated_ = std::move(more);
        begin_ = allocated_.data();
        capacity_ = allocated_.size();
    }

    std::array<key, 64> buffer_;
    std::vector<key> allocated_;            // used instead of `buffer_` from the first grow() on
    key* begin_ = buffer_.data();           // set by grow()
    std::size_t size_ = 0;                  // number of keys; changed by push() and shrink()
    std::size_t capacity_ = buffer_.size(); // capacity of the memory at `begin_`
};

// Check of one text in one pass; see `find_fault`.
class fault_finder {
public:
    explicit fault_finder(std::string_view text) noexcept : begin_(text.data()), at_(begin_), end_(at_ + text.size()) {}

    json_fault find()
    {
        skip_blanks();
        if (at_ == end_)
            return {kind::empty, 0};
        auto next = step::value;
        while (next == step::value)
            next = read_value();
        if (next == step::over) {
            skip_blanks();
            if (at_ != end_)
                fail(kind::trailing);
        }
        return std::move(fault_);
    }

private:
    using kind = json_fault::kind;
    enum class step { value, over, failed }; // a value follows; the text is complete; a fault was found

    struct frame {             // open object or array
        std::size_t first_key; // number of keys of the enclosing objects
        std::size_t index;     // of the current element
        char closer;
    };

    static constexpr std::size_t max_compared_keys = 16; // up to this number, each new key is compared with all others

    void skip_blanks() noexcept { at_ = json_scan::detail::skip_blanks(at_, end_); }

    step fail(kind what) { return fail(what, at_); }

    step fail(kind what, char const* at)
    {
        fault_ = {what, static_cast<std::size_t>(at - begin_), pointer()};
        return step::failed;
    }

    step fail_here() { return fail(at_ == end_ ? kind::truncated : kind::malformed); }

    step read_value()
    {
        is_in_value_ = true;
        if (at_ == end_)
            return fail(kind::truncated);
        if (*at_ != '{' && *at_ != '[')
            return read_scalar() ? read_separator() : step::failed;
        if (depth_ == frames_.size())
            return fail(kind::too_deep);
        frames_[depth_++] = {keys_.size(), 0, *at_ == '{' ? '}' : ']'};
        is_in_value_ = false;
        ++at_;
        skip_blanks();
        if (at_ != end_ && *at_ == top().closer)
            return read_separator();
        return top().closer == '}' ? read_key() : step::value;
    }

    // Reads the separator after a value, or the end of an empty object or array.
    step read_separator()
    {
        for (;;) {
            is_in_value_ = false;
            if (depth_ == 0)
                return step::over;
            skip_blanks();
            if (at_ == end_)
                return fail(kind::truncated);
            if (*at_ == top().closer) {
                if (!close())
                    return step::failed;
                continue;
            }
            if (*at_ != ',')
                return fail(kind::malformed);
            ++at_;
            skip_blanks();
            if (top().closer == '}')
                return read_key();
            ++top().index;
            return step::value;
        }
    }

    bool close()
    {
        if (keys_.size() - top().first_key > max_compared_keys) {
            auto* const first = keys_.begin() + top().first_key;
            std::sort(first, keys_.end());
            if (auto* const twice = std::adjacent_find(first, keys_.end()); twice != keys_.end())
                return fail_repeated(twice->text());
        }
        keys_.shrink(top().first_key);
        --depth_;
        ++at_;
        return true;
    }

    step read_key()
    {
        if (at_ == end_ || *at_ != '"')
            return fail_here();
        auto const* const quote = json_scan::detail::find_quote(at_ + 1, end_);
        if (!quote)
            return fail(kind::truncated);
        auto key = json_scan::detail::between(at_ + 1, quote);
        if (!add_key(key))
            return step::failed;
        at_ = quote + 1;
        skip_blanks();
        if (at_ == end_ || *at_ != ':')
            return fail_here();
        ++at_;
        skip_blanks();
        return step::value;
    }

    bool add_key(std::string_view key)
    {
        if (!is_valid_string(key))
            return fail(kind::bad_string), false;
        if (json_scan::detail::has_slash(key)) {
            auto& decoded = decoded_.emplace_front();
            json_scan::append_unescaped(decoded, key);
            key = decoded;
        }
        open_keys::key const added{key.data(), key.size()};
        auto* const first = keys_.begin() + top().first_key;
        if (keys_.size() - top().first_key <= max_compared_keys && std::find(first, keys_.end(), added) != keys_.end())
            return fail_repeated(key);
        keys_.push(added);
        return true;
    }

    bool fail_repeated(std::string_view key)
    {
        is_in_value_ = false;
        fail(kind::repeated_key);
        (fault_.pointer += '/') += shortened_key(key);
        return false;
    }

    bool read_scalar()
    {
        switch (*at_) {
        case '"': return read_string();
        case 't': return read_word("true");
        case 'f': return read_word("false");
        case 'n': return read_word("null");
        default: return read_number();
        }
    }

    static bool is_valid_string(std::string_view inner) noexcept
    {
        return is_json_text(inner) && (!json_scan::detail::has_slash(inner) || has_valid_escapes(inner));
    }

    bool read_string()
    {
        auto const* const quote = json_scan::detail::find_quote(at_ + 1, end_);
        if (!quote)
            return fail(kind::truncated, end_), false;
        if (!is_valid_string(json_scan::detail::between(at_ + 1, quote)))
            return fail(kind::bad_string), false;
        at_ = quote + 1;
        return true;
    }

    bool read_word(std::string_view word)
    {
        for (char const c : word) {
            if (at_ == end_ || *at_ != c)
                return fail_here(), false;
            ++at_;
        }
        return true;
    }

    bool read_number()
    {
        if (auto const* const after = json_scan::detail::skip_number(at_, end_)) {
            at_ = after;
            return true;
        }
        while (at_ != end_ && std::string_view("+-.0123456789eE").find(*at_) != std::string_view::npos)
            ++at_;
        return fail_here(), false;
    }

    frame& top() noexcept { return frames_[depth_ - 1]; }

    std::string pointer() const
    {
        std::string out;
        for (std::size_t i = 0; i != depth_; ++i) {
            bool const is_last = i + 1 == depth_;
            if (is_last && !is_in_value_)
                break;
            auto const keys = is_last ? keys_.size() : frames_[i + 1].first_key;
            out += '/';
            out += frames_[i].closer == '}' ? shortened_key(keys_[keys - 1]) : std::to_string(frames_[i].index);
        }
        return out;
    }

    char const* begin_;        // beginning of the text; set by the constructor
    char const* at_;           // current position
    char const* end_;          // end of the text; set by the constructor
    bool is_in_value_ = false; // true while `at_` is inside a value of the innermost object or array
    std::size_t depth_ = 0;    // number of open objects and arrays
    std::array<frame, json_scan::max_depth> frames_; // the first `depth_` elements are initialized
    open_keys keys_;                                 // keys of all open objects
    std::forward_list<std::string> decoded_;         // decoded keys, for keys with escapes; `keys_` refers to them
    json_fault fault_;                               // set by fail()
};

LINKSPAN_DECL json_fault find_fault(std::string_view text) { return fault_finder(text).find(); }

LINKSPAN_DECL std::string describe(json_fault const& fault, std::string_view subject, std::string_view text)
{
    using kind = json_fault::kind;
    auto out = std::string(subject) + ' ';
    auto const place = std::to_string(fault.at + 1);
    auto const pointer = shortened_text(fault.pointer);
    auto const inside = pointer.empty() ? std::string() : ", inside '" + pointer + '\'';
    switch (fault.what) {
    case kind::none: return {};
    case kind::empty: return out + "empty, expected a JSON object";
    case kind::truncated:
        return out + "truncated and so not valid JSON: the text ends after " + std::to_string(text.size()) +
               (text.size() == 1 ? " byte" : " bytes") + inside;
    case kind::malformed: {
        char const c = text[fault.at];
        bool const is_visible = c > 0x20 && c < 0x7f;
        return out + "not valid JSON: unexpected " + (is_visible ? std::string{'\'', c, '\''} : "character") +
               " at byte " + place + inside;
    }
    case kind::bad_string:
        return out + "not valid JSON: the string at byte " + place +
               " has a control character, an invalid escape or bytes that are not UTF-8" + inside;
    case kind::trailing: return out + "followed by other text at byte " + place + ", expected one JSON object";
    case kind::too_deep: return out + "nested more than " + std::to_string(json_scan::max_depth) + " levels deep";
    case kind::repeated_key: return out + "ambiguous: duplicate key '" + pointer + '\'';
    }
    return out;
}

LINKSPAN_DECL std::string_view name_of_kind(std::string_view text) noexcept
{
    auto const first = text.find_first_not_of(" \t\r\n");
    switch (first == text.npos ? '\0' : text[first]) {
    case '{': return "an object";
    case '[': return "an array";
    case '"': return "a string";
    case 't':
    case 'f': return "a boolean";
    case 'n': return "null";
    case '\0': return "nothing";
    default: return "a number";
    }
}

LINKSPAN_DECL std::string problem_of_arguments(std::string_view text)
{
    if (auto const fault = find_fault(text))
        return describe(fault, "arguments are", text);
    auto const kind = name_of_kind(text);
    return kind == "an object" ? std::string() : "arguments must be an object, not " + std::string(kind);
}

} // namespace linkspan::detail

#endif
