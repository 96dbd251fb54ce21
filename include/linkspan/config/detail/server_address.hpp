#ifndef LINKSPAN_CONFIG_DETAIL_SERVER_ADDRESS_HPP
#define LINKSPAN_CONFIG_DETAIL_SERVER_ADDRESS_HPP

#include <linkspan/config/server_config.hpp>
#include <linkspan/core/detail/config.hpp>

#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Body of `server_config::from_url`.
LINKSPAN_DECL server_config read_server_url(std::string_view url);

// Body of `server_config::from_string`.
LINKSPAN_DECL server_config read_server_text(std::string_view text);

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/server_address.ipp>
#endif

#endif
