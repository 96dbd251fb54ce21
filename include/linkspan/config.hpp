#ifndef LINKSPAN_CONFIG_HPP
#define LINKSPAN_CONFIG_HPP

// Configuration files: reads and writes the files, replaces variables, and makes connectors from configurations.
// <linkspan/config/diagnose.hpp> is separate, because it needs Boost.Beast and Boost.URL.

#include <linkspan/config/client_config.hpp>
#include <linkspan/config/config_json.hpp>
#include <linkspan/config/connector_config.hpp>
#include <linkspan/config/default_servers.hpp>
#include <linkspan/config/expand.hpp>
#include <linkspan/config/fallback_servers.hpp>
#include <linkspan/config/make_connector.hpp>
#include <linkspan/config/server_config.hpp>

#endif
