#ifndef LINKSPAN_HTTP_HTTP_HEAD_HPP
#define LINKSPAN_HTTP_HTTP_HEAD_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/beast/http/field.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// One field of the head of a message over HTTP.
///
/// \par Lifetime
/// The views refer to the `http_head`, and are valid until the next call of a non-const member.
struct http_field {
    std::string_view name;  ///< as it was received; the case of its letters has no meaning
    std::string_view value; ///< without the blanks around it
};

/// Start line and fields of one message over HTTP/1.1.
///
/// The texts of all fields are stored in one string, so that an object that is reused does not allocate.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
/// \par Specification
/// RFC 9112, sections 3, 4 and 5.
class http_head {
public:
    /// Replaces the content by the start line of a response. `http_version`: 10 for HTTP/1.0, 11 for HTTP/1.1.
    LINKSPAN_DECL void start_response(int status, int http_version = 11);

    /// Replaces the content by the start line of a request. `http_version`: as for a response.
    LINKSPAN_DECL void start_request(std::string_view method, std::string_view target, int http_version = 11);

    /// Adds a field. `id`: enumerator of Beast for `name`; `unknown` if Beast has none.
    LINKSPAN_DECL void add(boost::beast::http::field id, std::string_view name, std::string_view value);

    /// Replaces the value of the first field with this name. Has no effect if there is none.
    LINKSPAN_DECL void replace(boost::beast::http::field id, std::string_view value);

    /// Removes the content, and releases the memory if it is larger than that of usual heads.
    LINKSPAN_DECL void clear() noexcept;

    /// Returns the status code; 0: the message is a request.
    int status() const noexcept { return status_; }
    /// Returns the version: 10 for HTTP/1.0, 11 for HTTP/1.1.
    int version() const noexcept { return version_; }
    /// Returns the method; empty: the message is a response.
    std::string_view method() const noexcept { return {text_.data(), method_}; }
    /// Returns the target of the request; empty: the message is a response.
    std::string_view target() const noexcept { return {text_.data() + method_, target_}; }

    /// Returns the value of the first field with this name; empty: there is none.
    LINKSPAN_DECL std::string_view operator[](boost::beast::http::field id) const noexcept;
    /// Returns the value of the first field with this name, ignoring the case of letters; empty: there is none.
    LINKSPAN_DECL std::string_view operator[](std::string_view name) const noexcept;

    /// Returns the value of the first field with this name, ignoring the case of letters. `std::nullopt`: there is
    /// none.
    LINKSPAN_DECL std::optional<std::string_view> find(std::string_view name) const noexcept;

    /// Returns the number of fields with this name.
    LINKSPAN_DECL std::size_t count(boost::beast::http::field id) const noexcept;

    /// Returns the number of all fields.
    std::size_t size() const noexcept { return fields_.size(); }
    /// Returns a field, in the order in which the fields were received. Precondition: `index < size()`.
    http_field field_at(std::size_t index) const noexcept { return view_of(fields_[index]); }

private:
    // Position of a field in `text_`; its value follows its name.
    struct entry {
        boost::beast::http::field id;
        std::size_t begin, name, value; // start, and the sizes of the name and the value
    };

    // Without `substr`, which is not inlined, because it checks the position: requests are searched for many fields.
    http_field view_of(entry const& which) const noexcept
    {
        auto const* const name = text_.data() + which.begin;
        return {{name, which.name}, {name + which.name, which.value}};
    }

    std::string text_;          // method, target, and the fields; replaced by each start line
    std::vector<entry> fields_; // added by `add`, cleared by each start line
    int status_ = 0;            // set by each start line; 0: a request
    int version_ = 11;          // set by each start line
    std::size_t method_ = 0;    // size of the method; set by each start line
    std::size_t target_ = 0;    // size of the target; set by each start line
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/http/impl/http_head.ipp>
#endif

#endif
