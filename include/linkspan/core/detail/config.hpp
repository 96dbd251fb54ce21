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

// LINKSPAN_ALWAYS_INLINE marks a short function that each message needs many times. In a translation unit with many
// functions, the limit of g++ for the growth of a unit prevents the inlining of such functions otherwise.
#if defined(__GNUC__)
#define LINKSPAN_ALWAYS_INLINE [[gnu::always_inline]] inline
#else
#define LINKSPAN_ALWAYS_INLINE inline
#endif

#endif
