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

namespace linkspan::detail {

// A value that stands in JSON text, where a reader has come to it. Each is read once, or skipped.
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

    // False when it has an invalid escape, a control character, or bytes that are no UTF-8.
    LINKSPAN_DECL bool text(std::string& out);

    // The same; the text is in place, or in `scratch`.
    LINKSPAN_DECL bool text(std::string_view& out, std::string& scratch);

    // f(key, value) for each; what it leaves is skipped. Where the next key is written as `expected()` says, as in
    // `"key":`, the key is not looked at, and null. A key that is no text of JSON ends all.
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

    // The same value, to be looked at more than once.
    class look {
    public:
        explicit look(text_source const& at) noexcept : at_(*at.at_), size_(at_.rest().size()) {}

        text_source source() noexcept { return text_source(at_); }

        // It came to what is no JSON.
        bool failed() const noexcept { return at_.failed(); }

        // What it cost, in bytes: to walk through the members, or to read it all.
        std::size_t cost_of_members() const noexcept { return size_ - at_.rest().size(); }
        std::size_t cost() const noexcept { return size_ - at_.rest().size(); }

    private:
        friend class text_source;

        json_scan::reader at_;
        std::size_t size_;
    };

    // What a look came to is no JSON: so it ends here too.
    void adopt(look const& broken) const noexcept { *at_ = broken.at_; }

private:
    LINKSPAN_DECL static bool unescape(std::string_view& text, std::string& scratch);

    json_scan::reader* at_;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/describe/impl/text_source.ipp>
#endif

#endif
