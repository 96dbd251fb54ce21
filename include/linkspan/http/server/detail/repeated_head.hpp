#ifndef LINKSPAN_HTTP_SERVER_DETAIL_REPEATED_HEAD_HPP
#define LINKSPAN_HTTP_SERVER_DETAIL_REPEATED_HEAD_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/http_head.hpp>

#include <boost/beast/http/field.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Bytes of the head of the last request of a connection. Most clients send the same head with each request, except for
// the value of Content-Length, so that the result of the parser can be used again. The class performs no I/O.
//
// A head is kept only if the parser has accepted it, and if nothing in it except the size of the body has a meaning for
// the framing of the request or for the connection: HTTP/1.1, one Content-Length with digits only, no
// Transfer-Encoding, no Expect, and the connection stays open. The parser would accept equal bytes with the same
// result.
//
// Invariant: if `end_` is not 0, `bytes_` is a whole head, whose value of Content-Length is in [`begin_`, `end_`).
class repeated_head {
public:
    // Heads with more bytes, or with more fields, are not kept.
    static constexpr std::size_t max_size = 2048;
    static constexpr std::size_t max_fields = 64;

    // The beginning of a text that repeats the head.
    struct match {
        std::size_t size = 0;        // of the head; 0: the text begins with another head, or with a part of one
        std::string_view length{};   // value of Content-Length
        std::uint64_t body_size = 0; // that value, more than 0
    };

    // Event: the parser begins a head.
    void restart() noexcept
    {
        bytes_.clear();
        begin_ = end_ = 0;
        is_incomplete_ = false;
    }

    // Event: the parser has accepted the next bytes of the head. Throws nothing, because the parser would otherwise
    // receive the same bytes again.
    void add(std::string_view piece) noexcept
    {
        is_incomplete_ = is_incomplete_ || piece.size() > max_size - bytes_.size();
        if (is_incomplete_)
            return;
        try {
            bytes_ += piece;
        } catch (std::bad_alloc const&) { // the head is not kept
            is_incomplete_ = true;
        }
    }

    // Event: the request is complete. `head`: result of the parser. `stays_open`: the connection may have another
    // request.
    void keep(http_head const& head, bool stays_open) noexcept
    {
        using field = boost::beast::http::field;
        if (is_incomplete_ || !stays_open || head.version() < 11 || head.size() > max_fields ||
            head.count(field::content_length) != 1 || head.count(field::transfer_encoding) != 0 ||
            head.count(field::expect) != 0)
            return;
        auto const begin = std::max(begin_of_value("\r\nContent-Length: "), begin_of_value("\r\ncontent-length: "));
        auto const end = bytes_.find_first_not_of("0123456789", begin);
        bool const is_plain = begin != 0 && end != begin && bytes_.compare(end, 2, "\r\n") == 0 &&
                              bytes_[end + 2] != ' ' && bytes_[end + 2] != '\t'; // else a folded value
        if (is_plain) {
            begin_ = begin;
            end_ = end;
        }
    }

    // Returns whether a head is kept.
    bool is_kept() const noexcept { return end_ != 0; }

    // Compares the head with the beginning of a text. A head of more than `max_head` bytes does not match, so that the
    // parser refuses it. max_body: maximum size of a body.
    match find(std::string_view text, std::size_t max_head, std::uint64_t max_body) const noexcept
    {
        constexpr std::size_t max_digits = 15; // any 15 digits fit into `body_size`
        std::string_view const bytes(bytes_);
        if (!is_kept() || !text.starts_with(bytes.substr(0, begin_)))
            return {};
        match out;
        auto at = begin_;
        for (; at != text.size() && text[at] >= '0' && text[at] <= '9' && at - begin_ != max_digits; ++at)
            out.body_size = out.body_size * 10 + static_cast<std::uint64_t>(text[at] - '0');
        auto const rest = bytes.substr(end_);
        if (at == begin_ || out.body_size == 0 || out.body_size > max_body || !text.substr(at).starts_with(rest))
            return {};
        if (at + rest.size() > max_head)
            return {};
        out.length = text.substr(begin_, at - begin_);
        out.size = at + rest.size();
        return out;
    }

private:
    // Returns the position of the value of a field. name: line end, name and separator. 0: not found, because the field
    // has another spelling.
    std::size_t begin_of_value(std::string_view name) const noexcept
    {
        auto const at = bytes_.find(name);
        return at == bytes_.npos ? 0 : at + name.size();
    }

    std::string bytes_;               // of the last head, or of the head that is parsed; added by add()
    std::size_t begin_ = 0, end_ = 0; // set by keep(), reset by restart()
    bool is_incomplete_ = false;      // set by add(), reset by restart(): `bytes_` lacks a part of the head
};

} // namespace linkspan::detail

#endif
