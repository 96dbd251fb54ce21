#ifndef LINKSPAN_CONNECTOR_HPP
#define LINKSPAN_CONNECTOR_HPP

// The connector and its catalog as JSON. <linkspan/connector/...> has further headers, such as blocking_connector.hpp.

#include <linkspan/connector/catalog_json.hpp>
#include <linkspan/connector/connector.hpp>
#include <linkspan/connector/find_session.hpp>

#endif
