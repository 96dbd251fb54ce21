#ifndef LINKSPAN_BINDGEN_MAPPING_IMPL_IDENTIFIERS_IPP
#define LINKSPAN_BINDGEN_MAPPING_IMPL_IDENTIFIERS_IPP

#include <linkspan/bindgen/mapping/identifiers.hpp>
#include <linkspan/core/detail/sha256.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace linkspan::inline LINKSPAN_ABI::bindgen {
namespace detail {

constexpr bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_word(char c) noexcept { return is_upper(c) || is_digit(c) || c == '_' || (c >= 'a' && c <= 'z'); }

// Keywords, alternative tokens, contextual keywords, macros of common headers, and names of this library. Sorted.
// clang-format off
inline constexpr std::string_view unusable[] = {
    "BIG_ENDIAN", "BUFSIZ", "BYTE_ORDER", "CALLBACK", "CHAR_BIT", "CLOCKS_PER_SEC", "CONST", "CTRL", "DELETE",
    "DIFFERENCE", "DOMAIN", "E2BIG", "EACCES", "EADDRINUSE", "EADDRNOTAVAIL", "EADV", "EAFNOSUPPORT", "EAGAIN",
    "EALREADY", "EBADE", "EBADF", "EBADFD", "EBADMSG", "EBADR", "EBADRQC", "EBADSLT", "EBFONT", "EBUSY", "ECANCELED",
    "ECHILD", "ECHRNG", "ECOMM", "ECONNABORTED", "ECONNREFUSED", "ECONNRESET", "EDEADLK", "EDEADLOCK", "EDESTADDRREQ",
    "EDOM", "EDOTDOT", "EDQUOT", "EEXIST", "EFAULT", "EFBIG", "EHOSTDOWN", "EHOSTUNREACH", "EHWPOISON", "EIDRM",
    "EILSEQ", "EINPROGRESS", "EINTR", "EINVAL", "EIO", "EISCONN", "EISDIR", "EISNAM", "EKEYEXPIRED", "EKEYREJECTED",
    "EKEYREVOKED", "EL2HLT", "EL2NSYNC", "EL3HLT", "EL3RST", "ELIBACC", "ELIBBAD", "ELIBEXEC", "ELIBMAX", "ELIBSCN",
    "ELNRNG", "ELOOP", "EMEDIUMTYPE", "EMFILE", "EMLINK", "EMSGSIZE", "EMULTIHOP", "ENAMETOOLONG", "ENAVAIL",
    "ENETDOWN", "ENETRESET", "ENETUNREACH", "ENFILE", "ENOANO", "ENOBUFS", "ENOCSI", "ENODATA", "ENODEV", "ENOENT",
    "ENOEXEC", "ENOKEY", "ENOLCK", "ENOLINK", "ENOMEDIUM", "ENOMEM", "ENOMSG", "ENONET", "ENOPKG", "ENOPROTOOPT",
    "ENOSPC", "ENOSR", "ENOSTR", "ENOSYS", "ENOTBLK", "ENOTCONN", "ENOTDIR", "ENOTEMPTY", "ENOTNAM", "ENOTRECOVERABLE",
    "ENOTSOCK", "ENOTSUP", "ENOTTY", "ENOTUNIQ", "ENXIO", "EOF", "EOPNOTSUPP", "EOVERFLOW", "EOWNERDEAD", "EPERM",
    "EPFNOSUPPORT", "EPIPE", "EPROTO", "EPROTONOSUPPORT", "EPROTOTYPE", "ERANGE", "EREMCHG", "EREMOTE", "EREMOTEIO",
    "ERESTART", "ERFKILL", "EROFS", "ERROR", "ESHUTDOWN", "ESOCKTNOSUPPORT", "ESPIPE", "ESRCH", "ESRMNT", "ESTALE",
    "ESTRPIPE", "ETIME", "ETIMEDOUT", "ETOOMANYREFS", "ETXTBSY", "EUCLEAN", "EUNATCH", "EUSERS", "EWOULDBLOCK",
    "EXDEV", "EXFULL", "FALSE", "FIONBIO", "FIONREAD", "HUGE", "HUGE_VAL", "I", "IGNORE", "IN", "INFINITE", "INFINITY",
    "INTERFACE", "LITTLE_ENDIAN", "MAX", "MAXFLOAT", "MIN", "NAN", "NDEBUG", "NO_ERROR", "NSIG", "NULL", "OPTIONAL",
    "OUT", "OVERFLOW", "PDP_ENDIAN", "RAND_MAX", "SIGABRT", "SIGALRM", "SIGBUS", "SIGCHLD", "SIGCLD", "SIGCONT",
    "SIGFPE", "SIGHUP", "SIGILL", "SIGINT", "SIGIO", "SIGIOT", "SIGKILL", "SIGPIPE", "SIGPOLL", "SIGPROF", "SIGPWR",
    "SIGQUIT", "SIGRTMAX", "SIGRTMIN", "SIGSEGV", "SIGSTKFLT", "SIGSTKSZ", "SIGSTOP", "SIGSYS", "SIGTERM", "SIGTRAP",
    "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGUSR1", "SIGUSR2", "SIGVTALRM", "SIGWINCH", "SIGXCPU", "SIGXFSZ",
    "SNAN", "SOMAXCONN", "STRICT", "TIME_UTC", "TRUE", "UNDERFLOW", "UNICODE", "VOID", "WCHAR_MAX", "WCHAR_MIN",
    "WEOF", "WIN32", "WIN64", "WNOHANG", "alignas", "alignof", "alloca", "and", "and_eq", "asm", "assert",
    "assert_perror", "auto", "be16toh", "be32toh", "be64toh", "bindings", "bitand", "bitor", "bool", "boost", "break",
    "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl",
    "complex", "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "d_fileno",
    "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "end", "enum", "errno", "explicit",
    "export", "extern", "far", "final", "fingerprint", "float", "for", "fpclassify", "friend",
    "get_rfc2409_prime_1024", "get_rfc2409_prime_768", "get_rfc3526_prime_1536", "get_rfc3526_prime_2048",
    "get_rfc3526_prime_3072", "get_rfc3526_prime_4096", "get_rfc3526_prime_6144", "get_rfc3526_prime_8192", "goto",
    "h_addr", "h_errno", "hex_to_string", "hints", "htobe16", "htobe32", "htobe64", "htole16", "htole32", "htole64",
    "htonl", "htons", "hyper", "i386", "if", "ifr_addr", "ifr_flags", "ifr_name", "imaginary", "import", "inline",
    "input_schema", "input_schema_parts", "int", "int_implement_lhash_doall", "interface", "isfinite", "isinf",
    "isnan", "isnormal", "issubnormal", "le16toh", "le32toh", "le64toh", "linkspan", "linkspan_names", "linux", "long",
    "main", "major", "makedev", "math_errhandling", "max", "min", "minor", "module", "mutable", "namespace", "near",
    "new", "noexcept", "noreturn", "not", "not_eq", "ntohl", "ntohs", "nullptr", "offsetof", "operator", "or", "or_eq",
    "output_schema", "output_schema_parts", "override", "pascal", "pins", "private", "protected", "public", "register",
    "reinterpret_cast", "requires", "restrict", "result_type", "return", "s6_addr", "sa_handler", "sa_sigaction",
    "sched_priority", "setjmp", "short", "si_addr", "si_band", "si_fd", "si_int", "si_pid", "si_ptr", "si_status",
    "si_uid", "si_value", "sigmask", "signal", "signbit", "signed", "size", "sizeof", "small", "st_atime", "st_ctime",
    "st_mtime", "static", "static_assert", "static_cast", "std", "stderr", "stdin", "stdout", "strdupa",
    "string_to_hex", "strndupa", "struct", "sun", "switch", "template", "this", "thread_local", "throw", "timeradd",
    "timerclear", "timercmp", "timerisset", "timersub", "tool", "true", "try", "typedef", "typeid", "typename",
    "typeof", "union", "unix", "unsigned", "using", "va_arg", "va_copy", "va_end", "va_list", "va_start", "virtual",
    "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
};
// clang-format on

// Prefixes of macros in upper case.
// clang-format off
inline constexpr std::string_view unusable_families[] = {
    "AF_", "ATOMIC_", "BOOST_", "CHAR_", "DBL_", "EPOLL", "EXIT_", "FE_", "FLT_", "FP_", "F_", "INADDR_", "INT16_",
    "INT32_", "INT64_", "INT8_", "INT_", "IPPROTO_", "LC_", "LDBL_", "LINKSPAN_", "LLONG_", "LONG_", "MSG_", "M_",
    "O_", "PF_", "POLL_", "PRIX", "PTRDIFF_", "SCHAR_", "SEEK_", "SHRT_", "SIG_", "SIZE_", "SOCK_", "SOL_", "SO_",
    "S_", "TMP_", "UCHAR_", "UINT16_", "UINT32_", "UINT64_", "UINT8_", "UINT_", "ULLONG_", "ULONG_", "USHRT_",
};
// clang-format on

// Prefixes of macros of POSIX, of intrinsic functions, and of OpenSSL that are not in upper case.
// clang-format off
inline constexpr std::string_view mixed_families[] = {
    "AF_DEC", "ASId", "ASN1_", "BIO_", "BN_", "BUF_", "COMP_zlib", "CONF_modules", "CRYPTO_", "DECLARE_", "DH_get",
    "DSA_", "DSS_", "DTLS", "ECParameters", "EC_KEY", "ENGINE_", "ERR_", "EVP_", "FILE_boost", "I2D_", "IMPLEMENT_",
    "IPAddress", "LN_", "L_", "M_", "NCONF_", "NID_", "OBJ_", "OPENSSL_", "OSSL_", "OpenSSL", "PEM_", "PF_DEC",
    "PKCS7_", "PRId", "PRIi", "PRIo", "PRIu", "PRIx", "P_tmpdir", "RAND_cleanup", "RSA_", "SCNd", "SCNi", "SCNo",
    "SCNu", "SCNx", "SN_", "SSL_", "SSLeay", "SSLv23_", "SYS_", "TLS1_", "TLSEXT_", "UI_get_", "UI_set_", "X509",
    "_mm_", "d2i_", "i2d_", "ifa_", "ifc_", "ifr_", "lh_", "ossl_", "pthread_cleanup_", "s6_addr", "si_", "sigev_",
    "sk_", "ub_",
};
// clang-format on

inline bool is_all_upper(std::string_view name)
{
    return std::ranges::all_of(name, [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
}

inline bool is_of(std::span<std::string_view const> families, std::string_view name)
{
    return std::ranges::any_of(families, [&](auto family) { return name.starts_with(family); });
}

inline bool is_unusable(std::string_view name)
{
    static_assert(std::ranges::is_sorted(unusable));
    return std::ranges::binary_search(unusable, name) || (is_all_upper(name) && is_of(unusable_families, name));
}

// No list of macros is complete, so that every name in upper case is treated as a macro. Names of two characters are
// exempt: servers use them for country codes, for example, and few macros are that short. Error macros of OpenSSL have
// the form `SSLerr`.
inline bool may_be_macro(std::string_view name)
{
    return (name.size() > 2 && is_upper(name[0]) && is_all_upper(name)) || is_of(mixed_families, name) ||
           (name.size() > 4 && name.ends_with("err") && is_all_upper(name.substr(0, name.size() - 3)));
}

// Returns a name without reserved parts: two adjacent `_`, and a `_` in front of an upper-case letter.
inline std::string unreserved(std::string_view name)
{
    std::string out;
    for (char const c : name) {
        char const kept = is_word(c) ? c : '_';
        if (kept != '_' || out.empty() || out.back() != '_')
            out += kept;
    }
    if (out.size() > 1 && out[0] == '_' && is_upper(out[1])) {
        out.erase(0, 1);
        out += out.back() == '_' ? "" : "_";
    }
    return out;
}

inline std::string shortened(std::string identifier, std::string_view name)
{
    if (identifier.size() <= max_identifier)
        return identifier;
    identifier.resize(max_identifier);
    if (identifier.back() != '_')
        identifier += '_';
    return identifier += linkspan::detail::sha256_digits(name);
}

} // namespace detail

// Some macros of Boost, of this library and of intrinsic functions end in `_`, so that they get a prefix instead.
LINKSPAN_DECL std::string safe_identifier(std::string identifier)
{
    constexpr std::array<std::string_view, 3> with_end{"BOOST_", "LINKSPAN_", "_m_"};
    if (detail::is_of(with_end, identifier))
        identifier.insert(0, 1, 'n');
    else if (!identifier.ends_with('_') && (detail::is_unusable(identifier) || detail::may_be_macro(identifier)))
        identifier += '_';
    return identifier;
}

LINKSPAN_DECL std::string identifier_for(std::string_view name)
{
    if (name.empty())
        return "empty";
    auto out = detail::unreserved(name);
    if (out == "_")
        return "symbol";
    if (detail::is_digit(out.front()))
        out.insert(0, 1, 'n');
    return detail::shortened(safe_identifier(std::move(out)), name);
}

LINKSPAN_DECL std::string nested_identifier(std::string_view outer, std::string_view name)
{
    auto inner = detail::unreserved(name);
    if (auto const first = inner.find_first_not_of('_'); first == inner.npos)
        inner = name.empty() ? "empty" : "symbol";
    else
        inner = inner.substr(first, inner.find_last_not_of('_') + 1 - first);
    auto joined = safe_identifier(std::string(outer) + (outer.ends_with('_') ? "" : "_") + inner);
    return detail::shortened(std::move(joined), std::string(outer) + '/' + std::string(name));
}

LINKSPAN_DECL bool is_usable_identifier(std::string_view name) { return !name.empty() && identifier_for(name) == name; }

LINKSPAN_DECL bool is_usable_namespace(std::string_view name)
{
    while (true) {
        auto const colons = name.find("::");
        auto const part = name.substr(0, colons);
        // The user chooses the name: upper case is rejected only for common macros.
        bool const is_identifier = !part.empty() && detail::unreserved(part) == part && part.front() != '_' &&
                                   !detail::is_digit(part.front()) && part.size() <= max_identifier;
        if (!is_identifier || (!part.ends_with('_') && detail::is_unusable(part)))
            return false;
        if (colons == name.npos)
            return true;
        name.remove_prefix(colons + 2);
    }
}

LINKSPAN_DECL std::string namespace_for(std::string_view server)
{
    auto const first = std::ranges::find_if(server, [](char c) { return detail::is_word(c) && c != '_'; });
    auto const name = server.substr(static_cast<std::size_t>(first - server.begin()));
    auto out = name.empty() ? std::string("server") : identifier_for(name);
    while (out.ends_with('_'))
        out.pop_back();
    // The namespace is global, where C declares functions and types: their names are one word, or end in `_t`.
    bool const may_be_of_c = out.find('_') == out.npos || out.ends_with("_t");
    return may_be_of_c || !is_usable_identifier(out) ? out + "_tools" : out;
}

LINKSPAN_DECL std::string identifier_scope::take(std::string const& wanted)
{
    if (taken_.insert(wanted).second)
        return wanted;
    auto const stem = wanted + (wanted.ends_with('_') ? "" : "_");
    for (auto& number = numbers_.try_emplace(wanted, 2).first->second;; ++number)
        if (auto name = safe_identifier(stem + std::to_string(number)); taken_.insert(name).second)
            return name;
}

} // namespace linkspan::bindgen

#endif
