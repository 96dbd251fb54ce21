#include <linkspan/policy/entry.hpp>
#include <linkspan/policy/list.hpp>
