#include <linkspan/time.hpp>
