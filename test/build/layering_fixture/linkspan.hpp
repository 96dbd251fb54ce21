#include <boost/beast.hpp>
#include <linkspan/connector.hpp>
