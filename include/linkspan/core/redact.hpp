#ifndef LINKSPAN_CORE_REDACT_HPP
#define LINKSPAN_CORE_REDACT_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan {

/// Takes secrets out of texts that people will read: the end of a server's stderr, a message of its errors.
///
///     redactor redact;
///     redact.add("hunter2");
///     redact("login with hunter2 failed"); // "login with *** failed"
///
/// A secret is found as it is, as JSON writes it between quotes, and, when it has several lines, line by line. Every
/// byte that is part of one is taken out, whatever the order and the overlap of the secrets.
///
/// Thread safety: as that of a container.
class redactor {
public:
    /// bytes; shorter texts are not taken for secrets: without `1` and `on` no message can be read.
    static constexpr std::size_t least_length = 4;

    LINKSPAN_DECL void add(std::string_view secret);

    /// The value of a header, and what stands behind its scheme: of "Bearer x" a server may repeat x alone.
    LINKSPAN_DECL void add_header(std::string_view value);

    /// The secrets within an address: its user part, as a whole, by name and by password, and the values of its query;
    /// as they are written and as they are meant (`%40` is `@`). Any other text has none.
    LINKSPAN_DECL void add_address(std::string_view address);

    LINKSPAN_DECL void add(redactor const& other);

    LINKSPAN_DECL std::string operator()(std::string_view text) const;

    bool empty() const noexcept { return secrets_.empty(); }

private:
    LINKSPAN_DECL void add_text(std::string_view text);

    std::vector<std::string> secrets_; // each once, the longest first
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/core/impl/redact.ipp>
#endif

#endif
