#ifndef LINKSPAN_PROTOCOL_ENVELOPE_HPP
#define LINKSPAN_PROTOCOL_ENVELOPE_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI {

/// Structure of a JSON-RPC message: its kind, and views of its parts. The parts are not parsed.
///
/// \par Lifetime
/// All views refer to the text that was read.
/// \par Specification
/// JSON-RPC 2.0; 2025-11-25, basic, "Messages".
struct envelope {
    /// Kinds of messages.
    enum class kind {
        /// A JSON object that is no valid JSON-RPC message, or that is truncated. `id` and `raw_id` are set if they
        /// could be read.
        invalid,

        /// The text is neither a JSON object nor an array.
        not_json,
        /// An array of messages, whose elements were not read. Protocol version 2025-03-26 only.
        batch,
        /// A request: has a method and an id.
        request,
        /// A notification: has a method and no id.
        notification,
        /// A response with a result.
        result,
        /// An error response.
        error,
    };

    /// Kind of the message. Default: `not_json`.
    kind what = kind::not_json;
    /// The method, or a key of the message, contains escapes that JSON does not require, such as `tools\/list`. Names
    /// are compared as they are written, so that such a message has to be read again as `with_plain_names` returns it.
    bool has_escaped_names = false;
    /// Id as a number, if it is an integer or a string of digits; empty: missing, null or another text.
    std::optional<request_id> id;
    /// Id as JSON text, quotes included; empty: missing, or neither a string, a number nor null.
    std::string_view raw_id;
    /// Method without quotes, with escapes as written; empty: missing.
    std::string_view method;
    /// JSON text of the params; empty: missing.
    std::string_view params;
    /// JSON text of the result; empty: missing.
    std::string_view result;
    /// JSON text of the member `resultType` of the result; empty: missing, or the result is no object.
    std::string_view result_type;
    /// Text of the result without quotes, if the only block of its content is a text block without escapes and the
    /// reader has found it; empty: not known.
    std::string_view plain_text;
    /// JSON text of the error object; empty: missing or null.
    std::string_view error;

    /// Returns whether the message is a response: a result or an error.
    bool is_response() const noexcept { return what == kind::result || what == kind::error; }

    /// Returns whether the peer responds to the message. An invalid message receives an error response.
    bool has_response() const noexcept { return what != kind::notification && !is_response(); }
};

/// Reads the structure of one message, in one pass and without memory allocation.
///
/// Members may be in any order, and unknown members are ignored. The member `jsonrpc` may be missing, but must not have
/// a value other than "2.0". A truncated message is `invalid` and keeps an id that is complete.
///
/// \param text JSON text, which must outlive the returned views.
LINKSPAN_DECL envelope read_envelope(std::string_view text) noexcept;

/// Returns whether a message, or an element of a batch, has `envelope::has_escaped_names`.
///
/// \param message JSON text.
LINKSPAN_DECL bool has_escaped_names(std::string_view message) noexcept;

/// Returns the same message without the escapes that JSON permits and does not require: `\/`, and escapes of printable
/// ASCII characters such as `\u0069`.
///
/// \param message JSON text.
/// \returns A message for which `has_escaped_names` is false. Empty: the message is malformed, because an escape in it
/// is invalid.
/// \par Exception safety
/// Strong. Throws `std::bad_alloc`.
/// \par Specification
/// RFC 8259, 7.
LINKSPAN_DECL std::optional<std::string> with_plain_names(std::string_view message);

/// Reads the structures of the messages of one peer, with the same results as `read_envelope`.
///
/// A server writes the same members after the content of most results, such as `resultType` and `_meta`. The reader
/// keeps the text of these members of one result, and compares it with the next result instead of reading the members
/// again.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class envelope_reader {
public:
    /// Reads the structure of one message.
    ///
    /// \param text JSON text, which must outlive the returned views.
    LINKSPAN_DECL envelope read(std::string_view text) noexcept;

private:
    static constexpr std::size_t max_tail = 512; // longer texts are not kept

    bool read_tail(std::string_view rest, envelope& message) const noexcept;
    void keep_tail(std::string_view rest, envelope const& message) noexcept;

    std::array<char, max_tail> tail_; // text after the content of a result, to the end of the message
    std::size_t tail_size_ = 0;       // length of the text in `tail_`; 0: none
    std::size_t type_offset_ = 0;     // position in `tail_` of the value of `resultType`
    std::size_t type_size_ = 0;       // length of that value; 0: there is no member `resultType`
};

/// Parts of the error object of an error response.
///
/// \par Lifetime
/// All views refer to the text that was read.
/// \par Specification
/// JSON-RPC 2.0, 5.1.
struct rpc_failure {
    /// Error code; 0: missing, or not an integer in the range of `int`.
    int code = 0;
    /// Error message as JSON text, quotes included; empty: missing.
    std::string_view message;
    /// Additional data as JSON text; empty: missing.
    std::string_view data;
};

/// Reads an error object.
///
/// \param error JSON text, as in `envelope::error`; must outlive the returned views.
LINKSPAN_DECL rpc_failure read_failure(std::string_view error) noexcept;

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/protocol/impl/envelope.ipp>
#endif

#endif
