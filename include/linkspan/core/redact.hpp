#ifndef LINKSPAN_CORE_REDACT_HPP
#define LINKSPAN_CORE_REDACT_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Function object that replaces secrets in human-readable texts: stderr of a server, error messages, log lines.
///
///     redactor redact;
///     redact.add("hunter2");
///     redact("login with hunter2 failed"); // "login with *** failed"
///
/// A secret is recognized in its original form, in the form of a JSON string, and, if it has several lines, in each of
/// its lines. The redactor replaces every byte that belongs to an occurrence of a secret, also where occurrences
/// overlap. Adjacent and overlapping occurrences are replaced with one "***". The order in which secrets are added does
/// not matter.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: concurrent calls of `const` member functions are safe.
class redactor {
public:
    /// Minimum size of a secret, in bytes. Shorter texts are ignored, because replacing each occurrence of a text such
    /// as `1` or `on` would make messages unreadable.
    static constexpr std::size_t min_length = 4;

    /// Adds a secret: its text, its form as a JSON string, and each line of a text with several lines.
    ///
    /// Texts of fewer than `min_length` bytes and texts that have been added before are ignored.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    LINKSPAN_DECL void add(std::string_view secret);

    /// Adds the value of an HTTP header, and the part of the value after its first space.
    ///
    /// For example, "Bearer x" adds "Bearer x" and "x", because a server may repeat the credentials without the
    /// authentication scheme.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    LINKSPAN_DECL void add_header(std::string_view value);

    /// Adds the secrets in a URL: the user information and the values of the query parameters.
    ///
    /// The user information is added as a whole, and additionally as user name and password. Each part is added as it
    /// is written, and with its percent-encoding decoded (`@` for `%40`). A text that does not begin with a scheme and
    /// "://" adds nothing.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    LINKSPAN_DECL void add_address(std::string_view address);

    /// Adds all secrets of another redactor.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    LINKSPAN_DECL void add(redactor const& other);

    /// Returns a copy of `text` in which each sequence of bytes that belong to secrets is replaced with "***".
    /// \par Exception safety
    /// Strong. Throws `std::bad_alloc`.
    LINKSPAN_DECL std::string operator()(std::string_view text) const;

    /// Returns true if the redactor has no secrets.
    bool empty() const noexcept { return secrets_.empty(); }

private:
    LINKSPAN_DECL void add_text(std::string_view text);

    std::vector<std::string> secrets_; // without duplicates, in descending order of size
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/core/impl/redact.ipp>
#endif

#endif
