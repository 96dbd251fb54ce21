#include <linkspan/policy/name.hpp>
#include <linkspan/policy/named.hpp>
