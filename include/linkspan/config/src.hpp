#ifndef LINKSPAN_CONFIG_SRC_HPP
#define LINKSPAN_CONFIG_SRC_HPP

// Function definitions of the module `config` for separate compilation. Programs include <linkspan/src.hpp> instead.

#include <linkspan/core/detail/config.hpp>

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#error "linkspan: <linkspan/config/src.hpp> needs LINKSPAN_SEPARATE_COMPILATION, defined for the whole program"
#endif

#include <linkspan/config/impl/client_config.ipp>
#include <linkspan/config/impl/config_json.ipp>
#include <linkspan/config/impl/config_reader.ipp>
#include <linkspan/config/impl/config_text.ipp>
#include <linkspan/config/impl/connector_config.ipp>
#include <linkspan/config/impl/default_servers.ipp>
#include <linkspan/config/impl/expand.ipp>
#include <linkspan/config/impl/server_address.ipp>
#include <linkspan/config/impl/server_config.ipp>
#include <linkspan/config/impl/server_reader.ipp>
#include <linkspan/config/impl/toml_text.ipp>

#endif
