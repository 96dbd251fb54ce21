#ifndef LINKSPAN_CORE_DETAIL_CONFIG_HPP
#define LINKSPAN_CORE_DETAIL_CONFIG_HPP

// LINKSPAN_DECL marks a function whose body is in impl/*.ipp. If LINKSPAN_SEPARATE_COMPILATION is defined for the whole
// program, these bodies are compiled once: by the CMake target linkspan::compiled, or in the translation unit that
// includes <linkspan/src.hpp>.
//
// LINKSPAN_ABI is the inline namespace of all names. The two modes define different functions, so a program that mixes
// them would violate the one-definition rule. As the names differ, such a program does not link.
#if defined(LINKSPAN_SEPARATE_COMPILATION)
#define LINKSPAN_DECL
#define LINKSPAN_ABI compiled
#else
#define LINKSPAN_DECL inline
#define LINKSPAN_ABI header_only
#endif

// The targets of CMake define LINKSPAN_LINKS_<NAME>. A target that links linkspan::compiled and linkspan::http lacks
// the bodies for HTTP, and would fail to link with many undefined references. <linkspan/server/server.hpp> and
// <linkspan/server/http_endpoint.hpp> check the same for servers.
#if defined(LINKSPAN_LINKS_COMPILED) && defined(LINKSPAN_LINKS_TLS) && !defined(LINKSPAN_LINKS_COMPILED_TLS)
#error "linkspan: a target links linkspan::compiled and linkspan::tls: link linkspan::compiled_tls"
#elif defined(LINKSPAN_LINKS_COMPILED) && defined(LINKSPAN_LINKS_HTTP) && !defined(LINKSPAN_LINKS_COMPILED_HTTP)
#error "linkspan: a target links linkspan::compiled and linkspan::http: link linkspan::compiled_http"
#endif

// LINKSPAN_ALWAYS_INLINE marks a short function that each message needs many times. In a translation unit with many
// functions, the limit of g++ for the growth of a unit prevents the inlining of such functions otherwise.
#if defined(__GNUC__)
#define LINKSPAN_ALWAYS_INLINE [[gnu::always_inline]] inline
#else
#define LINKSPAN_ALWAYS_INLINE inline
#endif

// The headers of this library write `asio` for `boost::asio`, whichever headers of Asio they include.
namespace boost::asio {}

namespace linkspan::inline LINKSPAN_ABI {
namespace asio = boost::asio;
}

#endif
