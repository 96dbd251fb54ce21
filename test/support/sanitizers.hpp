#ifndef LINKSPAN_TEST_SUPPORT_SANITIZERS_HPP
#define LINKSPAN_TEST_SUPPORT_SANITIZERS_HPP

// LINKSPAN_TEST_WITH_ADDRESS_SANITIZER and LINKSPAN_TEST_WITH_SANITIZER, which includes the thread sanitizer, are 0 or
// 1. g++ defines macros for its sanitizers, clang has a builtin instead.
#if defined(__has_feature)
#define LINKSPAN_TEST_WITH_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#define LINKSPAN_TEST_WITH_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__)
#define LINKSPAN_TEST_WITH_ADDRESS_SANITIZER 1
#define LINKSPAN_TEST_WITH_SANITIZER 1
#elif defined(__SANITIZE_THREAD__)
#define LINKSPAN_TEST_WITH_ADDRESS_SANITIZER 0
#define LINKSPAN_TEST_WITH_SANITIZER 1
#else
#define LINKSPAN_TEST_WITH_ADDRESS_SANITIZER 0
#define LINKSPAN_TEST_WITH_SANITIZER 0
#endif

#endif
