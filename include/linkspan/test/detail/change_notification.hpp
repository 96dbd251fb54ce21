#ifndef LINKSPAN_TEST_DETAIL_CHANGE_NOTIFICATION_HPP
#define LINKSPAN_TEST_DETAIL_CHANGE_NOTIFICATION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/protocol/subscription_filter.hpp>

#include <string>
#include <string_view>

// Notifications of changes, which clients of stateless protocol versions receive over `subscriptions/listen`.
namespace linkspan::inline LINKSPAN_ABI::test::detail {

inline constexpr std::string_view listen_method = "subscriptions/listen";

// Returns the changes that a server grants. `params`: of `subscriptions/listen`. `capabilities`: of the server. Both
// are JSON texts.
LINKSPAN_DECL subscription_filter granted_changes(std::string_view params, std::string_view capabilities);

// Returns whether a notification is one of a change, and has no subscription id yet, because the server adds it.
LINKSPAN_DECL bool is_change_notification(std::string_view method, std::string_view params);

// Returns whether a subscription with these changes receives a notification of a change.
LINKSPAN_DECL bool is_granted(subscription_filter const& granted, std::string_view method, std::string_view params);

// Returns the parameters of a notification with the id of a subscription, as JSON text. Parameters that are no object
// are returned unchanged.
LINKSPAN_DECL std::string with_subscription_id(std::string_view params, std::string_view raw_id);

} // namespace linkspan::test::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/impl/change_notification.ipp>
#endif

#endif
