#ifndef LINKSPAN_CONFIG_HPP
#define LINKSPAN_CONFIG_HPP

// Servers from configuration files.

#include <linkspan/config/client_config.hpp>
#include <linkspan/config/config_json.hpp>
#include <linkspan/config/connector_config.hpp>
#include <linkspan/config/default_servers.hpp>
#include <linkspan/config/expand.hpp>
#include <linkspan/config/fallback_servers.hpp>
#include <linkspan/config/make_connector.hpp>
#include <linkspan/config/server_config.hpp>

#endif
