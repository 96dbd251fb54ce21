#ifndef LINKSPAN_DESCRIBE_DETAIL_TEXT_SOURCE_HPP
#define LINKSPAN_DESCRIBE_DETAIL_TEXT_SOURCE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/json/detail/json_kind.hpp>
#include <linkspan/json/detail/written_number.hpp>
#include <linkspan/json/json_scan.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// A value in JSON text at the position of a reader. At most one of boolean(), number(), text(), members(), elements()
// and skip() is called; it moves the reader past the value. members() and elements() skip a nested value for which none
// was called.
class text_source {
public:
    explicit text_source(json_scan::reader& at) noexcept : at_(&at) {}

    json_kind kind() const noexcept
    {
        switch (at_->peek()) {
        case '{': return json_kind::object;
        case '[': return json_kind::array;
        case '"': return json_kind::text;
        case 't':
        case 'f': return json_kind::boolean;
        case 'n': return json_kind::null;
        case '\0': return json_kind::none;
        default: return json_kind::number;
        }
    }

    bool boolean() noexcept { return at_->skip() == "true"; }
    written_number number() noexcept { return written_number::read(at_->skip()); }
    void skip() noexcept { at_->skip(); }

    // Reads a string. Returns false if it contains an invalid escape, a control character, or bytes that are not UTF-8.
    LINKSPAN_DECL bool text(std::string& out);

    // Reads a string as a view into the JSON text, or into `scratch` if the string has escapes.
    LINKSPAN_DECL bool text(std::string_view& out, std::string& scratch);

    // Calls f(key, value) for each member; values that `f` does not read are skipped. `expected()` returns the probable
    // text of the next key, such as `"key":`; if the key has this text, the argument `key` is a view whose data() is
    // null. An invalid key ends the loop and makes the text malformed.
    template<class Function, class Expected>
    void members(Function f, Expected expected)
    {
        std::string scratch;
        auto inner = at_->enter();
        for (;;) {
            if (auto const key = expected(); !key.empty() && inner.next_key_is(key)) {
                f(std::string_view(), text_source(inner));
            } else if (auto other = inner.next_key(); other && unescape(*other, scratch)) {
                f(*other, text_source(inner));
            } else {
                break;
            }
            if (inner.in_item())
                inner.skip();
        }
        at_->leave(inner);
    }

    template<class Function>
    void members(Function f)
    {
        members(std::move(f), [] { return std::string_view(); });
    }

    // Calls f(index, value) for each element; values that `f` does not read are skipped.
    template<class Function>
    void elements(Function f)
    {
        auto inner = at_->enter();
        for (std::size_t index = 0; inner.next_key(); ++index) {
            f(index, text_source(inner));
            if (inner.in_item())
                inner.skip();
        }
        at_->leave(inner);
    }

    // Second reader at the same value, which reads the value without moving the first reader.
    class look {
    public:
        explicit look(text_source const& at) noexcept : at_(*at.at_), size_(at_.rest().size()) {}

        text_source source() noexcept { return text_source(at_); }

        // Returns whether the text is not valid JSON.
        bool failed() const noexcept { return at_.failed(); }

        // Return the number of bytes that were read, after a read of the members only, or of the whole value.
        std::size_t cost_of_members() const noexcept { return size_ - at_.rest().size(); }
        std::size_t cost() const noexcept { return size_ - at_.rest().size(); }

    private:
        friend class text_source;

        json_scan::reader at_; // position of the look; advanced by its functions
        std::size_t size_;     // bytes of text after the reader at the start
    };

    // Moves the reader to the position of a look that failed, so that the whole read fails there.
    void adopt(look const& broken) const noexcept { *at_ = broken.at_; }

private:
    LINKSPAN_DECL static bool unescape(std::string_view& text, std::string& scratch);

    json_scan::reader* at_; // not owned
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/describe/impl/text_source.ipp>
#endif

#endif
