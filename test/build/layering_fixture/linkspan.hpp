#include <linkspan/connector.hpp>

#include <boost/beast.hpp>
