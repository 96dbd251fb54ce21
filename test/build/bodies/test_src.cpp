#include <linkspan/test/src.hpp>
