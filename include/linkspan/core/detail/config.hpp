#ifndef LINKSPAN_CORE_DETAIL_CONFIG_HPP
#define LINKSPAN_CORE_DETAIL_CONFIG_HPP

// LINKSPAN_DECL marks a function whose body stands in impl/*.ipp. Define LINKSPAN_SEPARATE_COMPILATION for the whole
// program to compile those bodies once, in the unit that includes <linkspan/src.hpp>.
#if defined(LINKSPAN_SEPARATE_COMPILATION)
#define LINKSPAN_DECL
#else
#define LINKSPAN_DECL inline
#endif

#endif
