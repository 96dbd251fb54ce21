#ifndef LINKSPAN_CORE_DETAIL_CONFIG_HPP
#define LINKSPAN_CORE_DETAIL_CONFIG_HPP

// LINKSPAN_DECL marks a function whose body is in impl/*.ipp. If LINKSPAN_SEPARATE_COMPILATION is defined for the whole
// program, these bodies are compiled once, in the translation unit that includes <linkspan/src.hpp>.
#if defined(LINKSPAN_SEPARATE_COMPILATION)
#define LINKSPAN_DECL
#else
#define LINKSPAN_DECL inline
#endif

#endif
