#ifndef LINKSPAN_CONNECTOR_HPP
#define LINKSPAN_CONNECTOR_HPP

// A connector of many servers. Its companions, as `blocking_connector`, have headers of their own in connector/.

#include <linkspan/connector/catalog_json.hpp>
#include <linkspan/connector/connector.hpp>

#endif
