#include <linkspan/connector.hpp>
